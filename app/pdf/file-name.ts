/** How much of a name a file name keeps: with the rest it stays under 255 bytes in any script. */
const NAME_BYTES = 120;

/** Windows' reserved characters, path separators, and all that is invisible or steers the text around it. */
const UNSAFE = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu;

/**
 * The name of an exported form (spec section 9): `OJT_Log_{name or User}_{YYYY-MM-DD}.pdf`, safe on every system.
 * @param today the technician's calendar date, `YYYY-MM-DD`
 */
export function fileName(name: string | null, today: string): string {
  return `OJT_Log_${safe(name ?? "") || "User"}_${today}.pdf`;
}

/** Letters of every script are kept, and spaces inside: every system of today can hold them. */
function safe(name: string): string {
  const words = name.normalize("NFC").replace(UNSAFE, " ").replace(/\s+/g, " ");
  return trim(atMost(NAME_BYTES, trim(words)));
}

function trim(text: string): string {
  return text.replace(/^[ .]+|[ .]+$/g, "");
}

/** The start of the text that fits in so many bytes of UTF-8; no character is cut in two. */
function atMost(bytes: number, text: string): string {
  const encoder = new TextEncoder();
  let kept = "";
  for (const character of text) {
    if (encoder.encode(kept + character).length > bytes) break;
    kept += character;
  }
  return kept;
}
