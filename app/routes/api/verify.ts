import type { AppLoadContext } from "@remix-run/cloudflare";
import { z } from "zod";
import { id, instant, linkedRecord, message } from "#app/api/answers.ts";
import { api, endpoints, withNext } from "#app/api/endpoint.server.ts";
import { shownFactsSchema } from "#app/audit-log/event-facts.ts";
import { ITEM_STATES } from "#app/db/enumerations.ts";
import { AppError } from "#app/errors.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import { ofStatements } from "#app/records/evidence.ts";
import { idListSchema, LIST_MAX, listSchema, positive, querySchema } from "#app/server/query.ts";
import { askForInbox, INBOX_ASKED } from "#app/supervisor-mail/inbox.server.ts";
import type { NoticeUse } from "#app/supervisor-mail/notice.server.ts";
import { answerRequest, findVerifyLink } from "#app/verification/answer/answer-request.server.ts";
import {
  answeredJson,
  declineRequest,
  readAnswers,
  refuseTechnician,
  requestJson,
  requireForeignLink,
  UNKNOWN_TECHNICIAN,
} from "#app/verification/answer/answers.server.ts";
import { noteOpening } from "#app/verification/answer/opening.server.ts";
import { LINK_FAILURE, linkFailureMessage } from "#app/verification/link-ends.ts";
import { itemRecord } from "#app/verification/link-view.server.ts";
import {
  confirm,
  disown,
  findNotice,
  noticeJson,
  requireForeignNotice,
} from "#app/verification/notices/notice-answers.server.ts";
import { answeredMessage, recordJson, thanksMessage } from "#app/verification/record.ts";
import {
  answersSchema,
  confirmSchema,
  declineSchema,
  disownSchema,
  inboxSchema,
} from "#app/verification/verification.schema.ts";

const technician = z.object({ name: z.string().nullable(), employeeNumber: z.string().nullable() });
const state = z.enum(ITEM_STATES);

/** One of these for each kind of record. */
const ofEachKind = (more: z.ZodRawShape) => KINDS.map((kind) => z.object({ ...linkedRecord(kind), ...more }));

const item = z.union(ofEachKind({ id, state, hash: z.string() }));

const shownLink = z.union([
  ...ofEachKind({ user: technician }),
  z.object({
    type: z.literal("request"),
    user: technician,
    supervisor: z.object({ name: z.string().nullable() }),
    expiresAt: instant,
    items: z.array(item),
  }),
]);

const answered = z.union([
  ...KINDS.map((kind) => {
    const { type: _, ...record } = linkedRecord(kind);
    return z.object({ message: z.string(), ...record });
  }),
  z.object({ message: z.string(), verified: z.int(), declined: z.int(), skipped: z.int(), items: z.array(item) }),
]);

/** What the supervisor stated when they verified a record. */
const stated = {
  certification: shownFactsSchema.shape.certification,
  ...ofStatements((_, name) => shownFactsSchema.shape[name]),
};

const notice = z.object({
  supervisor: z.object({ name: z.string().nullable() }),
  records: z.array(z.union(ofEachKind({ user: technician, ...stated }))),
});

const secretOfMail = z.string().meta({ pattern: "^[\\w-]+$", description: "The secret of the mailed link" }).optional();

/** `m` is the second secret of a mailed link: with it the answer counts as from that mailbox. */
const mailed = querySchema({ m: secretOfMail });

/** With the token of a request: the secret of its mailed link, or the one that its pages have to take it back. */
const secrets = { m: secretOfMail, back: z.string().meta({ pattern: "^[\\w-]+$" }).optional() };

/** A page of a notice. */
async function listNotice(
  context: AppLoadContext,
  use: NoticeUse,
  token: string,
  query: { limit: number; before?: number | undefined },
): Promise<Response> {
  const notice = await findNotice(context, use, token, query);
  const next = notice.next === null ? null : { limit: query.limit, before: notice.next };
  return withNext(noticeJson(notice), context, next);
}

