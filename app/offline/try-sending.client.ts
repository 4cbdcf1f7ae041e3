import { newFormKey } from "#app/forms/form-key.ts";
import { typedHours } from "#app/records/hours.ts";
import type { Row, TypedRecord } from "./row.ts";
import { readStore, replace } from "./rows.client.ts";
import { type Answer, type Outcome, type Sending, sendRows } from "./send.client.ts";

/** The first and the longest wait between two attempts, in milliseconds. */
const FIRST_MS = 15_000;
const LONGEST_MS = 10 * 60_000;

/** The longest wait that a server may ask for. A timer of more than 24 days would end at once. */
const LONGEST_ASKED_SECONDS = 3_600;

let wait = FIRST_MS;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether the server has asked to wait. Until then only the user tries again. */
let isBusy = false;

/** The seconds that a `Retry-After` asks to wait: a number, or a date by this device's clock. 0 without one. */
function secondsUntil(retryAfter: string | null | undefined): number {
  const seconds = Number(retryAfter ?? 0);
  const asked = Number.isNaN(seconds) ? (Date.parse(retryAfter ?? "") - Date.now()) / 1_000 : seconds;
  return Math.min(Math.max(asked || 0, 0), LONGEST_ASKED_SECONDS);
}

/**
 * Tells the answers of the app from those of anything between it and this browser, which are no answers: then everything
 * waits. What the app refuses is kept with its reason and not sent again by itself.
 */
async function judge(
  { key, userId, isUnsure }: Row,
  { message, errors, error }: Answer,
  response: Response | undefined,
): Promise<Outcome | null> {
  const { status = 0, headers } = response ?? {};
  if (!response || (error instanceof Error && !(error instanceof SyntaxError))) {
    return { result: "later", reason: "noSignal", isOver: true };
  }
  const seconds = secondsUntil(headers?.get("Retry-After"));
  // A server in between may ask to wait too. Without a time, an answer that is not the app's says nothing.
  if ([429, 503].includes(status) && (message || seconds)) {
    return { result: "later", reason: "server", seconds, isOver: true };
  }
  // 511 is what a network should answer that asks its users to sign in.
  if (!message || status < 400) {
    return { result: "later", reason: status >= 500 && status !== 511 ? "server" : "network", isOver: true };
  }
  const keep = (changed: Partial<Row>) =>
    replace(key, (now) => (now.state === "sent" ? [{ ...now, ...changed }] : null));
  // The second is about the session, not about these hours: another user has signed in since the store was read.
  if (status === 401 || errors?.[0]?.path === "For-User") {
    if (!isUnsure) await keep({ state: "saved" }); // nothing was saved, and the hours can be edited as before
    return { result: "signIn", isOver: true };
  }
  if (status >= 500 || status === 408) {
    await keep({ errors: [{ path: "", message: FAILED }] });
    return { result: "later", reason: "server" };
  }
  await keep({
    state: "rejected",
    errors: errors ?? [{ path: "", message }],
    // They were saved under their key, and deleted since. Under another they can be saved once more.
    ...(status === 409 && { key: newFormKey(userId), isUnsure: false }),
  });
  return null;
}

/**
 * Writes the hours of what waits as the call takes them: `7.5` where a person has typed `7,5`. The service worker has no room
 * for this rule, so a page does it as soon as it opens, with a signal or without.
 */
async function writeAsCalled(): Promise<void> {
  const { rows } = await readStore();
  const hoursOf = ({ hours = "" }: TypedRecord) => typedHours(hours) ?? hours;
  for (const { key, body } of rows) {
    if (body.every((record) => hoursOf(record) === record.hours)) continue;
    await replace(key, (row) =>
      /saved|sent/.test(row.state)
        ? [{ ...row, body: row.body.map((record) => ({ ...record, hours: hoursOf(record) })) }]
        : null,
    );
  }
}

const FAILED = "The server failed to save these hours. They are sent again later.";

/**
 * Sends what waits, now and whenever there may be a signal again, and calls `changed` after each attempt. After a failure
 * the next attempt is later each time.
 * @returns attempts at once, whatever the last attempt came to
 */
export function keepSending(changed: (sending: Sending) => unknown): () => Promise<void> {
  const attempt = async () => {
    clearTimeout(timer);
    const later: Sending = { sent: 0, result: "later", reason: "noSignal" };
    // Without a network nothing is tried: rows that were never sent can still be edited.
    const sending = await writeAsCalled()
      .then(() => (navigator.onLine ? sendRows(judge) : later))
      .catch(() => later);
    const least = (sending.seconds || 0) * 1_000;
    isBusy = least > 0;
    if (sending.result === "later") {
      timer = setTimeout(attempt, Math.max(least, wait * (1 + Math.random())));
      wait = Math.min(2 * wait, LONGEST_MS);
      register();
    } else wait = FIRST_MS;
    changed(sending);
  };
  addEventListener("online", attempt);
  addEventListener("pageshow", () => isBusy || attempt());
  addEventListener("visibilitychange", () => document.hidden || isBusy || attempt());
  attempt();
  return attempt;
}

/** Asks the browser to wake the service worker when there is a signal, where it can (Background Sync). */
function register(): void {
  navigator.serviceWorker?.ready
    .then((worker) => (worker as unknown as { sync?: { register(tag: string): Promise<void> } }).sync?.register("send"))
    .catch(() => {}); // the user has forbidden it
}
