import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** The HMAC-SHA256 of a text by SESSION_SECRET, in base64url: 43 characters. */
export function hmac(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}

/** The secrets of `EARLIER_SECRETS`, which has commas between them. */
export function earlierSecretsOf(text: string | undefined): string[] {
  return (text ?? "").split(",").flatMap((secret) => secret.trim() || []);
}

/** Those of this process. They are not among the secrets that are passed on, so none of them signs anything. */
let earlierSecrets: readonly string[] = [];

/** Sets `EARLIER_SECRETS`, before a request or the timer's work. */
export function setEarlierSecrets(text: string | undefined): void {
  earlierSecrets = earlierSecretsOf(text);
}

/**
 * Returns the results of `make` with SESSION_SECRET and with each earlier one: to recognise values that were stored or
 * mailed before a change.
 */
export function withAnySecret(secret: string, make: (secret: string) => string): string[] {
  return [secret, ...earlierSecrets].map(make);
}

/**
 * Whether a secret that was sent is the right one. It compares hashes in constant time: the duration reveals neither
 * how much of a guess is right nor how long the right one is.
 */
export function isSameSecret(sent: string, right: string): boolean {
  const hashOf = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hashOf(sent), hashOf(right));
}
