import { createHmac, timingSafeEqual } from "node:crypto";

/** A token that says what it is for and proves that this installation made it: `{id}.{end}.{HMAC}`. Nothing is stored. */
export function signToken(secret: string, purpose: string, id: number, end: Date, about: string): string {
  const stem = `${id.toString(36)}.${end.getTime().toString(36)}`;
  return `${stem}.${signature(secret, purpose, stem, about)}`;
}

/** The id and the end in a token; null if it was not made by `signToken` in this form. The signature is checked apart. */
export function parseToken(token: string): { id: number; end: Date } | null {
  const [, id, end] = token.match(/^([0-9a-z]{1,10})\.([0-9a-z]{1,10})\.[\w-]{43}$/) ?? [];
  return id && end ? { id: Number.parseInt(id, 36), end: new Date(Number.parseInt(end, 36)) } : null;
}

/** Whether a token was made for this purpose and `about`, which the token does not contain. */
export function isSigned(secret: string, purpose: string, token: string, about: string): boolean {
  const stem = token.slice(0, token.lastIndexOf("."));
  const [one, other] = [Buffer.from(token), Buffer.from(`${stem}.${signature(secret, purpose, stem, about)}`)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function signature(secret: string, purpose: string, stem: string, about: string): string {
  return createHmac("sha256", secret)
    .update(JSON.stringify([purpose, stem, about]))
    .digest("base64url");
}
