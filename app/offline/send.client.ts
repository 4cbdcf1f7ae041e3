import { OFFLINE_CALLS, type Row } from "./row.ts";
import { readStore, replace } from "./rows.client.ts";

/** What a round of sending came to. */
export interface Sending extends Outcome {
  sent: number;
}

/** What an answer that saves nothing means for the round. */
export interface Outcome {
  /** `later`: something waits that is sent again. `signIn`: the session has ended, or is another user's. */
  result: "done" | "later" | "signIn";
  /** Why later: no answer, one of the network in the app's place, or the server cannot at the moment. */
  reason?: "noSignal" | "network" | "server";
  /** The time to wait that the server has asked for. */
  seconds?: number;
  /** Whether nothing more is sent in this round. */
  isOver?: boolean;
}

/**
 * The JSON of an answer, or `error` if there is none: a SyntaxError for an answer that is no JSON, which is not the app's,
 * and any other if no answer arrived.
 */
export interface Answer {
  id?: number;
  message?: string;
  errors?: Row["errors"];
  error?: unknown;
}

/** Decides what becomes of a row that was not saved. Null: it is done with, and the round goes on. */
type Judge = (row: Row, answer: Answer, response: Response | undefined) => Outcome | null | Promise<Outcome | null>;

/** The longest wait for an answer, in milliseconds. It also ends the turn of a tab that hangs. */
const TIMEOUT_MS = 60_000;

/**
 * Sends what the signed-in user has saved, one row after the other, each with its key, so that a row that is sent twice is
 * saved once. Of all tabs and the service worker one sends at a time.
 */
export async function sendRows(judge: Judge): Promise<Sending> {
  const send = () => sendAll(judge);
  // Without locks two tabs may send a row at the same time; its key still saves it once.
  return navigator.locks?.request("send", send) ?? send();
}

async function sendAll(judge: Judge): Promise<Sending> {
  const { visit, rows } = await readStore();
  let sent = 0;
  let outcome: Outcome = { result: "done" };
  for (const { key } of rows.filter(({ userId }) => userId === visit?.userId)) {
    // Of rows that are saved or sent. From here on the server may have it. Nothing is sent that another tab has opened in a form since.
    const [row] =
      (await replace(key, (now) =>
        /^s/.test(now.state) ? [{ ...now, state: "sent", isUnsure: now.state === "sent" }] : null,
      )) ?? [];
    if (!row) continue;
    let response: Response | undefined;
    let answer: Answer | null;
    try {
      response = await post(row);
      answer = await response.json();
    } catch (error) {
      answer = { error };
    }
    // Only the app answers with a record. A network that asks its users to sign in may answer 200 with a page of its own.
    if (response?.ok && [answer].flat()[0]?.id) {
      await replace(key, (now) => (now.state === "sent" ? [] : null));
      sent += 1;
    } else {
      outcome = (await judge(row, answer ?? {}, response)) ?? outcome;
      if (outcome.isOver) break;
    }
  }
  return { ...outcome, sent };
}

function post({ key, userId, kind, body }: Row): Promise<Response> {
  return fetch(OFFLINE_CALLS[kind], {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key, "For-User": userId },
    body: JSON.stringify(kind === "entry" ? body : body[0]),
    redirect: "manual", // the app does not redirect, and what follows would be no answer to these hours
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}
