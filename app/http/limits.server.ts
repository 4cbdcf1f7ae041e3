import { createHmac } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, desc, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { tries } from "#app/db/schema.ts";
import { networkOf } from "./network.ts";
import { Refusal } from "./refusal.ts";

/*
 * The second of two walls. The first is Cloudflare's rate limiting binding (flood.server.ts): cheap, coarse, and only
 * there on Cloudflare. This one counts exactly, in D1, over a window that slides: at no moment are there more than
 * `max` tries in the last `ms`. A try is counted in the round trip that reads what it needs, before anything is
 * hashed, and taken back where it turns out to be no failure. So a hundred at once are counted like a hundred in a row.
 *
 * Whose try it is becomes an HMAC, so that the table tells nobody who has tried what from where.
 */

const MINUTE = 60_000;

/** How many tries there may be, and in how long, in milliseconds. */
const LIMITS = {
  /** Failed passwords, for one e-mail address from one network: nobody can lock another's account from elsewhere. */
  password: { max: 10, ms: 15 * MINUTE },
  /** Links that lead nowhere, from one network. */
  unknownToken: { max: 30, ms: 10 * MINUTE },
  /** Reset links, for one e-mail address. */
  reset: { max: 3, ms: 60 * MINUTE },
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
  return limitOf(context, "password", email, networkOf(context.client.address));
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
  return limitOf(context, "unknownToken", networkOf(context.client.address));
}

/** What is said where there were too many of those. */
export const TOO_MANY_TOKENS = "Too many links that lead nowhere were opened from your network.";

/** Reset links for an e-mail address, from anywhere. */
export function resetLimit(context: AppLoadContext, email: string): Limit {
  return limitOf(context, "reset", email);
}

/** Registrations, from where the request comes. */
export function registrationLimit(context: AppLoadContext): Limit {
  return limitOf(context, "registration", networkOf(context.client.address));
}

function limitOf({ secret }: AppLoadContext, name: keyof typeof LIMITS, ...whose: string[]): Limit {
  const subject = createHmac("sha256", secret)
    .update(JSON.stringify([name, ...whose]))
    .digest("hex");
  return { ...LIMITS[name], subject };
}

/**
 * The statements that count a try: `full`, which has a row where there is no room, and `counted`, which has the try's
 * id where there was. They belong in front of the batch that reads what the try is about; `onlyIf` may say that it is
 * one (so that only an unknown token counts).
 */
export function countTry({ db, now }: AppLoadContext, limit: Limit, onlyIf: SQL = sql`1`) {
  const { subject, max, ms } = limit;
  const since = new Date(now.getTime() - ms);
  // The one that must have left the window before there is room: the max-th, counted from the last.
  const inTheWay = () =>
    db
      .select({ at: tries.at })
      .from(tries)
      .where(and(eq(tries.subject, subject), gt(tries.at, since)))
      .orderBy(desc(tries.at))
      .limit(1)
      .offset(max - 1);
  return {
    full: inTheWay(),
    counted: db
      .insert(tries)
      .select(sql`SELECT NULL, ${subject}, ${now.getTime()} WHERE NOT EXISTS ${inTheWay()} AND ${onlyIf}`)
      .returning({ id: tries.id }),
  };
}

/**
 * Refuses where the answers to `countTry` say that there is no room.
 * @throws {Refusal} 429 with `why`, which says what there were too many of; the answer's `Retry-After` says in how
 *   many seconds there is room again
 */
export function requireRoom(context: AppLoadContext, limit: Limit, full: { at: Date }[], why: string): void {
  const [inTheWay] = full;
  if (!inTheWay) return;
  const seconds = Math.max(1, Math.ceil((inTheWay.at.getTime() + limit.ms - context.now.getTime()) / 1000));
  context.retryAfter = seconds;
  const minutes = Math.ceil(seconds / 60);
  throw new Refusal(429, `${why} Please try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`);
}

/** The statement that takes a try back which was no failure. */
export function takeBack(db: Db, counted: { id: number }[]) {
  return db.delete(tries).where(eq(tries.id, counted[0]?.id ?? 0)); // 0 is no row's
}

/** Forgets tries that no limit counts any more. */
export async function sweepTries(db: Db, now: Date): Promise<void> {
  const longest = Math.max(...Object.values(LIMITS).map(({ ms }) => ms));
  await db.delete(tries).where(lte(tries.at, new Date(now.getTime() - longest)));
}
