import { createHmac } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, desc, eq, gt, inArray, lte, or, type SQL, sql } from "drizzle-orm";
import { batch, type Db, databaseMessage } from "#app/db/client.server.ts";
import { attempts } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { networkFromAddress } from "./network.ts";

/*
 * Limits attempts exactly, in D1, over a sliding window: never more than `max` attempts in the last `ms`. The rate limit
 * (request-limit.server.ts) comes before and is coarser. An attempt is counted in the round trip that finds its failure, under the
 * condition that no limit is reached. So a hundred parallel attempts count like a hundred in a row.
 *
 * A password fails only after a hash, for which it may wait. So a log-in reads its limits first (`fullLimits`), and once it is
 * hashed they decide again: a wrong password is counted, or refused as if it had not been hashed (`countFailure`), and a right
 * one stores a session only below the limits (`isBelowLimits`). A signed-in user's password is counted before, and uncounted
 * if it was right or not checked: only two of a session can wait, and its page takes the second round trip.
 *
 * The subject of an attempt is stored as an HMAC, so that the table does not reveal who attempted what from where.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The largest difference between the clocks of two servers, in milliseconds. */
export const CLOCK_SKEW = MINUTE;

/** The most attempts (`max`) in a time (`ms`, in milliseconds). */
const LIMITS = {
  /** Failed passwords for one e-mail address from one network, so that no one can lock another user's account. */
  password: { max: 10, ms: 15 * MINUTE },
  /** Failed log-ins from one network to all accounts, against trying one password on many accounts. */
  networkPassword: { max: 50, ms: 15 * MINUTE },
  /** Unknown tokens from one network. */
  unknownToken: { max: 30, ms: 10 * MINUTE },
  /** Reset links, for one e-mail address. */
  reset: { max: 3, ms: 60 * MINUTE },
  /** The same in a day. */
  resetOfDay: { max: 10, ms: DAY },
  /** The first reset link of a day to an unconfirmed address. It does not count as an email of a stranger. */
  firstReset: { max: 1, ms: DAY },
  /** Changes of the email address that one account requests. */
  emailChange: { max: 5, ms: DAY },
  /** Requests to change to one address, from all accounts together: each sends an email there. */
  newEmail: { max: 3, ms: DAY },
  /**
   * Emails to one address, from all accounts together: to a supervisor (app/supervisor-mail/limits.server.ts), and
   * links to an address that is not confirmed.
   */
  recipient: { max: 5, ms: DAY },
  /** Renewals of one request, for the same supervisor or another: each lets its openings be noted again. */
  renewal: { max: 20, ms: DAY },
  /** Other supervisors that one account asks through the links of open requests: each is an event of the audit log. */
  readdress: { max: 100, ms: DAY },
  /** Reminders to one address, for all requests together. */
  reminder: { max: 1, ms: DAY },
  /** Questions for the requests that wait for an address, from one network. */
  inbox: { max: 20, ms: 60 * MINUTE },
  /**
   * Links to an inbox, for one address. Anyone can ask for them, so they may be two of its `recipient` emails at most: strangers
   * would use all of those up, and requests would not be mailed.
   */
  inboxLink: { max: 2, ms: DAY },
  /** Links to confirm its address that one account asks for. */
  confirmation: { max: 3, ms: DAY },
  /** New accounts from one network: a whole crew behind one address is normal. */
  registration: { max: 60, ms: 60 * MINUTE },
} as const;

/** A limit for one subject. */
export interface Limit {
  max: number;
  ms: number;
  subject: string;
}

/** Failed passwords for an e-mail address, from where the request comes. */
export function passwordLimit(context: AppLoadContext, email: string): Limit {
  return limitOf(context, "password", email, networkFromAddress(context.client.address));
}

/** Failed log-ins to any account, from where the request comes. */
export function networkPasswordLimit(context: AppLoadContext): Limit {
  return limitOf(context, "networkPassword", networkFromAddress(context.client.address));
}

/** Failed passwords of a signed-in user, counted for the session: a stolen session has as many attempts as a log-in. */
export function ownPasswordLimit(context: AppLoadContext): Limit {
  return limitOf(context, "password", "session", context.sessionToken ?? "");
}

/** Unknown tokens, from where the request comes. */
export function tokenLimit(context: AppLoadContext): Limit {
  return limitOf(context, "unknownToken", networkFromAddress(context.client.address));
}

/** The message after too many unknown tokens. */
export const TOO_MANY_TOKENS = "Too many unknown links were opened from your network.";

