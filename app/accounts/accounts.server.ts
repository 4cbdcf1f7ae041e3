import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, sql } from "drizzle-orm";
import { batch } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { searchText } from "#app/db/search-text.ts";
import { AppError } from "#app/errors.ts";
import {
  afterAttempt,
  countAttempt,
  networkPasswordLimit,
  passwordLimit,
  registrationLimit,
  requireBelowLimit,
  uncountAttempts,
} from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { queryAsViewer } from "./access.server.ts";
import { hashPassword, verifyPassword } from "./password.server.ts";
import { endSession, newSession } from "./sessions.server.ts";
import type { Credentials, Registration } from "./user.schema.ts";
import type { User } from "./user.ts";
import { userColumns } from "./user-columns.server.ts";

/** Somebody who has just signed in, and the token of their new session. */
export interface SignedIn {
  user: User;
  sessionToken: string;
}

/**
 * Makes an account and signs its owner in. A second registration of an address finds the first.
 * @throws {AppError} 429 after too many from one network, or while too many wait for a hash; 409 where the e-mail address
 *   has an account
 */
export async function register(context: AppLoadContext, registration: Registration): Promise<SignedIn> {
  const { db, now } = context;
  const { email, name, employeeNumber } = registration;
  const limit = registrationLimit(context);
  // With who asks, whom the page behind a refusal would otherwise look up in a round trip of its own.
  const { full, counted } = await queryAsViewer(context, () => countAttempt(context, limit));
  requireBelowLimit(context, limit, full, "There were too many registrations from your network.");
  const password = await afterAttempt(uncountAttempts(db, counted), hashPassword(registration.password));
  // The hash has a salt of its own, so together with the address it selects the row just made and never another.
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
    session: session.insert,
  });
  const [user] = created;
  if (!user) {
    securityEvent(context, "registration_refused");
    throw new AppError(409, "That email address already has an account. Log in instead.");
  }
  securityEvent(context, "registered", { account: user.id });
  return { user, sessionToken: session.token };
}

/**
 * Signs somebody in. A wrong e-mail address and a wrong password are one answer, after the same work.
 * The session that the browser had before, if any, ends. `isSetUp` says that a set-up link leads here: only its holder
 * comes, so it is not counted among the failures of the network.
 * @throws {AppError} 429 after too many failures, or while too many wait for a hash; 401 where they do not match
 */
export async function logIn(
  context: AppLoadContext,
  { email, password }: Credentials,
  { isSetUp = false } = {},
): Promise<SignedIn> {
  const { db, sessionToken: before } = context;
  const limit = passwordLimit(context, email);
  const networkLimit = networkPasswordLimit(context);
  const {
    full,
    counted,
    known: [found],
  } = await batch(db, {
    ...countAttempt(context, isSetUp ? limit : [limit, networkLimit]),
    known: db
      .select({ ...userColumns, password: users.password })
      .from(users)
      .where(eq(users.email, email)),
  });
  requireBelowLimit(context, limit, full, "There were too many failed log-ins. You can reset your password instead.");
  requireBelowLimit(context, networkLimit, full, "There were too many failed log-ins from your network.");
  const noFailure = uncountAttempts(db, counted);
  const matches = await afterAttempt(noFailure, verifyPassword(password, found?.password ?? null));
  if (!found || !matches) {
    securityEvent(context, "login_failed", { account: found?.id ?? null });
    throw new AppError(401, "Invalid email or password");
  }
  const { password: hash, ...user } = found;
  // The password may have been changed, or the user deleted, while it was being hashed: then there is no session.
  const session = newSession(context, sql`${and(eq(users.id, user.id), eq(users.password, hash))}`);
  const { stored } = await batch(db, {
    stored: session.insert.returning(),
    noFailure,
    ...(before && { ended: endSession(db, before) }),
  });
  if (stored.length === 0) throw new AppError(401, "Invalid email or password");
  securityEvent(context, "login", { account: user.id });
  return { user, sessionToken: session.token };
}
