import { typedNumber } from "#app/records/hours.ts";
import type { FieldError, Row } from "./row.ts";
import { readStore, replace } from "./rows.client.ts";

/**
 * What a round of sending came to. `later`: no signal, or the server is busy; try again after `seconds`, if it said so.
 * `signIn`: the session has ended, or is another user's.
 */
export interface Sending {
  sent: number;
  result: "done" | "later" | "signIn";
  seconds?: number;
}

/** The longest wait for an answer, in milliseconds. It also ends the turn of a tab that hangs. */
const TIMEOUT_MS = 60_000;

/**
 * Sends what the signed-in user has saved, one row after the other, each with its key, so that a row that is sent twice is
 * saved once. Of all tabs and the service worker one sends at a time.
 */
export async function sendRows(): Promise<Sending> {
  // Without locks two tabs may send a row at the same time; its key still saves it once.
  return navigator.locks?.request("send", sendAll) ?? sendAll();
}

async function sendAll(): Promise<Sending> {
  const { visit, rows } = await readStore();
  let sent = 0;
  for (const { key } of rows.filter(({ userId }) => userId === visit?.userId)) {
    // From here on the server may have it. Nothing is sent that another tab has opened in a form since.
    const [row] =
      (await replace(key, (now) =>
        now.state === "saved" || now.state === "sent" ? [{ ...now, state: "sent" }] : null,
      )) ?? [];
    if (!row) continue;
    const response = await post(row).catch(() => null);
    if (response?.ok) {
      await replace(key, (now) => (now.state === "sent" ? [] : null));
      sent += 1;
    } else if (response?.status === 400 || response?.status === 409) {
      const errors = await errorsOf(response);
      await replace(key, (now) => (now.state === "sent" ? [{ ...now, state: "rejected", errors }] : null));
    } else if (response?.status === 401 || response?.status === 403) {
      // 403: another user has signed in since the store was read, and these rows wait for their owner.
      return { sent, result: "signIn" };
    } else {
      return { sent, result: "later", seconds: Number(response?.headers.get("Retry-After")) };
    }
  }
  return { sent, result: "done" };
}

function post({ key, userId, kind, body }: Row): Promise<Response> {
  const isEntry = kind === "entry";
  // What was typed stays in the store: the call takes `7.5` where a person writes `7,5`.
  const records = body.map((record) => ({ ...record, hours: typedNumber(record.hours ?? "") ?? record.hours }));
  return fetch(isEntry ? "/api/entries" : "/api/rope-hours", {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key, "For-User": userId },
    body: JSON.stringify(isEntry ? records : records[0]),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

async function errorsOf(response: Response): Promise<FieldError[]> {
  const { message, errors } = (await response.json()) as { message: string; errors?: FieldError[] }; // as of any call
  return errors ?? [{ path: "", message }];
}
