import { createHmac, timingSafeEqual } from "node:crypto";
import type { Via } from "#app/db/enumerations.ts";
import type { RequestRow } from "./requests.table.ts";

type Addressed = Pick<RequestRow, "token" | "nonce" | "supervisorEmail">;

/**
 * The second secret of a request's link, the parameter `m` of the mailed one: an HMAC by SESSION_SECRET of the token, the
 * address and a nonce, in base64url. It is made when the email is composed, stored nowhere, and never shown to the
 * technician. Null if the request has no address. It proves control of that address, not who the person is.
 */
export function mailboxSecret(secret: string, { token, nonce, supervisorEmail }: Addressed): string | null {
  if (supervisorEmail === null) return null;
  const subject = JSON.stringify(["mailbox", token, supervisorEmail, nonce]);
  return createHmac("sha256", secret).update(subject).digest("base64url").slice(0, MAILBOX_SECRET_LENGTH);
}

/** 132 bits. */
const MAILBOX_SECRET_LENGTH = 22;

/** How an answer to a request came, by the values of its URL's parameter `m`. Anything but the one right secret is `link`. */
export function viaOf(secret: string, request: Addressed, { searchParams }: URL): Via {
  const [sent, ...more] = searchParams.getAll("m");
  const right = mailboxSecret(secret, request);
  if (sent === undefined || more.length > 0 || right === null) return "link";
  const [one, other] = [Buffer.from(sent), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other) ? "mailbox" : "link";
}
