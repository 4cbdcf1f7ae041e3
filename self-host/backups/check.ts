import {
  announcedRows,
  CreatedTables,
  filledTable,
  INCOMPLETE,
  type Rows,
  requireSameRows,
  Statements,
} from "#self-host/dump.ts";
import { breath, piecesOf } from "#self-host/dump-stream.ts";
import { type Digest, digested, type Stream, unpacked } from "./packing.ts";

/** What a complete backup contains: its note, stored beside it, makes it count. */
export interface Note extends Digest {
  rows: Rows;
}

/**
 * Reads a stored backup to its end, counts its rows by table, and checks that the tables that they need come before them.
 * @throws {Error} a message for the operator: it cannot be decrypted or decompressed, its end is missing, a table has
 * other rows than were in the database, or SQLite would refuse its rows
 */
export async function check(stored: Stream, key: string | null): Promise<Note> {
  const { pieces, digest } = digested(piecesOf(stored));
  const statements = new Statements();
  const decoder = new TextDecoder();
  const created = new CreatedTables();
  const rows: Rows = {};
  let announced: Rows | null = null;
  for await (const piece of unpacked(pieces, key)) {
    await breath();
    for (const statement of statements.add(decoder.decode(piece, { stream: true }))) {
      announced ??= announcedRows(statement);
      created.add(statement);
      const table = filledTable(statement);
      if (!table) continue;
      const missing = created.missingFor(table);
      if (missing) throw new Error(`it cannot be loaded: its rows of ${table} come before the table ${missing}`);
      rows[table] = (rows[table] ?? 0) + 1;
    }
  }
  statements.end();
  if (!announced) throw new Error(INCOMPLETE);
  delete rows.sqlite_sequence; // SQLite's own
  requireSameRows(rows, announced);
  return { ...digest(), rows: announced };
}
