import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, notExists } from "drizzle-orm";
import { logIn, register, type SignedIn } from "#app/accounts/accounts.server.ts";
import type { Credentials, Registration } from "#app/accounts/user.schema.ts";
import type { Db } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";

/** Of the link that the log shows, this is all that is kept, and only in memory. */
let hash: Buffer | null = null;
let wasLooked = false;

/**
 * While there is no admin, makes a set-up link of this start of the program and returns its token, the first time that
 * it is asked; null from then on. A link of an earlier start leads nowhere.
 */
export async function newSetUpToken(db: Db): Promise<string | null> {
  if (wasLooked) return null;
  wasLooked = true; // before the wait: of two requests at once, one makes it
  if (await hasAdmin(db)) return null;
  const token = randomBytes(32).toString("base64url");
  hash = hashOf(token);
  return token;
}

/** Whether a token is the one in the log, and there is still no admin. */
export async function isSetUpToken(db: Db, token: string): Promise<boolean> {
  if (!hash || !timingSafeEqual(hash, hashOf(token))) return false;
  if (!(await hasAdmin(db))) return true;
  hash = null;
  return false;
}

async function hasAdmin(db: Db): Promise<boolean> {
  const found = await db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true)).limit(1);
  return found.length > 0;
}

/**
 * Makes an account, and it the first admin. Nothing is undone where somebody else was quicker: then it is an account.
 * @throws {AppError} 409 where the address has an account, or there is an admin by now; 429 after too many tries
 */
export async function registerFirstAdmin(context: AppLoadContext, registration: Registration): Promise<SignedIn> {
  return promote(context.db, await register(context, registration));
}

/**
 * Makes an account that is there the first admin, for who knows its password.
 * @throws {AppError} 401 where e-mail and password do not match; 409 where there is an admin by now; 429 after too many
 *   failures
 */
export async function promoteFirstAdmin(context: AppLoadContext, credentials: Credentials): Promise<SignedIn> {
  return promote(context.db, await logIn(context, credentials, { isSetUp: true }));
}

/** The condition is in the write: of two who use the link at once, one becomes the admin. */
async function promote(db: Db, { user, sessionToken }: SignedIn): Promise<SignedIn> {
  const admins = db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true));
  const made = await db
    .update(users)
    .set({ isAdmin: true })
    .where(and(eq(users.id, user.id), notExists(admins)))
    .returning({ id: users.id });
  if (made.length === 0) throw new AppError(409, "There is an admin by now. Ask them to make you one.");
  hash = null;
  return { user: { ...user, isAdmin: true }, sessionToken };
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
