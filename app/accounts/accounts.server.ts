import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, sql } from "drizzle-orm";
import { batch } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { searchText } from "#app/plain-text.ts";
import {
  afterAttempt,
  countAttempt,
  countFailure,
  type Full,
  fullLimits,
  isBelowLimits,
  networkPasswordLimit,
  passwordLimit,
  registrationLimit,
  requireBelowLimit,
  uncountAttempts,
} from "#app/server/attempt-limits.server.ts";
import { databaseSize, requireRoom } from "#app/server/database-limit.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { newSession, queryAsViewer, userColumns } from "./access.server.ts";
import { confirmationStatements, hasNoOpenLink } from "./email-confirmation.server.ts";
import { hashPassword, verifyPassword } from "./password.server.ts";
import type { Credentials, Registration } from "./user.schema.ts";
import type { User } from "./user.ts";

/** A user who has just signed in, and the token of the new session. */
export interface SignedIn {
  user: User;
  sessionToken: string;
}

/**
 * Creates an account, signs its user in, ends the browser's previous session, and emails them a link that confirms the address.
 * @throws {AppError} 429 after too many registrations from one network or if the hash queue is full; 409 if the e-mail
 *   address has an account; 503 if the database is nearly full
 */
export async function register(context: AppLoadContext, registration: Registration): Promise<SignedIn> {
  const { db, now } = context;
  const { email, name, employeeNumber } = registration;
  const limit = registrationLimit(context);
  // The viewer is looked up in this round trip, because the page behind an error needs it.
  const { full, counted, size } = await queryAsViewer(context, () => ({
    ...countAttempt(context, limit),
    size: databaseSize(db),
  }));
  requireBelowLimit(context, limit, full, "There were too many registrations from your network.");
  requireRoom(context, size, "new accounts");
  const hashing = hashPassword({ whose: email, signal: context.signal }, registration.password);
  const password = await afterAttempt(uncountAttempts(db, counted), hashing);
  // The hash has its own salt, so the address and the hash together select the new row and no other.
  const session = newSession(context, sql`${and(eq(users.email, email), eq(users.password, password))}`);
  const { created } = await batch(db, {
    created: db
      .insert(users)
      .values({
        email,
        password,
        name,
        employeeNumber,
        search: searchText(name, email, employeeNumber),
        createdAt: now,
      })
      .onConflictDoNothing({ target: users.email })
      .returning(userColumns),
    session: session.statements,
    confirmation: confirmationStatements(context, email, sql`password = ${password}`),
  });
  const [user] = created;
  if (!user) {
    securityEvent(context, "registration_refused");
    throw new AppError("email_taken", "That email address already has an account. Log in instead.");
  }
  securityEvent(context, "registered", { account: user.id });
  return { user, sessionToken: session.token };
}

/**
 * Signs a user in and ends the browser's previous session. A wrong e-mail address and a wrong password have the same
 * answer, after the same work. With `isSetUp` the log-in comes from a set-up link, which only its holder has, so it does
 * not count for the network's limit.
 * @throws {AppError} 429 after too many failures or if the hash queue is full; 401 if they do not match; 403 for a locked
 *   account, after the right password only
 */
export async function logIn(
  context: AppLoadContext,
  { email, password }: Credentials,
  { isSetUp = false } = {},
): Promise<SignedIn> {
  const { db } = context;
  const limit = passwordLimit(context, email);
  const networkLimit = networkPasswordLimit(context);
  const limits = isSetUp ? [limit] : [limit, networkLimit];
  const requireBelow = (full: Full[]) => {
    requireBelowLimit(context, limit, full, "There were too many failed log-ins. You can reset your password instead.");
    requireBelowLimit(context, networkLimit, full, "There were too many failed log-ins from your network.");
  };
  const {
    full,
    known: [found],
  } = await batch(db, {
    full: fullLimits(context, limits),
    known: db
      .select({ ...userColumns, password: users.password, lockedAt: users.lockedAt })
      .from(users)
      .where(eq(users.email, email)),
  });
  requireBelow(full);
  const matches = await verifyPassword({ whose: email, signal: context.signal }, password, found?.password ?? null);
  if (!found || !matches || found.lockedAt) requireBelow(await countFailure(context, limits));
  if (!found || !matches) {
    securityEvent(context, "login_failed", { account: found?.id ?? null });
    throw new AppError("invalid_credentials", "Invalid email or password");
  }
  const { password: hash, lockedAt, ...user } = found;
  if (lockedAt) {
    securityEvent(context, "login_failed", { account: user.id });
    throw new AppError("locked", "An admin has locked this account. Ask whoever runs this installation.");
  }
  // If the password was changed, the user deleted or a limit reached during hashing, this stores no session.
  const isAllowed = isBelowLimits(context, limits);
  const session = newSession(context, sql`${and(eq(users.id, user.id), eq(users.password, hash))} AND ${isAllowed}`);
  const {
    session: { stored },
    fullSince,
  } = await batch(db, {
    fullSince: fullLimits(context, limits),
    session: session.statements,
    // Mail was off when they registered, or the link has expired.
    ...(!user.emailConfirmedAt && {
      confirmation: confirmationStatements(
        context,
        user.email,
        sql`password = ${hash} AND ${isAllowed} AND ${hasNoOpenLink(context, user)}`,
      ),
    }),
  });
  if (stored.length === 0) requireBelow(fullSince);
  if (stored.length === 0) throw new AppError("invalid_credentials", "Invalid email or password");
  securityEvent(context, "login", { account: user.id });
  return { user, sessionToken: session.token };
}
