import { randomBytes } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, desc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { addDays, isCalendarDate } from "#app/calendar-date.ts";
import { batch, type Db, insertSelect, type Owner } from "#app/db/client.server.ts";
import { raiseRevisions } from "#app/db/commit.server.ts";
import { users } from "#app/db/schema.ts";
import { isReusedKey, KeyReusedError, submissionOf } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import { text } from "#app/forms/fields.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { hashApiToken, requireUser, sessionOwner, unauthorized } from "./access.server.ts";
import { apiTokens, TOKEN_ACCESSES, type TokenAccess } from "./api-tokens.table.ts";
import type { User } from "./user.ts";

const NO_DATE = "The last day must be a date, YYYY-MM-DD";

/** The schema of a new token that may have one of these accesses. `without` says when it ends if its last day is not sent. */
function tokenSchema<Accesses extends readonly TokenAccess[]>(accesses: Accesses, without: string) {
  return z.object(
    {
      name: text({ required: "Name is required", label: "Name" }),
      access: z.enum(accesses, { error: `Access must be ${accesses.join(" or ")}` }),
      expiresOn: z
        .string({ error: NO_DATE })
        .refine(isCalendarDate, { error: NO_DATE })
        .meta({ format: "date" })
        .optional()
        .meta({ description: `The last day, in UTC; ${without} without it` }),
    },
    { error: "A token is an object with name, access and, if you like, expiresOn" },
  );
}

export const newTokenSchema = tokenSchema(TOKEN_ACCESSES, "a year from today");
export const newServiceTokenSchema = tokenSchema(["read"], "90 days from today");

type NewToken = z.output<typeof newTokenSchema>;

/** The most tokens of an account. */
const TOKENS_MAX = 50;

/** How many days a token works if nobody says otherwise, and at most. */
export const TOKEN_DAYS = 365;
export const SERVICE_TOKEN_DAYS = 90;
const TOKEN_DAYS_MAX = 5 * 366;

/** What a token begins with, so that people and scanners of leaked secrets recognise it. */
const PREFIX = "ht_";

/** The columns of a token as it is listed. */
export const tokenColumns = {
  id: apiTokens.id,
  name: apiTokens.name,
  access: apiTokens.access,
  createdAt: apiTokens.createdAt,
  lastUsedAt: apiTokens.lastUsedAt,
  expiresOn: sql<string>`date(${apiTokens.expiresAt} / 1000 - 1, 'unixepoch')`.as("expires_on"),
};

/** A token as its owner sees it, without the token itself. */
export interface OwnToken
  extends Pick<typeof apiTokens.$inferSelect, "id" | "name" | "access" | "createdAt" | "lastUsedAt"> {
  /** The last day on which it works, in UTC. */
  expiresOn: string;
}

/** The owner's personal tokens, newest first. Ended ones stay in the list for a while (app/sweeps). */
export function listTokens(db: Db, owner: Owner) {
  const { userId, isService, id } = apiTokens;
  const isPersonal = and(eq(userId, owner), eq(isService, false));
  return db.select(tokenColumns).from(apiTokens).where(isPersonal).orderBy(desc(id));
}

/** @throws {AppError} 400 for a last day that is over, or too far away */
function requireNearDay(day: string, today: string): void {
  const isTooFar = day > addDays(today, TOKEN_DAYS_MAX);
  const past = day < today ? "This day is over. Choose a later last day." : null;
  const problem = isTooFar ? "A token works for five years at most. Choose an earlier last day." : past;
  if (problem) throw new AppError("invalid", problem, [{ path: "expiresOn", message: problem }]);
}

/**
 * Makes a token for a user; with `isService` a service token, for an admin. The result is the only place where it is shown: D1
 * gets its hash. The statement itself requires the session, and the admin: a new password, which ends other sessions and all
 * tokens, or the end of the role may come between.
 * @throws {AppError} 400 for an end that is past or more than five years away; 409 for the same submission sent again, and
 *   for more than `TOKENS_MAX` tokens; as `requireUser` if the session has ended meanwhile
 */
export async function makeToken(
  context: AppLoadContext,
  user: User,
  values: NewToken,
  key: string | null,
  isService = false,
) {
  const { db, now } = context;
  const today = now.toISOString().slice(0, 10);
  const { name, access, expiresOn = addDays(today, isService ? SERVICE_TOKEN_DAYS : TOKEN_DAYS) } = values;
  requireNearDay(expiresOn, today);
  const expiresAt = new Date(addDays(expiresOn, 1));
  const token = PREFIX + randomBytes(32).toString("base64url");
  const submission = submissionOf(key, [isService ? "service token" : "token", values]);
  const isReused = isReusedKey(context, submission);
  const own = sql`SELECT 1 FROM ${apiTokens} WHERE user_id = ${user.id}`;
  const session = sessionOwner(context.sessionToken ?? "", now);
  const admin = sql`(SELECT maker.id FROM users AS maker WHERE maker.id = ${session} AND maker.is_admin = 1)`;
  const mayMake = sql`${isService ? admin : session} = ${user.id}`;
  const { before, current, made } = await batch(db, {
    before: db
      .select({ submission: apiTokens.submission })
      .from(apiTokens)
      .where(sql`user_id = ${user.id} AND (submission = ${submission} OR ${isReused})`),
    current: db.select({ id: users.id }).from(users).where(sql`id = ${session} AND ${mayMake}`),
    made: insertSelect(
      db,
      apiTokens,
      { userId: user.id, name, access, isService, hash: hashApiToken(token), submission, createdAt: now, expiresAt },
      sql`WHERE ${mayMake} AND NOT EXISTS (${own} AND (submission = ${submission} OR ${isReused}))
        AND ${TOKENS_MAX} > (SELECT count(*) FROM (${own} AND expires_at > ${now.getTime()}))`,
    ).returning(tokenColumns),
  });
  const [row] = made;
  if (row) {
    securityEvent(context, "token_made", { token: row.id });
    const { id, createdAt, lastUsedAt } = row;
    return { id, name, access, token, createdAt, lastUsedAt, expiresOn };
  }
  if (!current[0]) throw await unauthorized(context);
  if (before.some((other) => other.submission === submission)) {
    throw new AppError(
      "already_made",
      "This token was made already, and shown then. If you did not keep it, end it and make another.",
    );
  }
  throw before.length > 0
    ? new KeyReusedError()
    : new AppError("account_full", `You have ${TOKENS_MAX} tokens. End one that you no longer need first.`);
}

/**
 * Ends one of the user's tokens, in one round trip: the next call with it is answered 401, and so is a call that has
 * read and not yet stored.
 * @throws {AppError} 404 if the user has no such token
 */
export async function endToken(context: AppLoadContext, id: number): Promise<void> {
  const { ended } = await requireUser(context, (owner, db) => ({
    guard: raiseRevisions(db, sql`${owner}`),
    ended: db
      .delete(apiTokens)
      .where(and(eq(apiTokens.userId, owner), eq(apiTokens.isService, false), eq(apiTokens.id, id)))
      .returning({ id: apiTokens.id }),
  }));
  if (ended.length === 0) throw new AppError("not_found", "There is no such token. It may have ended already.");
  securityEvent(context, "token_ended", { token: id });
}
