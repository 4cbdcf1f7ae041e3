import { createHash, createHmac, randomBytes } from "node:crypto";

/** How long a reset link lasts, in milliseconds: one hour (product, "Reset link"). */
export const RESET_MS = 60 * 60 * 1000;

/** A nonce for one request; with it, the user's id and the secret the token can be made again, and by nobody else. */
export function newNonce(): string {
  return randomBytes(16).toString("base64url");
}

/**
 * The token of a reset link. It is kept nowhere: the row has its hash, for the look-up, and the nonce, from which it
 * is made once more when the message is mailed. Who can read the database and not the secret can reset nothing.
 */
export function resetToken(secret: string, userId: number, nonce: string): string {
  return createHmac("sha256", secret).update(`password reset\n${userId}\n${nonce}`).digest("base64url");
}

/** What the row keeps of a token. */
export function hashResetToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
