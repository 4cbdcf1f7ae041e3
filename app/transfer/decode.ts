import { AppError } from "#app/errors.ts";
import { decode, type Encoding, guessEncoding } from "./encodings.ts";

/** The longest text of an import in bytes of UTF-8: what 1 MiB of another encoding can become. */
const TEXT_BYTES_MAX = 1.5 * 1024 * 1024;

const SAVE_AS_CSV = "Save your spreadsheet as .xlsx or CSV and choose that file, or copy the rows and paste them.";

const NO_TEXT = `This file is not text. ${SAVE_AS_CSV}`;

/** The first characters of a ZIP archive, which every .xlsx is, and of the older container of Microsoft Office. */
const ZIP = "PK\x03\x04";
const OLE = "\xd0\xcf\x11\xe0";

/** The files that people take for a table, by their first characters. */
const OTHER_FILES: [start: RegExp | string, what: string][] = [
  [ZIP, "an Excel or other office document. Upload the file itself, not its text"],
  ["%PDF", "a PDF"],
  [/^\s*[[{]\s*["{\]}]/, "JSON, which programs exchange"],
  [/^\s*<(?:!doctype|html|head|body|table|\?xml|meta)/i, "a web page, even if its name ends in .xls"],
];

/** The most characters of a file that show what it is. */
const START = 200;

function requireTable(start: string): void {
  const found = OTHER_FILES.find(([one]) => (typeof one === "string" ? start.startsWith(one) : one.test(start)));
  if (found) throw new AppError("invalid", `This file is ${found[1]}. ${SAVE_AS_CSV}`);
}

/** Whether a file is a ZIP archive: the content decides, whatever the name and the content type say. */
export function isArchive(bytes: Uint8Array): boolean {
  return startOf(bytes).startsWith(ZIP);
}

function startOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, START));
}

/** The encoding of a text file: UTF-8 or UTF-16 (with and without a byte order mark), or else the most likely of the others. */
export function encodingOf(bytes: Uint8Array): { encoding: Encoding; isLikely: boolean } {
  const certain = certainEncoding(bytes);
  return certain ? { encoding: certain, isLikely: true } : guessEncoding(bytes);
}

/**
 * The text of an uploaded file, in its encoding if none is given. Line ends become LF.
 * @throws {AppError} 400 for an empty file and for one that is no text, 413 for one that is too long
 */
export function decodeText(bytes: Uint8Array, encoding: Encoding = encodingOf(bytes).encoding): string {
  requireNoOffice(bytes);
  requireTable(startOf(bytes));
  return checkedText(decode(bytes, encoding));
}

/** Names in the container of Microsoft Office, in UTF-16. */
const PARTS: [name: string, message: string][] = [
  [
    "EncryptedPackage",
    "This workbook has a password. Open it, remove the password (File, Info, Protect Workbook), save it and upload it again.",
  ],
  ["Workbook", `This file is an old Excel workbook (.xls). ${SAVE_AS_CSV}`],
  ["Book", `This file is an old Excel workbook (.xls). ${SAVE_AS_CSV}`],
];

function requireNoOffice(bytes: Uint8Array): void {
  if (!startOf(bytes).startsWith(OLE)) return;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [, message] = PARTS.find(([name]) => content.includes(Buffer.from(name, "utf16le"))) ?? [];
  throw new AppError("invalid", message ?? `This file is an old office document. ${SAVE_AS_CSV}`);
}

/**
 * A text that was pasted, or a file's.
 * @throws {AppError} as `decodeText`
 */
export function checkedText(text: string): string {
  const lines = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  if (lines.trim() === "")
    throw new AppError("invalid", "There is nothing in it. Choose another file, or paste the rows.");
  requireTable(lines.slice(0, START));
  if (lines.includes("\0")) throw new AppError("invalid", NO_TEXT);
  const wellFormed = lines.replace(/\p{Cs}/gu, "\ufffd"); // an unpaired surrogate has no UTF-8
  if (new TextEncoder().encode(wellFormed).length > TEXT_BYTES_MAX) {
    throw new AppError("too_large", "That is too large: at most 1 MiB can be imported at once.");
  }
  return wellFormed;
}

function certainEncoding(bytes: Uint8Array): Encoding | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  // Without a mark: every second byte of Latin text is 0.
  if (first && second === 0 && third && fourth === 0) return "utf-16le";
  if (first === 0 && second && third === 0 && fourth) return "utf-16be";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return "utf-8";
  } catch {
    return null;
  }
}
