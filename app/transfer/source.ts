import { AppError } from "#app/errors.ts";
import { checkedText, decodeText, encodingOf, isArchive } from "./decode.ts";
import { ENCODING_NAMES, type Encoding, type GuessedEncoding, isGuessed } from "./encodings.ts";
import type { Note } from "./file-rows.ts";
import type { ReadRow } from "./parse-table.ts";
import { Workbook } from "./read-xlsx.ts";

/**
 * An upload as the database keeps it: a text whose encoding is certain as text, and any other file as its bytes in base64, so
 * that another sheet or encoding can be chosen.
 */
export interface Upload {
  content: string;
  /** Null for a workbook. */
  encoding: Encoding | null;
  /** The sheet of a workbook, if one was chosen. */
  sheet: string | null;
}

/** A technician's choice about a file: one of them, where the file has that choice. */
export interface SourceChoice {
  encoding?: GuessedEncoding;
  sheet?: string;
}

/** The rows in an upload: of a text as it is, because its separator depends on what the columns mean. */
export interface Source {
  table: string | ReadRow[];
  encoding: Encoding | null;
  sheet: string | null;
  /** The sheets of a workbook, those that are shown first. */
  sheets: string[];
  notes: Note[];
}

/** @throws {AppError} 400 for a text that is none, 413 for one that is too long */
export function uploadOfText(text: string): Upload {
  return { content: checkedText(text), encoding: "utf-8", sheet: null };
}

/**
 * Returns the part of a file that is kept.
 * @throws {AppError} 400 for a file that is no table, with what it is
 */
export function uploadOfFile(bytes: Uint8Array): Upload {
  if (isArchive(bytes)) return { content: toBase64(bytes), encoding: null, sheet: null };
  const { encoding } = encodingOf(bytes);
  const text = decodeText(bytes, encoding);
  return { content: isGuessed(encoding) ? toBase64(bytes) : text, encoding, sheet: null };
}

/** The bytes of an upload that is kept as such. */
export function bytesOf({ content }: Pick<Upload, "content">): Uint8Array {
  return Buffer.from(content, "base64");
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

export function sourceOfText(text: string, encoding: Encoding = "utf-8"): Source {
  return { table: text, encoding, sheet: null, sheets: [], notes: [] };
}

/**
 * Reads an upload.
 * @throws {AppError} 400 for a workbook that cannot be imported
 */
export async function readSource(upload: Upload): Promise<Source> {
  const { content, encoding, sheet } = upload;
  if (encoding === null) {
    const book = await Workbook.open(bytesOf(upload));
    const { rows, ...read } = await book.read(sheet);
    return { ...read, table: rows, encoding, sheets: book.sheets };
  }
  if (!isGuessed(encoding)) return sourceOfText(content, encoding);
  const bytes = bytesOf(upload);
  return { ...sourceOfText(decodeText(bytes, encoding), encoding), notes: [encodingNote(bytes, encoding)] };
}

function encodingNote(bytes: Uint8Array, encoding: GuessedEncoding): Note {
  const guess = encodingOf(bytes);
  const isDoubtful = encoding === guess.encoding && !guess.isLikely;
  const message = isDoubtful
    ? `No encoding that this app reads fits this file. It is read as ${ENCODING_NAMES[encoding]}: some letters are wrong. Save it as .xlsx or as CSV UTF-8 and upload it again.`
    : `The file does not say its encoding. It is read as ${ENCODING_NAMES[encoding]}. If names look wrong, choose another encoding.`;
  return { column: "", message, rows: 0 };
}

/**
 * An upload with what was chosen of it.
 * @throws {AppError} 400 for a choice that the file has not
 */
export function chosenUpload(upload: Upload, { encoding, sheet }: SourceChoice): Upload {
  if (encoding && !isGuessed(upload.encoding)) {
    const reason = upload.encoding
      ? `The encoding of this file is certain: ${upload.encoding}.`
      : "A workbook has no encoding.";
    throw new AppError("invalid", reason);
  }
  if (sheet !== undefined && upload.encoding !== null) throw new AppError("invalid", "Only a workbook has sheets.");
  return { ...upload, ...(encoding && { encoding }), ...(sheet !== undefined && { sheet }) };
}
