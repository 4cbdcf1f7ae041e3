import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, gt, lte, type SQL } from "drizzle-orm";
import type { Db, Owner, Queries, Rows } from "#app/db/client.server.ts";
import { outbox, users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import {
  countFailure,
  type Full,
  fullLimits,
  isBelowLimits,
  latest,
  ownPasswordLimit,
  requireBelowLimit,
} from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { requireUser } from "./access.server.ts";
import { verifyPassword } from "./password.server.ts";
import type { User } from "./user.ts";

/** A user's password was right. The statements that follow belong to one batch with `full`. */
interface CheckedPassword<Found> {
  user: User;
  /** The hash as it was read, for the condition of the statements. */
  hash: string;
  rows: Found;
  /** The condition of the statements that no limit was reached meanwhile. */
  isBelow: SQL;
  /** The limits that were reached meanwhile, if the statements changed nothing. */
  full: ReturnType<typeof fullLimits>;
  /** @throws {AppError} 429 by the rows of `full` */
  requireBelow(full: Full[]): void;
}

/**
 * Checks the signed-in user's password again, so that a found phone is not enough to take over the account. `field` is
 * the password's field in the form. What `refusalOf` returns is thrown before anything is hashed.
 * @throws as `requireUser`; {AppError} 429 after too many failures or if the hash queue is full; 400 on the field if the
 *   password is wrong
 */
export async function requirePassword<Q extends Queries = Record<never, never>>(
  context: AppLoadContext,
  password: string,
  field: string,
  queries: (owner: Owner, db: Db) => Q = () => ({}) as Q, // no queries
  refusalOf: (user: User) => AppError | null = () => null,
): Promise<CheckedPassword<Rows<Q>>> {
  const limit = ownPasswordLimit(context);
  const requireBelow = (full: Full[]) =>
    requireBelowLimit(context, limit, full, "There were too many wrong passwords.");
  const { user, full, known, changes, rows } = await requireUser(context, (owner, db) => ({
    full: fullLimits(context, [limit]),
    known: db.select({ password: users.password }).from(users).where(eq(users.id, owner)),
    changes: recentChanges(db, owner, context.now),
    rows: queries(owner, db),
  }));
  requireBelow(full);
  const hash = known[0]?.password;
  const refusal = refusalOf(user);
  if (refusal) throw refusal;
  if (hash && (await verifyPassword({ whose: String(user.id), signal: context.signal }, password, hash))) {
    return {
      user,
      hash,
      rows: rows as Rows<Q>, // TypeScript cannot resolve it for a generic Q
      isBelow: isBelowLimits(context, [limit]),
      full: fullLimits(context, [limit]),
      requireBelow,
    };
  }
  requireBelow(await countFailure(context, [limit]));
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
