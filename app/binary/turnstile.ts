/** Addresses at which a password is hashed: a form or a call of these takes 0.2 s of the only thread. */
const HASHES = /(^|\/)(auth|login|register|reset-password|password|account|user|set-up)(\/|$)/i;

/** The one inside has this long until the next may come in, in milliseconds: who hangs up never says that they left. */
const PATIENCE = 1_000;
const LOOK_AGAIN = 10;

let takenUntil = 0;

/**
 * Lets requests that hash a password in one by one. workerd has one thread: with a hundred of them at once it would hash
 * for 20 s on end, read from no connection meanwhile, and then close those that it has not read yet as too slow.
 * Returns how to leave. Each waits by a timer of its own: a request of workerd must not hang on what another one does.
 */
export async function enter({ method, url }: Request): Promise<() => void> {
  if (method === "GET" || method === "HEAD" || !HASHES.test(new URL(url).pathname)) return () => {};
  while (Date.now() < takenUntil) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
  const mine = Date.now() + PATIENCE;
  takenUntil = mine;
  return () => {
    if (takenUntil === mine) takenUntil = 0;
  };
}
