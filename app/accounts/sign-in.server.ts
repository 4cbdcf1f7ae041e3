import type { AppLoadContext } from "@remix-run/cloudflare";
import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import type { Toast } from "#app/server/flash.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import { logIn, register, type SignedIn } from "./accounts.server.ts";
import { endSession, SESSION_SECONDS } from "./sessions.server.ts";
import { credentialsSchema, registrationSchema } from "./user.schema.ts";
import { displayName } from "./user.ts";

/**
 * remix-auth with its form strategy, for the page's two forms. Each hands the form to the function that the JSON call
 * uses as well. It keeps no session (ours are in D1) and throws what went wrong: a `ZodError` or a `AppError`.
 */
export function authenticatorFor(context: AppLoadContext): Authenticator<SignedIn> {
  return new Authenticator<SignedIn>()
    .use(new FormStrategy(({ form }) => logIn(context, credentialsSchema.parse(Object.fromEntries(form)))), "login")
    .use(
      new FormStrategy(({ form }) => register(context, registrationSchema.parse(Object.fromEntries(form)))),
      "register",
    );
}

/** The `Set-Cookie` that gives a browser its session. */
export function sessionCookie({ cookies }: AppLoadContext, token: string): Promise<string> {
  return cookies.session.serialize(token, { maxAge: SESSION_SECONDS });
}

/** Greets somebody who has just signed in, on the page where they land. */
export async function startSessionAndRedirect(
  context: AppLoadContext,
  path: string,
  { user, sessionToken }: SignedIn,
  isNew: boolean,
) {
  const toast = isNew
    ? { kind: "success" as const, title: "Registration successful", text: `Welcome, ${displayName(user)}!` }
    : { kind: "success" as const, title: "Login successful", text: `Welcome back, ${displayName(user)}!` };
  return redirectTo(context, path, { toast }, { "Set-Cookie": await sessionCookie(context, sessionToken) });
}

/** Ends the session that asks, if there is one. Returns the id of the user whose it was, or null. */
export async function logOut(context: AppLoadContext): Promise<number | null> {
  const { db, sessionToken } = context;
  if (!sessionToken) return null;
  const [ended] = await endSession(db, sessionToken);
  securityEvent(context, "logout");
  return ended?.userId ?? null;
}

/** Leads somebody who is signed out now to a page, which removes what their browser kept of what they typed. */
export async function endSessionAndRedirect(
  context: AppLoadContext,
  path: string,
  toast: Toast,
  userId: number | null,
) {
  return redirectTo(context, path, { toast, ...(userId && { signedOut: userId }) }, await signOutHeaders(context));
}

/**
 * The headers that take the cookie away, and with it what the browser kept of the signed-in pages. Its storage stays:
 * another user's drafts may be in it (docs/decisions/0036-a-draft-for-each-copy-of-a-form.md).
 */
export async function signOutHeaders({ cookies }: AppLoadContext): Promise<Headers> {
  return new Headers({
    "Set-Cookie": await cookies.session.serialize("", { maxAge: 0 }),
    "Clear-Site-Data": '"cache"',
  });
}
