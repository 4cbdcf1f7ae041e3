import type { ListName } from "#app/db/enumerations.ts";

/** How the file names of the forms of each kind begin. */
const STARTS: Record<ListName, string> = { entries: "OJT_Log", rope_hours: "Rope_Log" };

/** The most bytes of a user's name, so that the file name stays under 255 bytes in any script. */
const NAME_BYTES = 120;

/** Windows' reserved characters, path separators, and invisible or direction-changing characters. */
const UNSAFE = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu;

/**
 * The name of an exported form (spec section 9): `OJT_Log_{name or User}_{YYYY-MM-DD}.pdf`, safe on every system. That of
 * rope hours begins with `Rope_Log`.
 * @param today the technician's calendar date, `YYYY-MM-DD`
 */
export function fileName(kind: ListName, name: string | null, today: string): string {
  return `${STARTS[kind]}_${safe(name ?? "") || "User"}_${today}.pdf`;
}

/** Keeps the letters of every script, and spaces inside. */
function safe(name: string): string {
  const words = name.normalize("NFC").replace(UNSAFE, " ").replace(/\s+/g, " ");
  return trim(atMost(NAME_BYTES, trim(words)));
}

function trim(text: string): string {
  return text.replace(/^[ .]+|[ .]+$/g, "");
}

/** The start of the text that fits into this many bytes of UTF-8, without cutting a character. */
function atMost(bytes: number, text: string): string {
  const encoder = new TextEncoder();
  let kept = "";
  for (const character of text) {
    if (encoder.encode(kept + character).length > bytes) break;
    kept += character;
  }
  return kept;
}
