import { logIn, register } from "#app/accounts/accounts.server.ts";
import { RESET_DONE, RESET_REQUESTED, requestReset, resetPassword } from "#app/accounts/reset.server.ts";
import { logOut, sessionCookie, signInHeaders, signOutHeaders } from "#app/accounts/sign-in.server.ts";
import {
  credentialsSchema,
  newPasswordSchema,
  registrationSchema,
  resetRequestSchema,
} from "#app/accounts/user.schema.ts";
import { message, user } from "#app/api/answers.ts";
import { api, endpoints } from "#app/api/endpoint.server.ts";
import { refusalJson } from "#app/errors.ts";
import { logError } from "#app/server/logger.server.ts";

const calls = endpoints(
  { name: "Signing in", description: "Accounts are made, sessions begin and end, forgotten passwords are replaced." },
  api("/api/auth/register", {
    access: "public",
    token: "ignored",
    POST: {
      summary: "Create an account, and a session",
      description: "Emails a link that confirms the address.",
      body: registrationSchema,
      status: 201,
      answer: user,
      errors: ["email_taken", "busy", "database_full"],
      async run({ body, context }) {
        const { user, sessionToken } = await register(context, body);
        const headers = { "Set-Cookie": await sessionCookie(context, sessionToken) };
        return Response.json(user, { status: 201, headers });
      },
    },
  }),
  api("/api/auth/login", {
    access: "public",
    token: "ignored",
    POST: {
      summary: "Sign in",
      body: credentialsSchema,
      answer: user,
      errors: ["invalid_credentials", "locked", "busy"],
      async run({ body, context }) {
        const signedIn = await logIn(context, body);
        return Response.json(signedIn.user, { headers: await signInHeaders(context, signedIn) });
      },
    },
  }),
  api("/api/auth/logout", {
    access: "public",
    token: "ignored",
    POST: {
      summary: "Sign out; without a session too",
      answer: message,
      async run({ request, context }) {
        try {
          await logOut(context);
          return Response.json({ message: "Logged out successfully" }, { headers: await signOutHeaders(context) });
        } catch (error) {
          logError(error, request);
          return refusalJson({ message: "Logout failed", code: "server_error" });
        }
      },
    },
  }),
  api("/api/auth/reset-password", {
    access: "public",
    token: "ignored",
    POST: {
      summary: "Ask for a link that sets a new password; the answer is the same for every address",
      body: resetRequestSchema,
      answer: message,
      async run({ body, context }) {
        await requestReset(context, body.email);
        return { message: RESET_REQUESTED };
      },
    },
  }),
  api("/api/auth/reset-password/{token}", {
    access: "public",
    secret: true,
    token: "ignored",
    POST: {
      summary: "Set a new password with a link; all sessions end",
      body: newPasswordSchema,
      answer: message,
      errors: ["link_ended", "busy"],
      async run({ token, body, context }) {
        await resetPassword(context, token, body.password);
        return { message: RESET_DONE.title };
      },
    },
  }),
);

export { calls as action, calls as loader };