/** Reset links for an e-mail address, from anywhere. */
export function resetLimit(context: AppLoadContext, email: string): Limit {
  return limitOf(context, "reset", email);
}

/**
 * Changes of an account's email address: those of the account, those to a mailbox (`normalizeMailbox`), and all emails to that
 * mailbox.
 */
export function emailChangeLimits(context: AppLoadContext, userId: number, mailbox: string): [Limit, Limit, Limit] {
  return [
    limitOf(context, "emailChange", String(userId)),
    limitOf(context, "newEmail", mailbox),
    recipientLimit(context, mailbox),
  ];
}

/** Links to confirm its address that an account asks for. */
export function confirmationLimit(context: AppLoadContext, userId: number): Limit {
  return limitOf(context, "confirmation", String(userId));
}

/** Registrations, from where the request comes. */
export function registrationLimit(context: AppLoadContext): Limit {
  return limitOf(context, "registration", networkFromAddress(context.client.address));
}

/** Reset links for an e-mail address in a day. It counts the same attempts as `resetLimit`. */
export function dailyResetLimit(context: AppLoadContext, email: string): Limit {
  return { ...LIMITS.resetOfDay, subject: resetLimit(context, email).subject };
}

/** The first reset link of a day to an unconfirmed mailbox (`normalizeMailbox`). */
export function firstResetLimit(context: Pick<AppLoadContext, "secret">, mailbox: string): Limit {
  return limitOf(context, "firstReset", mailbox);
}

/** Emails to a mailbox (`normalizeMailbox`) whose owner did not ask for them. */
export function recipientLimit(context: Pick<AppLoadContext, "secret">, mailbox: string): Limit {
  return limitOf(context, "recipient", mailbox);
}

/** Renewals of an open request, by its id. */
export function renewalLimit(context: Pick<AppLoadContext, "secret">, requestId: number): Limit {
  return limitOf(context, "renewal", String(requestId));
}

/** Open requests of an account that are sent to another supervisor. */
export function readdressLimit(context: Pick<AppLoadContext, "secret">, userId: number): Limit {
  return limitOf(context, "readdress", String(userId));
}

/** Reminders to a mailbox (`normalizeMailbox`). */
export function reminderLimit(context: Pick<AppLoadContext, "secret">, mailbox: string): Limit {
  return limitOf(context, "reminder", mailbox);
}

/** Questions for waiting requests, from where the request comes. */
export function inboxLimit(context: AppLoadContext): Limit {
  return limitOf(context, "inbox", networkFromAddress(context.client.address));
}

/** Links to the inbox of a mailbox (`normalizeMailbox`). */
export function inboxLinkLimit(context: Pick<AppLoadContext, "secret">, mailbox: string): Limit {
  return limitOf(context, "inboxLink", mailbox);
}

function limitOf({ secret }: Pick<AppLoadContext, "secret">, name: keyof typeof LIMITS, ...whose: string[]): Limit {
  return { ...LIMITS[name], subject: hashSubject(secret, name, ...whose) };
}

/** The HMAC of a subject by SESSION_SECRET, in hexadecimal. */
export function hashSubject(secret: string, ...whose: string[]): string {
  return createHmac("sha256", secret).update(JSON.stringify(whose)).digest("hex");
}

/**
 * The query for the attempt that must leave the window before another is allowed: the max-th from the newest. Attempts in
 * the future do not count: the clock was wrong then, and must not lock anyone out.
 */
export function attemptAtLimit({ db, now }: Pick<AppLoadContext, "db" | "now">, { subject, max, ms }: Limit) {
  return db
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(eq(attempts.subject, subject), gt(attempts.at, since(now, ms)), lte(attempts.at, latest(now))))
    .orderBy(desc(attempts.at))
    .limit(1)
    .offset(max - 1);
}

/** The condition that none of the limits is reached. */
export function isBelowLimits(context: Pick<AppLoadContext, "db" | "now">, limits: Limit[]): SQL {
  const conditions = limits.map((limit) => sql`NOT EXISTS ${attemptAtLimit(context, limit)}`);
  return sql.join(conditions, sql` AND `);
}

/** The query that returns a row for each limit that is reached, for `requireBelowLimit`. */
export function fullLimits(context: Pick<AppLoadContext, "db" | "now">, limits: Limit[]) {
  return context.db
    .select({ subject: attempts.subject, at: attempts.at })
    .from(attempts)
    .where(or(...limits.map((limit) => sql`${attempts.id} = ${attemptAtLimit(context, limit)}`)));
}

