import { desc, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { checkpoints } from "./checkpoints.table.ts";

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
