import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import { type Db, type Owner, type Queries, type Rows, TooManyConflictsError } from "#app/db/client.server.ts";
import { type Guarded, noteStaleViewer, retryOnConflict } from "#app/db/commit.server.ts";
import { outbox, users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import {
  afterAttempt,
  countAttempt,
  latest,
  ownPasswordLimit,
  requireBelowLimit,
  uncountAttempts,
} from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { requireUser, sessionOwner } from "./access.server.ts";
import { verifyPassword } from "./password.server.ts";
import type { User } from "./user.ts";

/** The user whose password was checked, and the rows that were read with it. */
interface Checked<Q extends Queries> {
  user: User;
  account: Guarded;
  rows: Rows<Q>;
}

interface PasswordCheck<Q extends Queries> {
  user: User;
  /** The statement that uncounts the attempt: it belongs to those that the act stores. */
  uncount: ReturnType<typeof uncountAttempts>;
  /**
   * Runs the act, as `retryOnConflict`. After a conflict everything is read again, and the act is refused if the session has ended or
   * the password is no longer the one that was checked.
   */
  act<Result>(name: string, work: (checked: Checked<Q>) => Promise<Result>): Promise<Result>;
  /**
   * The condition on `users` of an act that other sessions must not keep from being stored, so that it does not compare the
   * revision: this session has not ended, and the password is still the one that was checked.
   */
  isUnchanged: SQL;
  /** Returns the error for an act with this condition that stored nothing, from what is stored now. */
  refusalNow(): Promise<unknown>;
}

/**
 * Checks the signed-in user's password again, so that a found phone is not enough to take over the account. `field` is
 * the password's field in the form. An error that `refusalOf` returns is thrown before anything is hashed.
 * @throws as `requireUser`; {AppError} 429 after too many failures or if the hash queue is full; 400 on the field if
 *   the password is wrong
 */
export async function requirePassword<Q extends Queries = Record<never, never>>(
  context: AppLoadContext,
  password: string,
  field: string,
  queries: (owner: Owner, db: Db) => Q = () => ({}) as Q, // no queries
  refusalOf: (user: User) => AppError | null = () => null,
): Promise<PasswordCheck<Q>> {
  const limit = ownPasswordLimit(context);
  const state = (owner: Owner, db: Db) => ({
    known: db.select({ password: users.password }).from(users).where(eq(users.id, owner)),
    rows: queries(owner, db),
  });
  const { user, account, full, counted, known, changes, rows } = await requireUser(context, (owner, db) => ({
    ...countAttempt(context, limit, sql`${owner} IS NOT NULL`),
    changes: recentChanges(db, owner, context.now),
    ...state(owner, db),
  }));
  requireBelowLimit(context, limit, full, "There were too many wrong passwords.");
  const hash = known[0]?.password;
  const uncount = uncountAttempts(context.db, counted);
  const refusal = refusalOf(user);
  if (refusal) {
    await uncount;
    throw refusal;
  }
  const asker = { whose: String(user.id), signal: context.signal };
  if (hash && (await afterAttempt(uncount, verifyPassword(asker, password, hash)))) {
    const readAgain = async () => {
      const current = await requireUser(context, (owner, db) => ({ uncount, ...state(owner, db) }));
      const refusalNow = refusalOf(current.user);
      if (refusalNow) throw refusalNow;
      if (current.known[0]?.password !== hash) throw wrongPassword(field, true);
      return current;
    };
    return {
      user,
      uncount,
      isUnchanged: sql`id = ${sessionOwner(context.sessionToken ?? "", context.now)} AND id = ${user.id} AND password = ${hash}`,
      async refusalNow() {
        noteStaleViewer(context.db);
        await readAgain();
        return new TooManyConflictsError();
      },
      act: (name, work) =>
        retryOnConflict(context, name, async (attempt) => {
          const checked = attempt === 1 ? { user, account, rows } : await readAgain();
          return work(checked as Checked<Q>); // TypeScript cannot resolve it for a generic Q
        }),
    };
  }
  securityEvent(context, "password_refused");
  throw wrongPassword(field, changes.length > 0);
}

/** How long a change counts as recent, in milliseconds: a form sent twice brings the old password again. */
const RECENT_MS = 2 * 60 * 1000;

/** The emails queued about recent password changes, which date those changes. */
function recentChanges(db: Db, owner: Owner, now: Date) {
  const since = new Date(now.getTime() - RECENT_MS);
  return db
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      and(
        eq(outbox.userId, owner),
        eq(outbox.kind, "password_changed"),
        gt(outbox.createdAt, since),
        lte(outbox.createdAt, latest(now)),
      ),
    )
    .limit(1);
}

/** The error for a wrong password, or one that was valid until a moment ago. */
export function wrongPassword(field: string, wasJustChanged: boolean): AppError {
  const message = wasJustChanged
    ? "Your password was changed a moment ago. The new one is the current one now."
    : "That is not your current password";
  return new AppError("wrong_password", message, [{ path: field, message }]);
}
