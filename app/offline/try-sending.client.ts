import { type Sending, sendRows } from "./send.client.ts";

/** The first and the longest wait between two attempts, in milliseconds. */
const FIRST_MS = 15_000;
const LONGEST_MS = 10 * 60_000;

let wait = FIRST_MS;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether the server has asked to wait. Until then only the user tries again. */
let isBusy = false;

/**
 * Sends what waits, now and whenever there may be a signal again, and calls `changed` after each attempt. After a failure
 * the next attempt is later each time.
 * @returns attempts at once, whatever the last attempt came to
 */
export function keepSending(changed: (sending: Sending) => unknown): () => Promise<void> {
  const attempt = async () => {
    clearTimeout(timer);
    const later: Sending = { sent: 0, result: "later" };
    // Without a network nothing is tried: rows that were never sent can still be edited.
    const sending = navigator.onLine ? await sendRows().catch(() => later) : later;
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
