import { createHmac } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, desc, eq, gt, inArray, lte, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { tries } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { networkFromAddress } from "./network.ts";

/*
 * The second of two walls. The first is Cloudflare's rate limiting binding (flood.server.ts): cheap, coarse, and only
 * there on Cloudflare. This one counts exactly, in D1, over a window that slides: at no moment are there more than
 * `max` tries in the last `ms`. A try is counted in the round trip that reads what it needs, before anything is
 * hashed, and taken back where it turns out to be no failure. So a hundred at once are counted like a hundred in a row.
 *
 * Whose try it is becomes an HMAC, so that the table tells nobody who has tried what from where.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** How far the clocks of two servers may be apart, in milliseconds. */
const CLOCK_SKEW = MINUTE;

/** How many tries there may be, and in how long, in milliseconds. */
const LIMITS = {
  /** Failed passwords, for one e-mail address from one network: nobody can lock another's account from elsewhere. */
  password: { max: 10, ms: 15 * MINUTE },
  /** Failed log-ins from one network, over all accounts: one password can be tried on many of them. */
  networkPassword: { max: 50, ms: 15 * MINUTE },
  /** Links that lead nowhere, from one network. */
  unknownToken: { max: 30, ms: 10 * MINUTE },
  /** Reset links, for one e-mail address. */
  reset: { max: 3, ms: 60 * MINUTE },
  /** The same, in a day. */
  resetOfDay: { max: 10, ms: DAY },
  /** Emails to one address, from all technicians together (app/verification/requests/email-limits.server.ts). */
  recipient: { max: 5, ms: DAY },
  /** New accounts, from one network: a whole crew behind one address is normal. */
  registration: { max: 300, ms: 60 * MINUTE },
} as const;

/** What one kind of try by somebody has used up. */
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

/**
 * Failed passwords of somebody who is signed in, for their session: whoever has got hold of it has as many tries as at
 * log-in, from wherever, and uses up nobody else's.
 */
export function ownPasswordLimit(context: AppLoadContext): Limit {
  return limitOf(context, "password", "session", context.sessionToken ?? "");
}

/** Unknown tokens, from where the request comes. */
export function tokenLimit(context: AppLoadContext): Limit {
  return limitOf(context, "unknownToken", networkFromAddress(context.client.address));
}

/** What is said where there were too many of those. */
export const TOO_MANY_TOKENS = "Too many links that lead nowhere were opened from your network.";

/** Reset links for an e-mail address, from anywhere. */
export function resetLimit(context: AppLoadContext, email: string): Limit {
  return limitOf(context, "reset", email);
}

/** Registrations, from where the request comes. */
export function registrationLimit(context: AppLoadContext): Limit {
  return limitOf(context, "registration", networkFromAddress(context.client.address));
}

/** Reset links for an e-mail address in a day. It counts the same tries as `resetLimit`. */
export function dailyResetLimit(context: AppLoadContext, email: string): Limit {
  return { ...LIMITS.resetOfDay, subject: resetLimit(context, email).subject };
}

/** Emails from technicians to a mailbox (`normalizeMailbox`). */
export function recipientLimit(context: Pick<AppLoadContext, "secret">, mailbox: string): Limit {
  return limitOf(context, "recipient", mailbox);
}

function limitOf({ secret }: Pick<AppLoadContext, "secret">, name: keyof typeof LIMITS, ...whose: string[]): Limit {
  return { ...LIMITS[name], subject: hashSubject(secret, name, ...whose) };
}

/** What a table keeps of whom it counts: an HMAC by SESSION_SECRET, in hexadecimal, out of which nobody is read. */
export function hashSubject(secret: string, ...whose: string[]): string {
  return createHmac("sha256", secret).update(JSON.stringify(whose)).digest("hex");
}

/**
 * The query that finds the try which must leave the window before there is room: the max-th, counted from the last. A
 * try of the future does not count: the clock was wrong then, and nobody may be locked out until that day.
 */
export function attemptAtLimit({ db, now }: Pick<AppLoadContext, "db" | "now">, { subject, max, ms }: Limit) {
  return db
    .select({ id: tries.id })
    .from(tries)
    .where(and(eq(tries.subject, subject), gt(tries.at, since(now, ms)), lte(tries.at, latest(now))))
    .orderBy(desc(tries.at))
    .limit(1)
    .offset(max - 1);
}

/**
 * The statements that count a try: `full`, which has a row for each limit that leaves no room, and `counted`, which has
 * the ids of what was stored where all of them did: one statement, so all are counted or none. They belong in front of the
 * batch that reads what the try is about; `onlyIf` may say that it is one (so that only an unknown token counts).
 */
export function countAttempt(
  context: Pick<AppLoadContext, "db" | "now">,
  limits: Limit | Limit[],
  onlyIf: SQL = sql`1`,
) {
  const { db, now } = context;
  const all = [limits].flat();
  const hasRoom = and(...all.map((limit) => sql`NOT EXISTS ${attemptAtLimit(context, limit)}`));
  const subjects = JSON.stringify(all.map(({ subject }) => subject));
  return {
    full: db
      .select({ subject: tries.subject, at: tries.at })
      .from(tries)
      .where(or(...all.map((limit) => sql`${tries.id} = ${attemptAtLimit(context, limit)}`))),
    counted: db
      .insert(tries)
      .select(sql`SELECT NULL, value, ${now.getTime()} FROM json_each(${subjects}) WHERE ${hasRoom} AND ${onlyIf}`)
      .returning({ id: tries.id }),
  };
}

/**
 * Refuses where the answers to `countAttempt` say that a limit leaves no room.
 * @throws {AppError} 429 with `why`, which says what there were too many of; the answer's `Retry-After` says in how
 *   many seconds there is room again
 */
export function requireBelowLimit(context: AppLoadContext, limit: Limit, full: Full[], why: string): void {
  const attemptAtLimit = full.find(({ subject }) => subject === limit.subject);
  if (!attemptAtLimit) return;
  const seconds = Math.max(1, Math.ceil((attemptAtLimit.at.getTime() + limit.ms - context.now.getTime()) / 1000));
  context.retryAfter = seconds;
  const minutes = Math.ceil(seconds / 60);
  throw new AppError(429, `${why} Please try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`);
}

type Full = Pick<typeof tries.$inferSelect, "subject" | "at">;

/** The statement that takes a try back which was no failure, from all the limits that counted it. */
export function uncountAttempts(db: Db, counted: { id: number }[]) {
  const ids = counted.map(({ id }) => id);
  return db.delete(tries).where(inArray(tries.id, ids));
}

/** Does what a try is about. Takes the try back where that fails: an error, or a full queue, is no wrong password. */
export async function afterAttempt<T>(noFailure: ReturnType<typeof uncountAttempts>, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await noFailure;
    throw error;
  }
}

const since = (now: Date, ms: number) => new Date(now.getTime() - ms);
const latest = (now: Date) => new Date(now.getTime() + CLOCK_SKEW);

/** Forgets tries that no limit counts any more, those of a clock that was ahead too. */
export async function sweepAttempts(db: Db, now: Date): Promise<void> {
  const longest = Math.max(...Object.values(LIMITS).map(({ ms }) => ms));
  await db.delete(tries).where(or(lte(tries.at, since(now, longest)), gt(tries.at, latest(now))));
}
