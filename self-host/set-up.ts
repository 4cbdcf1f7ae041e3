import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, notExists } from "drizzle-orm";
import { logIn, register, type SignedIn } from "#app/accounts/accounts.server.ts";
import type { Credentials, Registration } from "#app/accounts/user.schema.ts";
import type { Db } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";

/** The hash of the link's token; it is kept in memory only. */
let hash: Buffer | null = null;

/** Makes the token of the set-up link, or returns null if there is an admin. Links of earlier starts are invalid. */
export async function newSetUpToken(db: Db): Promise<string | null> {
  if (await hasAdmin(db)) return null;
  const token = randomBytes(32).toString("base64url");
  hash = hashOf(token);
  return token;
}

/** Whether this is the current token and there is still no admin. */
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
 * Registers an account and makes it the first admin. If another request was first, the account stays a normal one.
 * @throws {AppError} 409 if the address has an account, or there is an admin by now; 429 after too many attempts
 */
export async function registerFirstAdmin(context: AppLoadContext, registration: Registration): Promise<SignedIn> {
  return promote(context.db, await register(context, registration));
}

/**
 * Makes an existing account the first admin, after checking its password.
 * @throws {AppError} 401 if email and password do not match; 409 if there is an admin by now; 429 after too many
 * failures
 */
export async function promoteFirstAdmin(context: AppLoadContext, credentials: Credentials): Promise<SignedIn> {
  return promote(context.db, await logIn(context, credentials, { isSetUp: true }));
}

/** The statement contains the condition, so that only one of two concurrent requests makes an admin. */
async function promote(db: Db, { user, sessionToken }: SignedIn): Promise<SignedIn> {
  const admins = db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true));
  const made = await db
    .update(users)
    .set({ isAdmin: true })
    .where(and(eq(users.id, user.id), notExists(admins)))
    .returning({ id: users.id });
  if (made.length === 0) throw new AppError("conflict", "There is an admin by now. Ask them to make you one.");
  hash = null;
  return { user: { ...user, isAdmin: true }, sessionToken };
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
