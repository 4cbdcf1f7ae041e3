import { z } from "zod";
import { ITEM_STATES } from "#app/db/enumerations.ts";
import { idListSchema, SHORT_LIST_MAX } from "#app/server/list.server.ts";
import { newRequestSchema, remindersSchema } from "#app/verification/requests/new-request.schema.ts";
import {
  answersSchema,
  confirmSchema,
  declineSchema,
  disownSchema,
  inboxSchema,
} from "#app/verification/verification.schema.ts";
import { emailedReason, id, instant, linkedEntry, linkedRopeHours, message, secret } from "./answers.ts";
import { type DescribedCalls, MAKES, OWN, PUBLIC } from "./call.ts";

const type = z.enum(["entry", "rope_hour"]);
const technician = z.object({ name: z.string().nullable(), employeeNumber: z.string().nullable() });
const state = z.enum(ITEM_STATES);

const request = z
  .object({
    id,
    supervisor: z.object({ id: id.nullable(), name: z.string().nullable(), email: z.string().nullable() }),
    ...{ verificationToken: secret, verificationUrl: secret, emailed: z.boolean() },
    emailedReason,
    ...{ reminders: z.boolean(), createdAt: instant, expiresAt: instant },
    ...{ endedAt: instant.nullable(), openedAt: instant.nullable() },
    items: z.array(z.object({ type, id, state, reason: z.string().nullable() })),
  })
  .meta({ id: "VerificationRequest" });

const own = { type: z.literal("entry"), entry: linkedEntry };
const ownRope = { type: z.literal("rope_hour"), ropeHour: linkedRopeHours };

const item = z.union([
  z.object({ ...own, id, state, hash: z.string() }),
  z.object({ ...ownRope, id, state, hash: z.string() }),
]);

const shownLink = z.union([
  z.object({ ...own, user: technician }),
  z.object({ ...ownRope, user: technician }),
  z.object({
    ...{ type: z.literal("request"), user: technician, supervisor: z.object({ name: z.string().nullable() }) },
    ...{ expiresAt: instant, items: z.array(item) },
  }),
]);

const decided = z.union([
  z.object({ message: z.string(), entry: linkedEntry }),
  z.object({ message: z.string(), ropeHour: linkedRopeHours }),
  z.object({
    ...{ message: z.string(), verified: z.int(), declined: z.int(), skipped: z.int() },
    items: z.array(item),
  }),
]);

const disownable = z.object({
  supervisor: z.object({ name: z.string() }),
  records: z.array(z.union([z.object({ ...own, user: technician }), z.object({ ...ownRope, user: technician })])),
});

/** The calls of requests, and those of the supervisor's links. `m` is the second secret of a mailed link. */
export const VERIFICATION_CALLS: DescribedCalls = {
  "GET /api/verification-requests": {
    summary: "The user's requests, at most 100 with the next page in Link",
    ...OWN,
    query: idListSchema(SHORT_LIST_MAX),
    answer: z.array(request),
  },
  "POST /api/verification-requests": {
    summary: "Ask a supervisor to verify 1 to 100 records",
    ...MAKES,
    body: newRequestSchema,
    answer: request,
  },
  "GET /api/verification-requests/{id}": { summary: "A request", ...OWN, answer: request },
  "PATCH /api/verification-requests/{id}": {
    summary: "Turn reminders on or off",
    ...OWN,
    body: remindersSchema,
    answer: request,
  },
  "DELETE /api/verification-requests/{id}": { summary: "Withdraw a request", ...OWN, answer: request },
  "POST /api/verification-requests/{id}/remind": {
    summary: "Send the email again, once a day",
    ...OWN,
    answer: request,
  },
  "GET /api/verify/{token}": { summary: "What a link asks for", ...PUBLIC, answer: shownLink },
  "POST /api/verify/{token}": {
    summary: "Verify what a link asks for",
    ...PUBLIC,
    query: z.object({ m: z.string().optional() }),
    body: answersSchema,
    answer: decided,
  },
  "POST /api/verify/{token}/decline": {
    summary: "Decline all that waits",
    ...PUBLIC,
    query: z.object({ m: z.string().optional() }),
    body: declineSchema,
    answer: message,
  },
  "POST /api/verify/{token}/unknown": {
    summary: "Say that you do not know the technician: what waits ends, and they cannot email you again",
    ...PUBLIC,
    answer: message,
  },
  "GET /api/disown/{token}": { summary: "What was verified in that name", ...PUBLIC, answer: disownable },
  "POST /api/disown/{token}": {
    summary: "Say that it was somebody else",
    ...PUBLIC,
    body: disownSchema,
    answer: message.extend({ disowned: z.int() }),
  },
  "GET /api/confirm/{token}": { summary: "What was verified in that name by a link", ...PUBLIC, answer: disownable },
  "POST /api/confirm/{token}": {
    summary: "Say from the mailbox that its owner verified these",
    ...PUBLIC,
    body: confirmSchema,
    answer: message.extend({ confirmed: z.int() }),
  },
  "POST /api/supervisor-inbox": {
    summary: "Email a link to all that waits for an address",
    ...PUBLIC,
    body: inboxSchema,
    answer: message,
  },
};
