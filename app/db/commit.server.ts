import { type SQL, sql } from "drizzle-orm";
import {
  ATTEMPTS,
  backOff,
  batch,
  type Db,
  databaseMessage,
  groupBy,
  type Queries,
  type Rows,
  TooManyConflictsError,
} from "./client.server.ts";
import { acts, users } from "./schema.ts";
import { AccountFullError, storedBytes } from "./stored-bytes.server.ts";

/*
 * An act that depends on what it has read is decided in TypeScript: it reads the state with `users.revision`, a function decides
 * or throws, and one batch stores the decision. Its first statement is the guard: it compares the revision of each account whose
 * state was read, and raises it. If another act came between, the database refuses the whole batch, and the act is decided again
 * on what is stored now. A statement has a condition only where accounts meet (limits of emails, a unique address).
 * docs/decisions/0032-retries.md has the reasons, and which acts raise the revision without comparing it.
 */

/** An account whose state an act has read, with its revision at that time or before. */
export interface Guarded {
  id: number;
  revision: number;
  /** The most bytes that it may store. Without it what the act stores is counted and never refused (stored-bytes.server.ts). */
  bytesMax?: number;
}

/** The columns of `Guarded`. */
export const guardedColumns = { id: users.id, revision: users.revision };

/** An account for an act that always works, however full the account is: to delete, to withdraw, to close. */
export function withoutLimit({ id, revision }: Guarded): Guarded {
  return { id, revision };
}

/** The messages of the trigger `acts_agree`. */
const ACCOUNT_CHANGED = "acts: the account has changed";
const ACCOUNT_FULL = "acts: the account is full";

/** The message of the trigger `verification_log_follows`. */
const LOG_CHANGED = "a line of the verification log follows the last one";

/**
 * Stores a decision: runs its statements as one transaction, if no other act has changed one of the accounts since they were
 * read, and otherwise stores nothing. It belongs inside `retryOnConflict`.
 */
export async function commit<Q extends Queries & { guard?: never }>(
  db: Db,
  accounts: readonly Guarded[],
  queries: Q,
): Promise<Rows<Q>> {
  if (accounts.length === 0) throw new Error("a decision without an account that guards it");
  const bytes = storedBytes(queries);
  // The guard raises the revision, so a second row of the same account would not agree.
  const each = [...groupBy(accounts, ({ id }) => id)].map(([id, same]) => [
    id,
    Math.min(...same.map(({ revision }) => revision)),
    bytes.get(id) ?? 0,
    least(same.flatMap(({ bytesMax }) => bytesMax ?? [])),
  ]);
  const guard = db
    .insert(acts)
    .select(sql`SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${JSON.stringify(each)})`);
  const { rows } = await batch(db, { guard, rows: queries });
  staleViewers.add(db); // its revision was raised, if it is one of these accounts
  return rows as unknown as Rows<Q>; // TypeScript cannot resolve it for a generic Q
}

/** The smallest of the numbers; null without one. */
function least(numbers: number[]): number | null {
  return numbers.length === 0 ? null : Math.min(...numbers);
}

/**
 * The first statement of a batch that changes accounts without depending on what was read of them, such as one of the timer's: it
 * raises the revisions of the users whose ids `ids` selects, so that an act that has read them is decided again. An act against the
 * sessions of an account, such as a lock, does so too: they may change the account as often as they like, and it must win.
 */
export function raiseRevisions(db: Db, ids: SQL) {
  return db.insert(acts).select(sql`SELECT id, revision, 0, NULL FROM ${users} WHERE id IN (${ids})`);
}

/** The number of attempts of what a supervisor sends: a technician's own acts must not keep it from being stored. */
export const SUPERVISOR_ATTEMPTS = 40;

/** The connections of which the viewer may have changed since they were read. */
const staleViewers = new WeakSet<Db>();

/** Whether a conflict, or an act that was stored, may have changed what was read of the viewer. Asked again, it is false. */
export function takeStaleViewer(db: Db): boolean {
  return staleViewers.delete(db);
}

/** Lets the viewer be read again: a condition of a statement did not hold. */
export function noteStaleViewer(db: Db): void {
  staleViewers.add(db);
}

/** The parts of a request's context, or of the timer's, which has no visit, that `retryOnConflict` needs. */
interface ActContext {
  db: Db;
  visit?: { conflicts: string[] };
}

/**
 * Runs an act, which reads accounts or records and then changes them, until it is stored. If another act comes between, the
 * database refuses it (`commit`, the audit log), or `work` returns null: the whole work is then retried after a pause, up to
 * `attempts` times. It gets the number of the attempt, from 1: the first may use what the request has read already, the others
 * read again. Conflicts are counted by the name of the act.
 * @throws {TooManyConflictsError} 409 if every attempt had a conflict
 * @throws {AccountFullError} 409 if the account would store more than it may
 */
export async function retryOnConflict<Result>(
  { db, visit }: ActContext,
  act: string,
  work: (attempt: number) => Promise<Result | null>,
  attempts = ATTEMPTS,
): Promise<Result> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) await backOff(attempt - 1);
    const result = await work(attempt).catch(nullIfConflict);
    if (result !== null) return result;
    staleViewers.add(db);
    visit?.conflicts.push(act);
  }
  throw new TooManyConflictsError();
}

/**
 * Returns null for the error of a conflict. @throws every other error, and `AccountFullError` for that of a full
 * account
 */
function nullIfConflict(error: unknown): null {
  const message = databaseMessage(error);
  if (message?.includes(ACCOUNT_CHANGED) || message?.includes(LOG_CHANGED)) return null;
  throw isAccountFull(error) ? new AccountFullError() : error;
}

/** Whether `commit` refused an act because the account would store more than it may. */
export function isAccountFull(error: unknown): boolean {
  return databaseMessage(error)?.includes(ACCOUNT_FULL) ?? false;
}
