import type { AppLoadContext } from "@remix-run/cloudflare";
import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { securityEvent } from "#app/http/log.server.ts";
import { redirectTo } from "#app/http/redirect.server.ts";
import { logIn, register, type SignedIn } from "./accounts.server.ts";
import { endSession, SESSION_SECONDS } from "./sessions.server.ts";
import { credentialsSchema, registrationSchema } from "./user.schema.ts";
import { displayName } from "./user.ts";

/**
 * remix-auth with its form strategy, for the page's two forms. Each hands the form to the function that the JSON call
 * uses as well. It keeps no session (ours are in D1) and throws what went wrong: a `ZodError` or a `Refusal`.
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
export async function welcome(context: AppLoadContext, path: string, { user, sessionToken }: SignedIn, isNew: boolean) {
  const toast = isNew
    ? { kind: "success" as const, title: "Registration successful", text: `Welcome, ${displayName(user)}!` }
    : { kind: "success" as const, title: "Login successful", text: `Welcome back, ${displayName(user)}!` };
  return redirectTo(context, path, { toast }, { "Set-Cookie": await sessionCookie(context, sessionToken) });
}

/** Ends the session that asks, if there is one. Returns the headers of `signedOut`. */
export async function logOut(context: AppLoadContext): Promise<Headers> {
  const { db, sessionToken } = context;
  if (sessionToken) {
    await endSession(db, sessionToken);
    securityEvent(context, "logout");
  }
  return signedOut(context);
}

/** The headers that take the cookie away, and with it what the browser kept of the signed-in pages. */
export async function signedOut({ cookies }: AppLoadContext): Promise<Headers> {
  return new Headers({
    "Set-Cookie": await cookies.session.serialize("", { maxAge: 0 }),
    "Clear-Site-Data": '"cache", "storage"',
  });
}
