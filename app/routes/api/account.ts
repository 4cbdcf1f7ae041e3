import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { endToken, listTokens, makeToken, newTokenSchema } from "#app/accounts/api-tokens.server.ts";
import { changePassword, PASSWORD_CHANGED } from "#app/accounts/change-password.server.ts";
import { confirmEmail } from "#app/accounts/confirm-email.server.ts";
import { changeDetails } from "#app/accounts/details.server.ts";
import { resendConfirmation } from "#app/accounts/email-confirmation.server.ts";
import { deleteOwnAccount } from "#app/accounts/own-deletion.server.ts";
import { endOtherSessions, endOwnSession, listSessions } from "#app/accounts/own-sessions.server.ts";
import { emailChangeMessage, requestEmailChange } from "#app/accounts/request-email-change.server.ts";
import { signOutHeaders } from "#app/accounts/sign-in.server.ts";
import {
  deletionSchema,
  detailsChangeSchema,
  emailChangeSchema,
  passwordChangeSchema,
} from "#app/accounts/user.schema.ts";
import { instant, message, token, user } from "#app/api/answers.ts";
import { api, endpoints } from "#app/api/endpoint.server.ts";

const session = z
  .object({
    reference: z.string(),
    isCurrent: z.boolean(),
    createdAt: instant,
    address: z.string().nullable(),
    place: z.string().nullable().meta({ description: "Cloudflare's estimate" }),
    browser: z.string().nullable(),
  })
  .meta({ id: "Session" });

const calls = endpoints(
  {
    name: "Account",
    description: "The signed-in user's details, password, email address, sessions and API tokens.",
  },
  api("/api/user", {
    access: "user",
    token: "read",
    GET: {
      summary: "Who is signed in",
      answer: user,
      run: async ({ context }) => (await requireUser(context)).user,
    },
    PATCH: {
      summary: "Change name or employee number, and whether to be emailed before a certificate expires",
      body: detailsChangeSchema,
      answer: user,
      run: ({ body, context }) => changeDetails(context, body),
    },
    DELETE: {
      summary: "Delete the account and its data",
      body: deletionSchema,
      answer: message,
      errors: ["wrong_password", "last_admin", "busy"],
      async run({ body, context }) {
        await deleteOwnAccount(context, body.password);
        return Response.json({ message: "Account deleted" }, { headers: await signOutHeaders(context) });
      },
    },
  }),
  api("/api/user/password", {
    access: "user",
    token: "none",
    POST: {
      summary: "Change the password; other sessions and all tokens end",
      body: passwordChangeSchema,
      answer: message,
      errors: ["wrong_password", "busy"],
      async run({ body, context }) {
        await changePassword(context, body);
        return { message: PASSWORD_CHANGED.title };
      },
    },
  }),
  api("/api/user/email", {
    access: "user",
    token: "none",
    POST: {
      summary: "Ask to change the email address: emails a link to the new one, and a notice to the old one",
      body: emailChangeSchema,
      answer: message,
      errors: ["wrong_password", "busy"],
      async run({ body, context }) {
        await requestEmailChange(context, body);
        return { message: emailChangeMessage(context) };
      },
    },
  }),
  api("/api/user/email/resend", {
    access: "user",
    token: "none",
    POST: {
      summary: "Email the link again that confirms the address",
      answer: message,
      run: async ({ context }) => ({ message: await resendConfirmation(context) }),
    },
  }),
  api("/api/user/email/{token}", {
    access: "public",
    secret: true,
    POST: {
      summary: "Confirm the address of an account, or a new one, with a link",
      answer: user,
      errors: ["link_ended", "locked", "email_taken"],
      run: async ({ token, context }) => (await confirmEmail(context, token)).user,
    },
  }),
  api("/api/user/sessions", {
    access: "user",
    token: "none",
    GET: {
      summary: "Where the user is signed in",
      answer: z.array(session),
      async run({ context }) {
        const { sessions } = await requireUser(context, (owner, db) => ({
          sessions: listSessions(context, owner, db),
        }));
        return sessions;
      },
    },
    DELETE: {
      summary: "End all other sessions",
      answer: message,
      async run({ context }) {
        await endOtherSessions(context);
        return { message: "Other sessions ended" };
      },
    },
  }),
  api("/api/user/sessions/{reference}", {
    access: "user",
    token: "none",
    DELETE: {
      summary: "End a session",
      answer: message,
      async run({ token: reference, context }) {
        const wasCurrent = await endOwnSession(context, reference);
        return Response.json(
          { message: "Session ended" },
          wasCurrent ? { headers: await signOutHeaders(context) } : {},
        );
      },
    },
  }),
  api("/api/tokens", {
    access: "user",
    token: "none",
    GET: {
      summary: "The user's API tokens",
      answer: z.array(token),
      async run({ context }) {
        const { tokens } = await requireUser(context, (owner, db) => ({ tokens: listTokens(db, owner) }));
        return tokens;
      },
    },
    POST: {
      summary: "Make an API token, which is shown this once",
      hasKey: true,
      body: newTokenSchema,
      status: 201,
      answer: token.extend({ token: z.string() }),
      errors: ["account_full", "already_made"],
      async run({ body, key, context }) {
        const { user } = await requireUser(context);
        return makeToken(context, user, body, key);
      },
    },
  }),
  api("/api/tokens/{id}", {
    access: "user",
    token: "none",
    DELETE: {
      summary: "End an API token",
      answer: message,
      async run({ id, context }) {
        await endToken(context, id);
        return { message: "Token ended" };
      },
    },
  }),
);

export { calls as action, calls as loader };
