import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, gt, lte, sql } from "drizzle-orm";
import type { Db, Owner, Queries, Rows } from "#app/db/client.server.ts";
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
import { requireUser } from "./access.server.ts";
import { verifyPassword } from "./password.server.ts";
import type { User } from "./user.ts";

/**
 * Checks the signed-in user's password again, so that a found phone is not enough to take over the account. `field` is
 * the password's field in the form. What `refusalOf` returns is thrown before anything is hashed. Returns the hash as it was
 * read, for the condition of the statements that follow, and the statement that uncounts the attempt, which belongs to them.
 * @throws as `requireUser`; {AppError} 429 after too many failures or if the hash queue is full; 400 on the field if the
 *   password is wrong
 */
export async function requirePassword<Q extends Queries = Record<never, never>>(
  context: AppLoadContext,
  password: string,
  field: string,
  queries: (owner: Owner, db: Db) => Q = () => ({}) as Q, // no queries
  refusalOf: (user: User) => AppError | null = () => null,
): Promise<{ user: User; hash: string; uncount: ReturnType<typeof uncountAttempts>; rows: Rows<Q> }> {
  const limit = ownPasswordLimit(context);
  const { user, full, counted, known, changes, rows } = await requireUser(context, (owner, db) => ({
    ...countAttempt(context, limit, sql`${owner} IS NOT NULL`),
    known: db.select({ password: users.password }).from(users).where(eq(users.id, owner)),
    changes: recentChanges(db, owner, context.now),
    rows: queries(owner, db),
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
    return { user, hash, uncount, rows: rows as Rows<Q> }; // TypeScript cannot resolve it for a generic Q
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
