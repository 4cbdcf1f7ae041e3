import { z } from "zod";
import { emailedReason, id, instant, recordType, secret } from "#app/api/answers.ts";
import { api, endpoints, listOf } from "#app/api/endpoint.server.ts";
import { ITEM_STATES } from "#app/db/enumerations.ts";
import { listSchema, positive, SHORT_LIST_MAX } from "#app/server/query.ts";
import { findOwnRequest, listOwnRequests, ownRequestJson } from "#app/verification/requests/own-requests.server.ts";
import { remind, setReminders } from "#app/verification/requests/remind.server.ts";
import { requestRecords } from "#app/verification/requests/request.server.ts";
import { withdrawRequest } from "#app/verification/requests/withdraw.server.ts";
import { newRequestSchema, remindersSchema } from "#app/verification/verification.schema.ts";

const verificationRequest = z
  .object({
    id,
    supervisor: z.object({ id: id.nullable(), name: z.string().nullable(), email: z.string().nullable() }),
    verificationToken: secret,
    verificationUrl: secret,
    emailed: z.boolean(),
    emailedReason,
    reminders: z.boolean(),
    createdAt: instant,
    expiresAt: instant,
    endedAt: instant.nullable(),
    openedAt: instant.nullable(),
    items: z.array(z.object({ type: recordType, id, state: z.enum(ITEM_STATES), reason: z.string().nullable() })),
  })
  .meta({ id: "VerificationRequest" });

const STATUS = ["open", "ended"] as const;

const requestListSchema = listSchema(SHORT_LIST_MAX, {
  before: positive("before").optional(),
  status: z
    .enum(STATUS, { error: `status must be one of ${STATUS.join(", ")}` })
    .optional()
    .meta({ description: "`open`: the link can be answered; `ended`: it was answered, withdrawn or has expired" }),
});

const calls = endpoints(
  { name: "Verification requests", description: "Requests that ask a supervisor to verify 1 to 100 records." },
  api("/api/verification-requests", {
    access: "user",
    heavy: "reads",
    GET: listOf({
      summary: "The user's requests, newest first, at most 100",
      query: requestListSchema,
      item: verificationRequest,
      read: (query, context) => listOwnRequests(context, query),
      cursorOf: ({ request }) => request.id,
      show: (found, context) => ownRequestJson(context, found),
    }),
    POST: {
      summary: "Ask a supervisor to verify 1 to 100 records: always a new request with a link of its own",
      hasKey: true,
      body: newRequestSchema,
      status: 201,
      answer: verificationRequest,
      errors: ["own_mailbox", "not_found", "already_verified", "account_full", "daily_quota", "conflict"],
      run: async ({ body, key, context }) => ownRequestJson(context, await requestRecords(context, { ...body, key })),
    },
  }),
  api("/api/verification-requests/{id}", {
    access: "user",
    GET: {
      summary: "A request",
      answer: verificationRequest,
      run: async ({ id, context }) => ownRequestJson(context, await findOwnRequest(context, id)),
    },
    PATCH: {
      summary: "Turn reminders on or off",
      body: remindersSchema,
      answer: verificationRequest,
      before: ({ id, context }) => findOwnRequest(context, id),
      run: async ({ id, body, context }) => ownRequestJson(context, await setReminders(context, id, body.reminders)),
    },
    DELETE: {
      summary: "Withdraw a request; what was verified stays",
      answer: verificationRequest,
      errors: ["conflict", "daily_quota"],
      run: async ({ id, context }) => ownRequestJson(context, await withdrawRequest(context, id)),
    },
  }),
  api("/api/verification-requests/{id}/remind", {
    access: "user",
    POST: {
      summary: "Send the email again and move `expiresAt`, once in 24 hours",
      answer: verificationRequest,
      errors: ["own_mailbox", "request_ended", "no_address", "daily_quota", "conflict"],
      run: async ({ id, context }) => ownRequestJson(context, await remind(context, id)),
    },
  }),
);

export { calls as action, calls as loader };
