import { createHash, randomBytes } from "node:crypto";
import { hmac } from "#app/server/secrets.server.ts";

/** How long a mailed link to an account works, in milliseconds: one hour. */
export const LINK_MS = 60 * 60 * 1000;

/** The purpose of a link. A token for one purpose is of no use for another. */
type Purpose = "password reset" | "email change" | "email confirmation";

/** A nonce for one link. The token is derived from it, the secret, and the user's id or address (`linkToken`). */
export function newNonce(): string {
  return randomBytes(16).toString("base64url");
}

/**
 * The token of a mailed link for a user's id, or for an address. It is stored nowhere: the row holds its hash, for the
 * look-up, and the nonce, from which the token is derived again when the email is composed. The database alone, without the secret, opens no account.
 */
export function linkToken(secret: string, purpose: Purpose, subject: number | string, nonce: string): string {
  return hmac(secret, `${purpose}\n${subject}\n${nonce}`);
}

export function hashLinkToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
