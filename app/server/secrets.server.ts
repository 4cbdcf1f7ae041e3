import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** The HMAC-SHA256 of a text by SESSION_SECRET, in base64url: 43 characters. */
export function hmac(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}

/**
 * Whether a secret that was sent is the right one. It compares hashes in constant time: how long that takes tells neither how
 * much of a guess is right nor how long the right one is.
 */
export function isSameSecret(sent: string, right: string): boolean {
  const hashOf = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hashOf(sent), hashOf(right));
}
