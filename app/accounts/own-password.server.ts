import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Owner } from "#app/db/client.server.ts";
import { outbox, users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { readJson } from "#app/server/api.server.ts";
import {
  afterAttempt,
  countAttempt,
  ownPasswordLimit,
  requireBelowLimit,
  uncountAttempts,
} from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { requireUser } from "./access.server.ts";
import { verifyPassword } from "./password.server.ts";
import type { User } from "./user.ts";

/**
 * Asks the signed-in person for their password once more: who leaves a phone lying about shall not lose the account
 * with it. `field` is what the form calls it. Returns the hash as it was read, for the condition of what follows, and
 * the statement that belongs to it: the try was no failure.
 * @throws as `requireUser`, and {AppError} 429 after too many failures, or while too many wait for a hash; 400 on the
 *   field where it is another one
 */
export async function requirePassword(
  context: AppLoadContext,
  password: string,
  field: string,
): Promise<{ user: User; hash: string; noFailure: ReturnType<typeof uncountAttempts> }> {
  const limit = ownPasswordLimit(context);
  const { user, full, counted, known, changes } = await requireUser(context, (owner, db) => ({
    ...countAttempt(context, limit, sql`${owner} IS NOT NULL`),
    known: db.select({ password: users.password }).from(users).where(eq(users.id, owner)),
    changes: recentChanges(db, owner, context.now),
  }));
  requireBelowLimit(context, limit, full, "There were too many wrong passwords.");
  const hash = known[0]?.password;
  const noFailure = uncountAttempts(context.db, counted);
  if (hash && (await afterAttempt(noFailure, verifyPassword(password, hash)))) return { user, hash, noFailure };
  securityEvent(context, "password_refused");
  throw wrongPassword(field, changes.length > 0);
}

/** For so long after a change, in milliseconds, whoever comes with the old one is told of it: their form went twice. */
const RECENT_MS = 2 * 60 * 1000;

/** The message about each change of somebody's password tells when it was made. */
function recentChanges(db: Db, owner: Owner, now: Date) {
  const since = new Date(now.getTime() - RECENT_MS);
  return db
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      and(
        eq(outbox.userId, owner),
        isNull(outbox.recordKind),
        eq(outbox.kind, "password_changed"),
        gt(outbox.createdAt, since),
      ),
    )
    .limit(1);
}

/** What is said of a password that is not the account's, or not any more. */
export function wrongPassword(field: string, wasJustChanged: boolean): AppError {
  const message = wasJustChanged
    ? "Your password was changed a moment ago. The new one is the current one now."
    : "That is not your current password";
  return new AppError(400, message, [{ path: field, message }]);
}

/**
 * Reads a JSON body before it is known who asks, so that both can be asked of the database at once.
 * @throws for a body that is none as `requireUser` does, and only then {AppError} 400: the order of docs/api.md
 */
export async function readUserJson<Schema extends z.ZodType>(
  context: AppLoadContext,
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  try {
    return await readJson(request, schema);
  } catch (error) {
    await requireUser(context);
    throw error;
  }
}