const calls = endpoints(
  { name: "Supervisor's links", description: "The supervisor's answers by a link from an email, without an account." },
  api("/api/verify/{token}", {
    access: "public",
    secret: true,
    GET: {
      summary: "What a link asks for: one record, or the records of a request",
      query: mailed,
      answer: shownLink,
      errors: ["already_answered"],
      async run({ token, context }) {
        const link = await findVerifyLink(context, token);
        if (link.state === "unknown") throw new AppError("not_found", linkFailureMessage(link));
        if (link.state === "decided") throw new AppError("already_answered", LINK_FAILURE);
        noteOpening(context, link);
        const [item, ...more] = link.items;
        if (!item || more.length > 0) return requestJson(link);
        const record = itemRecord(item, link.owner);
        const { kind: type, user } = record;
        return Response.json({ type, user, ...recordJson(record) }, { headers: { ETag: `"${item.shown}"` } });
      },
    },
    POST: {
      summary: "Verify what a link asks for, but for what is declined or skipped",
      query: mailed,
      body: answersSchema,
      answer: answered,
      errors: ["own_hours", "not_begun", "already_answered", "record_changed", "conflict"],
      before: ({ token, context }) => requireForeignLink(context, token),
      async run({ token, body, context }) {
        const link = await requireForeignLink(context, token);
        const answered = await answerRequest(context, token, readAnswers(context, link, body));
        const [item] = answered.verified;
        if (link.items.length > 1 || !item) return answeredJson(answered);
        const record = itemRecord(item, link.owner);
        return { message: thanksMessage(record), ...recordJson(record) };
      },
    },
  }),
  api("/api/verify/{token}/decline", {
    access: "public",
    secret: true,
    POST: {
      summary: "Decline all that waits",
      query: mailed,
      body: declineSchema,
      answer: message,
      errors: ["own_hours", "already_answered", "conflict"],
      before: ({ token, context }) => requireForeignLink(context, token),
      async run({ token, body, context }) {
        await requireForeignLink(context, token);
        const { declined } = await declineRequest(context, token, body);
        return { message: answeredMessage({ verified: 0, declined: declined.length }) };
      },
    },
  }),
  api("/api/verify/{token}/unknown", {
    access: "public",
    secret: true,
    POST: {
      summary:
        "Say that you do not know the technician: what waits ends, and with `m` they cannot email you again, also if it had ended",
      query: mailed,
      answer: message,
      errors: ["own_hours", "already_answered", "conflict"],
      async run({ token, context }) {
        return { message: UNKNOWN_TECHNICIAN[await refuseTechnician(context, token)] };
      },
    },
  }),
  api("/api/disown/{token}", {
    access: "public",
    secret: true,
    heavy: true,
    GET: {
      summary: "What was verified in that name, also since the notice; with `m` what was verified by that mailed link",
      query: listSchema(LIST_MAX, { before: positive("before").optional(), ...secrets }),
      answer: notice,
      run: ({ token, query, context }) => listNotice(context, "disown", token, query),
    },
    POST: {
      summary:
        "Take back verifications in that name that someone else made, or that were a mistake: the records, or all that the email lists, are unverified again",
      query: querySchema(secrets),
      body: disownSchema,
      answer: message.extend({ disowned: z.int() }),
      errors: ["own_hours", "conflict"],
      before: ({ token, context }) => requireForeignNotice(context, "disown", token),
      async run({ token, body, context }) {
        const disowned = await disown(context, token, body);
        const message = disowned === 0 ? "Nothing was left to disown." : "The records are no longer verified.";
        return { message, disowned };
      },
    },
  }),
  api("/api/confirm/{token}", {
    access: "public",
    secret: true,
    heavy: true,
    GET: {
      summary: "What was verified in that name by a link, and is not confirmed",
      query: idListSchema(LIST_MAX),
      answer: notice,
      run: ({ token, query, context }) => listNotice(context, "confirm", token, query),
    },
    POST: {
      summary: "Say from the mailbox that its owner verified the records, or all",
      body: confirmSchema,
      answer: message.extend({ confirmed: z.int() }),
      errors: ["own_hours", "conflict"],
      before: ({ token, context }) => requireForeignNotice(context, "confirm", token),
      async run({ token, body, context }) {
        const confirmed = await confirm(context, token, body);
        const message = confirmed === 0 ? "Nothing was left to confirm." : "Thank you. The records are confirmed.";
        return { message, confirmed };
      },
    },
  }),
  api("/api/supervisor-inbox", {
    access: "public",
    POST: {
      summary: "Email a link to all that waits for an address; the answer is the same for every address",
      body: inboxSchema,
      answer: message,
      async run({ body, context }) {
        await askForInbox(context, body.email);
        return { message: INBOX_ASKED };
      },
    },
  }),
);

export { calls as action, calls as loader };
