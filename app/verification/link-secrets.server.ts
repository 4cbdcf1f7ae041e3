import type { Via } from "#app/db/enumerations.ts";
import { hmac, isSameSecret } from "#app/server/secrets.server.ts";
import type { RequestRow } from "./requests.table.ts";

/*
 * The secrets that a request's links carry besides its token: that of the mailed link, and that which takes an answer back.
 */

type Addressed = Pick<RequestRow, "token" | "nonce" | "supervisorEmail">;

/**
 * The second secret of a request's link, the parameter `m` of the mailed one: an HMAC by SESSION_SECRET of the token, the
 * address and a nonce, in base64url. It is made when the email is composed, stored nowhere, and never shown to the
 * technician. Null if the request has no address. It proves control of that address, not who the person is.
 */
export function mailboxSecret(secret: string, request: Addressed): string | null {
  return linkSecret(secret, "mailbox", request);
}

/**
 * The secret with which what was verified through a request is disowned, the parameter `back`. After an answer the browser's
 * address shows this secret, which cannot verify anything, instead of the mailed one. Null as `mailboxSecret`.
 */
export function disownSecret(secret: string, request: Addressed): string | null {
  return linkSecret(secret, "take back", request);
}

function linkSecret(secret: string, use: string, { token, nonce, supervisorEmail }: Addressed): string | null {
  if (supervisorEmail === null) return null;
  const text = hmac(secret, JSON.stringify([use, token, supervisorEmail, nonce]));
  const last = text.slice(SECRET_LENGTH).match(/[A-Za-z\d]/)?.[0] ?? "0";
  return text.slice(0, SECRET_LENGTH) + last;
}

/**
 * 126 bits: the characters that are compared. The one behind them is a letter or a digit, because a mail program leaves
 * a hyphen at the end out of the link. Characters that were added to the link when it was copied, such as a bracket,
 * come after that.
 */
const SECRET_LENGTH = 21;

/**
 * Returns how an answer to a request came, by the values of its URL's parameter `m`. Anything but the one right secret
 * is `link`.
 */
export function viaOf(secret: string, request: Addressed, { searchParams }: URL): Via {
  return isSecret(searchParams.getAll("m"), mailboxSecret(secret, request)) ? "mailbox" : "link";
}

/** Whether a URL has the secret that takes back what was verified through a request: its own one, or that of the mailed link. */
export function canDisown(secret: string, request: Addressed, url: URL): boolean {
  const sent = url.searchParams.getAll("back");
  return isSecret(sent, disownSecret(secret, request)) || viaOf(secret, request, url) === "mailbox";
}

function isSecret([sent, ...more]: string[], right: string | null): boolean {
  if (sent === undefined || more.length > 0 || right === null) return false;
  return isSameSecret(sent.slice(0, SECRET_LENGTH), right.slice(0, SECRET_LENGTH));
}
