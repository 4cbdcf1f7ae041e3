import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { batch } from "#app/db/client.server.ts";
import { raiseRevisions } from "#app/db/commit.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { redirectTo } from "#app/server/page.server.ts";
import { endSession, SESSION_SECONDS, sessionOwner } from "./access.server.ts";
import { logIn, register, type SignedIn } from "./accounts.server.ts";
import { credentialsSchema, registrationSchema } from "./user.schema.ts";
import { displayName } from "./user.ts";

/**
 * remix-auth with its form strategy, for the log-in and the registration form. It calls the functions that the JSON API
 * calls, keeps no session (ours are in D1), and throws a `ZodError` or an `AppError`.
 */
export function authenticatorFor(context: AppLoadContext): Authenticator<SignedIn> {
  return new Authenticator<SignedIn>()
    .use(new FormStrategy(({ form }) => logIn(context, credentialsSchema.parse(Object.fromEntries(form)))), "login")
    .use(
      new FormStrategy(({ form }) => register(context, registrationSchema.parse(Object.fromEntries(form)))),
      "register",
    );
}

export function sessionCookie({ cookies }: AppLoadContext, token: string): Promise<string> {
  return cookies.session.serialize(token, { maxAge: SESSION_SECONDS });
}

/**
 * Returns the headers of a log-in: the session cookie, and the end of the mark of an earlier logout. A page that reads
 * that mark later must not delete text that the user types from now on.
 */
export async function signInHeaders(context: AppLoadContext, { user, sessionToken }: SignedIn): Promise<Headers> {
  const headers = new Headers({ "Set-Cookie": await sessionCookie(context, sessionToken) });
  headers.append("Set-Cookie", await context.cookies.signedOut(user.id).serialize("", { maxAge: 0 }));
  return headers;
}

/** Redirects a user who has just signed in, with the session cookie and a welcome. */
export async function startSessionAndRedirect(
  context: AppLoadContext,
  path: string,
  signedIn: SignedIn,
  isNew: boolean,
) {
  const { user, sessionToken } = signedIn;
  const toast = isNew
    ? { kind: "success" as const, title: "Registration successful", text: `Welcome, ${displayName(user)}!` }
    : { kind: "success" as const, title: "Login successful", text: `Welcome back, ${displayName(user)}!` };
  const headers = isNew
    ? { "Set-Cookie": await sessionCookie(context, sessionToken) }
    : await signInHeaders(context, signedIn);
  return redirectTo(context, path, { toast }, headers);
}

/** Ends the current session. Returns the id of its user, or null without a session. */
export async function logOut(context: AppLoadContext): Promise<number | null> {
  const { db, sessionToken, now } = context;
  if (!sessionToken) return null;
  const { ended } = await batch(db, {
    guard: raiseRevisions(db, sql`${sessionOwner(sessionToken, now)}`),
    ended: endSession(db, sessionToken),
  });
  securityEvent(context, "logout");
  return ended[0]?.userId ?? null;
}

/**
 * Redirects a user who has just signed out. The next page with a script deletes what they typed and saved in this browser:
 * the one that follows, or without script there the next page of a signed-in user.
 */
export async function endSessionAndRedirect(
  context: AppLoadContext,
  path: string,
  toast: Toast,
  userId: number | null,
) {
  const headers = await signOutHeaders(context);
  if (userId) headers.append("Set-Cookie", await context.cookies.signedOut(userId).serialize(1));
  return redirectTo(context, path, { toast, signedOut: true }, headers);
}

/**
 * The headers that remove the session cookie and the browser's cache of signed-in pages. Its storage stays, because it
 * can hold another user's drafts (docs/decisions/0059-one-store-for-drafts-and-queue.md).
 */
export async function signOutHeaders({ cookies }: AppLoadContext): Promise<Headers> {
  return new Headers({
    "Set-Cookie": await cookies.session.serialize("", { maxAge: 0 }),
    "Clear-Site-Data": '"cache"',
  });
}
