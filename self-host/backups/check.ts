import { announcedRows, filledTable, INCOMPLETE, type Rows, requireSameRows, Statements } from "#self-host/dump.ts";
import { breath, piecesOf } from "#self-host/dump-stream.ts";
import { type Digest, digested, type Stream, unpacked } from "./packing.ts";

/** What a complete backup contains: its note, stored beside it, makes it count. */
export interface Note extends Digest {
  rows: Rows;
}

/**
 * Reads a stored backup to its end and counts its rows by table.
 * @throws {Error} a message for the operator: it cannot be decrypted or decompressed, its end is missing, or a table has
 * other rows than were in the database
 */
export async function check(stored: Stream, key: string | null): Promise<Note> {
  const { pieces, digest } = digested(piecesOf(stored));
  const statements = new Statements();
  const decoder = new TextDecoder();
  const rows: Rows = {};
  let announced: Rows | null = null;
  for await (const piece of unpacked(pieces, key)) {
    await breath();
    for (const statement of statements.add(decoder.decode(piece, { stream: true }))) {
      announced ??= announcedRows(statement);
      const table = filledTable(statement);
      if (table) rows[table] = (rows[table] ?? 0) + 1;
    }
  }
  statements.end();
  if (!announced) throw new Error(INCOMPLETE);
  delete rows.sqlite_sequence; // SQLite's own
  requireSameRows(rows, announced);
  return { ...digest(), rows: announced };
}
