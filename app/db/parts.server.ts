import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/*
 * Rows have texts of very different lengths, so lists and exports are cut by bytes, too. The database adds the bytes up while
 * it reads, so that it never sends the rows beyond a part, and that costs no round trip.
 */

/** The most bytes of JSON that an answer lists, and of texts that a part of an export has. At least one row always comes. */
export const PART_BYTES = 2_000_000;

interface Rows {
  from: SQLWrapper;
  where: SQL | undefined;
  order: SQL;
  /** The bytes of a row: no more than its JSON has (`countFitting`). */
  bytes: SQL;
  limit: number;
  /** The most bytes, if not `PART_BYTES`. */
  most?: number;
}

/**
 * The ids of the first rows: `limit` of them, or as many as have `most` bytes together and the one that exceeds it. With that
 * one `countFitting` is less than the number of rows, so a reader sees that there are more.
 */
export function idsInPart({ from, where, order, bytes, limit, most = PART_BYTES }: Rows): SQL {
  const before = sql`coalesce(sum(${bytes}) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)`;
  return sql`(SELECT id FROM (SELECT id, ${before} AS bytes_before FROM ${from}
    WHERE ${where ?? sql`1`} ORDER BY ${order} LIMIT ${limit}) WHERE bytes_before <= ${most})`;
}

/**
 * As many records, or users, as always fit: what a person types in one record has at most 8,000 bytes (`TEXTS_MAX`). A page
 * and the row after it need no sum, for which the database reads each row some five times more.
 */
const ALWAYS_FIT = 101;

/** The condition of the rows of a part of records or users, for a statement that has the same order and limit. */
export function isInPart(rows: Rows): SQL | undefined {
  const { where, limit } = rows;
  return limit >= 0 && limit <= ALWAYS_FIT ? where : sql`id IN ${idsInPart(rows)}`;
}

/** Returns how many of the rows fit into one answer as JSON: one at least. */
export function countFitting(rows: readonly unknown[]): number {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += Buffer.byteLength(JSON.stringify(row)) + ",".length;
    return index > 0 && bytes > PART_BYTES;
  });
  return end < 0 ? rows.length : end;
}

/** The most rows of a part of an export. */
export const PART_ROWS = 2_000;

/** Whether rows that were read with `idsInPart` and `PART_ROWS` are the last ones. */
export function isLastPart(rows: readonly unknown[]): boolean {
  return rows.length < PART_ROWS && countFitting(rows) === rows.length;
}