/**
 * The statements that count an attempt: `full` returns a row for each limit that is reached, and `counted` the ids of the
 * attempts that were stored, for all limits or for none. They must come first in the batch that reads the attempt's data.
 * `onlyIf` is a condition for counting, such as that a token is unknown.
 */
export function countAttempt(
  context: Pick<AppLoadContext, "db" | "now">,
  limits: Limit | Limit[],
  onlyIf: SQL = sql`1`,
) {
  const { db, now } = context;
  const all = [limits].flat();
  const subjects = JSON.stringify(all.map(({ subject }) => subject));
  return {
    full: fullLimits(context, all),
    counted: db
      .insert(attempts)
      .select(
        sql`SELECT NULL, value, ${now.getTime()} FROM json_each(${subjects}) WHERE ${isBelowLimits(context, all)} AND ${onlyIf}`,
      )
      .returning({ id: attempts.id }),
  };
}

/** The database's error if `countOrAbort` would count an attempt above a limit. */
const OVER_LIMIT = "NOT NULL constraint failed: attempts.subject";

/**
 * The statement that counts an attempt, for `commit`: above one of the limits it counts NULL, which the table refuses, and the
 * whole batch with it. `refusalOverLimit` finds out which limit it was.
 */
export function countOrAbort(context: Pick<AppLoadContext, "db" | "now">, limits: Limit[]) {
  const subjects = JSON.stringify(limits.map(({ subject }) => subject));
  return context.db
    .insert(attempts)
    .select(
      sql`SELECT NULL, iif(${isBelowLimits(context, limits)}, value, NULL), ${context.now.getTime()} FROM json_each(${subjects})`,
    );
}

/**
 * Returns the error to throw for an error of a batch with `countOrAbort`.
 * @param why for each limit, the message that says which acts were too many
 */
export async function refusalOverLimit(
  context: AppLoadContext,
  error: unknown,
  why: (readonly [Limit, string])[],
): Promise<unknown> {
  if (!databaseMessage(error)?.includes(OVER_LIMIT)) return error;
  const full = await fullLimits(
    context,
    why.map(([limit]) => limit),
  );
  for (const [limit, text] of why) requireBelowLimit(context, limit, full, text);
  return error;
}

/**
 * Refuses an attempt if the limit is reached, by the rows of `countAttempt`.
 * @throws {AppError} 429 with `why`, which says what there were too many of; `Retry-After` gives the seconds until the
 *   next attempt is allowed
 */
export function requireBelowLimit(context: AppLoadContext, limit: Limit, full: Full[], why: string): void {
  const attemptAtLimit = full.find(({ subject }) => subject === limit.subject);
  if (!attemptAtLimit) return;
  throw new AppError(
    "rate_limited",
    `${why} Please try again in ${waitUntil(context, attemptAtLimit.at.getTime() + limit.ms)}.`,
  );
}

/** Returns in words how long it is until an instant, for a 429. `Retry-After` is set to the same time. */
export function waitUntil(context: AppLoadContext, at: number): string {
  const seconds = Math.max(1, Math.ceil((at - context.now.getTime()) / 1000));
  context.retryAfter = seconds;
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 60) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

/** A limit that is reached. */
export type Full = Pick<typeof attempts.$inferSelect, "subject" | "at">;

/** The statement that deletes counted attempts that were no failures. */
export function uncountAttempts(db: Db, counted: { id: number }[]) {
  const ids = counted.map(({ id }) => id);
  return db.delete(attempts).where(inArray(attempts.id, ids));
}

/**
 * Counts a failure that was found after its limits were read. Returns the rows of the limits that others have reached since: then
 * it is not counted, and the answer must not say that it was a failure.
 */
export async function countFailure(context: Pick<AppLoadContext, "db" | "now">, limits: Limit[]): Promise<Full[]> {
  const { full } = await batch(context.db, countAttempt(context, limits));
  return full;
}

/** Awaits the work of an attempt. If it throws, the attempt is uncounted: nothing came of it. */
export async function afterAttempt<T>(uncount: ReturnType<typeof uncountAttempts>, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await uncount;
    throw error;
  }
}

const since = (now: Date, ms: number) => new Date(now.getTime() - ms);

/**
 * The latest moment that counts as now. A row with a later one was stored by a clock that was ahead, and counts for no
 * limit.
 */
export const latest = (now: Date) => new Date(now.getTime() + CLOCK_SKEW);

/** For how long a limit counts an attempt at most, in milliseconds. */
export const ATTEMPT_KEPT_MS = Math.max(...Object.values(LIMITS).map(({ ms }) => ms));
