import { z } from "zod";
import { newTokenSchema } from "#app/accounts/api-token.schema.ts";
import {
  credentialsSchema,
  deletionSchema,
  detailsChangeSchema,
  emailChangeSchema,
  newPasswordSchema,
  passwordChangeSchema,
  registrationSchema,
  resetRequestSchema,
} from "#app/accounts/user.schema.ts";
import { message, session, token, user } from "./answers.ts";
import { type DescribedCalls, MAKES, OWN, PUBLIC } from "./call.ts";

const BY_SESSION = { ...OWN, sessionOnly: true } as const;

/** The calls of signing in and of the account. */
export const ACCOUNT_CALLS: DescribedCalls = {
  "GET /api/user": { summary: "Who is signed in", ...OWN, answer: user },
  "PATCH /api/user": {
    summary: "Change name or employee number",
    ...BY_SESSION,
    body: detailsChangeSchema,
    answer: user,
  },
  "DELETE /api/user": {
    summary: "Delete the account and its data",
    ...BY_SESSION,
    body: deletionSchema,
    answer: message,
  },
  "POST /api/user/password": {
    summary: "Change the password",
    ...BY_SESSION,
    body: passwordChangeSchema,
    answer: message,
  },
  "POST /api/user/email": {
    summary: "Ask to change the email",
    ...BY_SESSION,
    body: emailChangeSchema,
    answer: message,
  },
  "POST /api/user/email/{token}": { summary: "Confirm the address or a new one", ...PUBLIC, answer: user },
  "POST /api/user/email/resend": {
    summary: "Email the link again that confirms the address",
    ...BY_SESSION,
    answer: message,
  },
  "GET /api/user/sessions": { summary: "Where the user is signed in", ...BY_SESSION, answer: z.array(session) },
  "DELETE /api/user/sessions": { summary: "End all other sessions", ...BY_SESSION, answer: message },
  "DELETE /api/user/sessions/{reference}": { summary: "End a session", ...BY_SESSION, answer: message },
  "GET /api/tokens": { summary: "The user's API tokens", ...BY_SESSION, answer: z.array(token) },
  "POST /api/tokens": {
    summary: "Make an API token, which is shown this once",
    ...BY_SESSION,
    ...MAKES,
    body: newTokenSchema,
    answer: token.extend({ token: z.string() }),
  },
  "DELETE /api/tokens/{id}": { summary: "End an API token", ...BY_SESSION, answer: message },
  "POST /api/auth/register": {
    summary: "Create an account, and a session",
    ...PUBLIC,
    body: registrationSchema,
    status: 201,
    answer: user,
  },
  "POST /api/auth/login": { summary: "Sign in", ...PUBLIC, body: credentialsSchema, answer: user },
  "POST /api/auth/logout": { summary: "Sign out", ...PUBLIC, answer: message },
  "POST /api/auth/reset-password": { summary: "Ask for a link", ...PUBLIC, body: resetRequestSchema, answer: message },
  "POST /api/auth/reset-password/{token}": {
    summary: "Set a new password with a link",
    ...PUBLIC,
    body: newPasswordSchema,
    answer: message,
  },
};
