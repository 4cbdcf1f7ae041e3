import { createHash, createHmac } from "node:crypto";
import { CODE_BYTES, codeFromBytes } from "./export-code.ts";

/**
 * The code of an export, as it is shown: an HMAC by SESSION_SECRET of its id and nonce, with a check character. It is made
 * again when needed, and only its hash is stored. After SESSION_SECRET was changed, older codes cannot be made again; they
 * can still be checked.
 */
export function exportCode(secret: string, id: number, nonce: string): string {
  const subject = JSON.stringify(["export", id, nonce]);
  return codeFromBytes(createHmac("sha256", secret).update(subject).digest().subarray(0, CODE_BYTES));
}

/** The hash by which a check finds the export of a code, as `parseCode` returns it. */
export function hashCode(code: string): string {
  return createHash("sha256").update(`export code ${code}`).digest("hex");
}

/** The address of the page where a code is checked, which its QR code contains. */
export function checkUrl(origin: string, code: string): string {
  return `${origin}/c/${code}`;
}
