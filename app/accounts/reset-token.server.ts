import { createHash, createHmac, randomBytes } from "node:crypto";

/** How long a reset link works, in milliseconds: one hour (product, "Reset link"). */
export const RESET_MS = 60 * 60 * 1000;

/** A nonce for one request. The token is derived from it, the user's id and the secret. */
export function newNonce(): string {
  return randomBytes(16).toString("base64url");
}

/**
 * The token of a reset link. It is stored nowhere: the row holds its hash, for the look-up, and the nonce, from which the
 * token is derived again when the email is composed. The database alone, without the secret, resets no password.
 */
export function resetToken(secret: string, userId: number, nonce: string): string {
  return createHmac("sha256", secret).update(`password reset\n${userId}\n${nonce}`).digest("base64url");
}

export function hashResetToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
