import { sql } from "drizzle-orm";
import { AppError } from "#app/errors.ts";
import type { Db, Queries, Query } from "./client.server.ts";
import { users } from "./schema.ts";

/*
 * `users.bytes` is the number of bytes that an account stores: the texts of its rows in UTF-8, and a fixed number for each row,
 * for its numbers, dates and hashes. Indexes and pages do not count. A statement that stores text carries its bytes (`storing`),
 * `commit` adds them up, and the guard refuses an act that would exceed the limit. Each night the timer counts the rows
 * (`countStored`), because most deletions do not lower the figure.
 */

/** The most bytes of an account, and of one whose address is not confirmed, where mail is on. */
export const ACCOUNT_BYTES_MAX = 40_000_000;
export const UNCONFIRMED_BYTES_MAX = 2_000_000;

/** Thrown if an account would store more than it may. Nothing was stored. */
export class AccountFullError extends AppError {
  constructor() {
    super(
      "account_full",
      "An account holds at most 40 MB of text, or 2 MB until its email address is confirmed, and this would be more. Nothing was saved. Delete records that you do not need: they stop counting within two days.",
    );
  }
}

/** The bytes of a row without its texts. */
const ROW = 100;

/** The bytes of an event of the audit log: its five hashes. Its texts are rows of `event_facts`. */
export const EVENT_BYTES = 200;

/** The bytes of a row that only links two others: an item of a request, a record of an export. */
const LINK = 40;

/** The bytes of a row with these texts; an object is stored as JSON. */
export function rowBytes(...texts: (string | number | object | null | undefined)[]): number {
  return ROW + textBytes(...texts);
}

/** The bytes of `number` rows that only link others, with these texts. */
export function linkBytes(number: number, ...texts: (string | object | null | undefined)[]): number {
  return LINK * number + textBytes(...texts);
}

function textBytes(...texts: (string | number | object | null | undefined)[]): number {
  return texts.reduce<number>((sum, text) => {
    if (text === null || text === undefined) return sum;
    return sum + Buffer.byteLength(typeof text === "object" ? JSON.stringify(text) : String(text));
  }, 0);
}

const stored = new WeakMap<Query, { userId: number; bytes: number }[]>();

/** Notes how many bytes a statement stores for a user. Returns the statement. */
export function storing<Q extends Query>(query: Q, userId: number, bytes: number): Q {
  stored.set(query, [...(stored.get(query) ?? []), { userId, bytes }]);
  return query;
}

/** Returns how many bytes statements store, by user. */
export function storedBytes(queries: Queries): Map<number, number> {
  const sums = new Map<number, number>();
  const add = (value: Query | Queries) => {
    const noted = stored.get(value as Query); // a group of queries has no note
    for (const { userId, bytes } of noted ?? []) sums.set(userId, bytes + (sums.get(userId) ?? 0));
    if (Object.getPrototypeOf(value) === Object.prototype) Object.values(value).forEach(add);
  };
  add(queries);
  return sums;
}

/** The bytes of the rows of a user, in SQL: a sum for each table, of its rows whose user is `users.id`. */
const OF_ROWS = [
  sum("records", ROW, ["location", "fields", "search", "revoked_reason", "verified_by"], "user_id = users.id"),
  sum("verification_log", EVENT_BYTES, [], "record_id IN (SELECT id FROM records WHERE user_id = users.id)"),
  sum("event_facts", ROW, ["facts"], "user_id = users.id"),
  sum("verification_requests", ROW, ["supervisor_name", "supervisor_email"], "user_id = users.id"),
  sum("verification_items", LINK, ["reason"], ofRequests()),
  sum("verification_answers", ROW, ["name"], ofRequests()),
  sum("supervisors", ROW, ["name", "email", "mailbox", "phone", "company", "role"], "user_id = users.id"),
  sum("exports", ROW, ["name", "employee_number", "domains", "statement"], "user_id = users.id"),
  sum(
    "export_records",
    LINK,
    ["content", "verified_for", "continuity"],
    "export_id IN (SELECT id FROM exports WHERE user_id = users.id)",
  ),
  sum(
    "imports",
    ROW,
    ["content", "encoding", "sheet", "mapping", "methods", "person", "skip", "duplicates", "days"],
    "user_id = users.id",
  ),
].join(" + ");

function ofRequests(): string {
  return "request_id IN (SELECT id FROM verification_requests WHERE user_id = users.id)";
}

function sum(table: string, row: number, texts: string[], where: string): string {
  const bytes = texts.map((text) => `coalesce(octet_length(${text}), 0)`);
  return `(SELECT coalesce(sum(${[row, ...bytes].join(" + ")}), 0) FROM ${table} WHERE ${where})`;
}

/** The statement that counts the rows of a user on a day, `YYYY-MM-DD`. */
export function countStored(db: Db, userId: number, day: string) {
  return db
    .update(users)
    .set({ bytes: sql.raw(OF_ROWS), bytesCountedOn: day })
    .where(sql`id = ${userId}`);
}
