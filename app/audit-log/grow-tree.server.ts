import { asc, desc, type SQL, sql } from "drizzle-orm";
import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { batch, type Db, idsAfter } from "#app/db/client.server.ts";
import { hexOf, id, verificationLog } from "#app/db/schema.ts";
import { CompactRange } from "./compact-range.server.ts";

/** The Merkle tree over the hashes of all events: one row, with the log's own random id. */
export const logTree = sqliteTable("log_tree", {
  only: integer().primaryKey(),
  id: blob({ mode: "buffer" }).notNull(),
  size: integer().notNull(),
  lastEvent: integer("last_event").notNull(),
  roots: text().notNull(),
});

/** The signed heads of that tree, one a day; rows are only added. */
export const checkpoints = sqliteTable("checkpoints", {
  id: id(),
  size: integer().notNull(),
  root: text().notNull(),
  at: integer({ mode: "timestamp_ms" }).notNull(),
  note: text().notNull(),
});

export type CheckpointRow = typeof checkpoints.$inferSelect;

/** How many characters of the root hash a form prints: 96 bits. */
const PRINTED = 16;

/** A checkpoint as papers and mailboxes keep it. */
export interface KeptCheckpoint {
  /** The number of events. */
  size: number;
  /** Their root hash in base64, or the start of it. */
  root: string;
}

/** The query for the last checkpoint up to an instant (in milliseconds), with no row before the first event was in one. */
export function lastCheckpoint(db: Db, at: number | SQL) {
  return db
    .select({ size: checkpoints.size, root: checkpoints.root })
    .from(checkpoints)
    .where(sql`at <= ${at} AND size > 0`)
    .orderBy(desc(checkpoints.at), desc(checkpoints.id))
    .limit(1);
}

/** A checkpoint as a form prints it: with the first 16 characters of the root hash. Null without one. */
export function printedCheckpoint([last]: KeptCheckpoint[]): KeptCheckpoint | null {
  return last ? { size: last.size, root: last.root.slice(0, PRINTED) } : null;
}

/** The events of one round trip: 400 kB. */
const PAGE = 5_000;
/** The pages of one run of the timer: a million events take 20 runs. */
const PAGES = 10;

/** The stored tree, and the log's own id in hexadecimal. */
interface StoredTree {
  log: string;
  size: number;
  lastEvent: number;
  roots: string;
}

/** The query for the stored tree (`StoredTree`). */
export function storedTree(db: Db) {
  const { size, lastEvent, roots } = logTree;
  return db
    .select({ log: sql<string>`lower(hex(id))`.as("log"), size, lastEvent, roots })
    .from(logTree)
    .where(sql`only = 1`);
}

/**
 * Appends the events to the tree that are not in it yet, in the order of their ids, and stores it after each page. Returns
 * the tree once it contains all events; null if more are left for the next run, or another timer appends too.
 */
export async function growTree(db: Db, stored: StoredTree): Promise<CompactRange | null> {
  const tree = new CompactRange(stored.size, stored.roots);
  let { page } = await batch(db, { page: eventsAfter(db, stored.lastEvent) });
  for (let pages = 0; page.length > 0; pages += 1) {
    if (pages === PAGES) return null;
    const before = tree.size;
    for (const { hash } of page) tree.append(hash);
    const last = page.at(-1)?.id ?? 0;
    const { grown, next } = await batch(db, {
      grown: db
        .update(logTree)
        .set({ size: tree.size, lastEvent: last, roots: tree.roots })
        .where(sql`only = 1 AND size = ${before}`) // or another timer has appended them
        .returning({ size: logTree.size }),
      next: eventsAfter(db, last),
    });
    if (grown.length === 0) return null;
    page = next;
  }
  return tree;
}

function eventsAfter(db: Db, id: number) {
  const { id: eventId, hash } = verificationLog;
  return db
    .select({ id: eventId, hash: hexOf(hash) })
    .from(verificationLog)
    .where(sql.raw(idsAfter("id", id)))
    .orderBy(asc(eventId))
    .limit(PAGE);
}
