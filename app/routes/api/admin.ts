import { z } from "zod";
import { requireAdmin, requireUser } from "#app/accounts/access.server.ts";
import { makeToken, newServiceTokenSchema } from "#app/accounts/api-tokens.server.ts";
import { resetRequestSchema } from "#app/accounts/user.schema.ts";
import { deleteRecordAsAdmin, deleteUser, restoreRecordAsAdmin } from "#app/admin/deletion.server.ts";
import { exportList, exportQuerySchema, listQuerySchema } from "#app/admin/export-list.server.ts";
import { findHistoryForAdmin, listAllRecords, listUsers } from "#app/admin/lists.server.ts";
import {
  ACT_TEXTS,
  actOnPerson,
  findPerson,
  leftSchema,
  PERSON_ACTS,
  RESET_LINK,
  sendResetLink,
} from "#app/admin/people.server.ts";
import { adminProgressCsv } from "#app/admin/progress/progress-list.server.ts";
import { progressQuerySchema } from "#app/admin/progress/progress-view.ts";
import { endServiceToken, listServiceTokens } from "#app/admin/service-tokens.server.ts";
import {
  allowEmailsAsAdmin,
  eraseSupervisorAsAdmin,
  requestLogCheck,
  sendAgain,
  systemPage,
} from "#app/admin/system.server.ts";
import { adminUser, history, id, instant, message, recordOf, serviceToken, token } from "#app/api/answers.ts";
import { api, type Endpoint, endpoints, listOf, withNext } from "#app/api/endpoint.server.ts";
import { historyJson, historySchema, olderPage } from "#app/corrections/history.server.ts";
import { MAIL_CHANGES, MESSAGE_FAILURES, MESSAGE_KINDS } from "#app/db/enumerations.ts";
import { certificateKind } from "#app/records/certificates/certificate.kind.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import type { Kind } from "#app/records/kind.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";
import { trainingKind } from "#app/records/training/training.kind.ts";
import { ADMIN_LIST_MAX, idListSchema } from "#app/server/query.ts";
import { XLSX_TYPE } from "#app/server/stream.server.ts";
import { exportOf } from "#app/transfer/export-json.server.ts";

/** The admin's endpoints of a kind of record. */
function recordEndpoints(path: `/api/admin/${string}`, kind: Kind): Endpoint[] {
  const owner = z.object({ id, name: z.string().nullable(), email: z.string() });
  return [
    api(path, {
      access: "admin",
      service: true,
      heavy: "reads",
      fresh: true,
      GET: listOf({
        summary: `All ${kind.texts.counts[0]}, with their users, at most 10,000`,
        query: listQuerySchema,
        item: recordOf(kind).extend({ user: owner }),
        async read({ limit, before = null, user: userId = null }, context) {
          const { records } = await requireAdmin(context, (viewer, db) => ({
            records: listAllRecords(db, viewer, kind, { before, userId, limit }),
          }));
          return records;
        },
        cursorOf: ({ id }) => id,
      }),
    }),
    api(`${path}/{id}`, {
      access: "admin",
      fresh: true,
      DELETE: {
        summary: "Delete any record, verified or not; it can be restored for 24 hours",
        answer: message,
        async run({ id, context }) {
          await deleteRecordAsAdmin(context, kind, id);
          return { message: kind.texts.deleted };
        },
      },
    }),
    api(`${path}/{id}/restore`, {
      access: "admin",
      fresh: true,
      POST: {
        summary: "Undo a deletion, by an admin or by the owner, within 24 hours",
        description: "The record is as it was, also a verified one. Its requests have ended.",
        answer: message,
        async run({ id, context }) {
          await restoreRecordAsAdmin(context, kind, id);
          return { message: kind.texts.restored };
        },
      },
    }),
    api(`${path}/{id}/verification`, {
      access: "admin",
      fresh: true,
      GET: {
        summary: "The last request for a record, and its audit log, 100 events a page",
        query: historySchema,
        answer: history,
        async run({ id, query, context }) {
          const { history: page } = await findHistoryForAdmin(context, kind, id, query);
          return withNext(historyJson(page), context, olderPage(page, query));
        },
      },
    }),
  ];
}

const system = z.object({
  version: z.string(),
  runtime: z
    .object({ version: z.string(), builtOn: z.iso.date() })
    .nullable()
    .meta({ description: "workerd, where the app is self-hosted" }),
  database: z.object({ bytes: z.int(), limit: z.int() }),
  backups: z.array(
    z.object({
      place: z.enum(["folder", "s3", "time_travel"]),
      at: instant.nullable(),
      encrypted: z.boolean().nullable(),
      bytes: z.int().nullable(),
    }),
  ),
  mail: z.object({
    waiting: z.int(),
    stopped: z.int(),
    failed: z.array(
      z.object({
        id,
        kind: z.enum(MESSAGE_KINDS),
        to: z.string().nullable(),
        reason: z.enum([...MESSAGE_FAILURES, "unknown"]),
        at: instant,
      }),
    ),
    changes: z
      .array(z.object({ kind: z.enum(MAIL_CHANGES), at: instant, waiting: z.int(), ended: z.int().nullable() }))
      .meta({
        description:
          "The last new version, `SESSION_SECRET` and restore within 30 days: how many emails waited, and how many of them ended unsent; null while they are held",
      }),
  }),
  timer: z.object({ lastRun: instant.nullable() }),
  logCheck: z.object({ at: instant, events: z.int(), faults: z.int() }).nullable(),
  missing: z.array(z.string()).meta({ description: "What is not configured, or not usable" }),
});

const calls = endpoints(
  { name: "Administration", description: "Users and records, for admins." },
  api("/api/admin/users", {
    access: "admin",
    service: true,
    heavy: "reads",
    fresh: true,
    GET: listOf({
      summary: "All users, at most 10,000",
      query: idListSchema(ADMIN_LIST_MAX),
      item: adminUser,
      async read({ before = null, limit }, context) {
        const { users } = await requireAdmin(context, (viewer, db) => ({
          users: listUsers(db, viewer, { before, limit }),
        }));
        return users;
      },
      cursorOf: ({ id }) => id,
    }),
  }),
  api("/api/admin/users/{id}", {
    access: "admin",
    fresh: true,
    DELETE: {
      summary: "Delete a user with all sessions, supervisors and records",
      answer: message,
      errors: ["last_admin"],
      async run({ id, context }) {
        await deleteUser(context, id);
        return { message: "User deleted" };
      },
    },
  }),
  ...PERSON_ACTS.map((act) =>
    api(`/api/admin/users/{id}/${act}`, {
      access: "admin",
      token: "none",
      fresh: true,
      POST: {
        summary: ACT_TEXTS[act].button,
        description: ACT_TEXTS[act].explains,
        answer: adminUser,
        errors: ["last_admin"],
        ...(act === "has-left" && {
          body: leftSchema,
          before: ({ id, context }) => findPerson(context, id),
        }),
        run: ({ id, body, context }) =>
          actOnPerson(context, id, act, (body as z.output<typeof leftSchema> | undefined)?.on),
      },
    }),
  ),
  api(`/api/admin/users/{id}/${RESET_LINK}`, {
    access: "admin",
    token: "none",
    fresh: true,
    POST: {
      summary: "Email a user a link to set a new password",
      description: "Where mail is off, `url` is the link, to be passed on; else it is null.",
      answer: z.object({ emailed: z.boolean(), url: z.string().nullable() }),
      errors: ["locked"],
      run: ({ id, context }) => sendResetLink(context, id),
    },
  }),
  api("/api/admin/users/{id}/export.json", {
    access: "admin",
    service: true,
    heavy: true,
    fresh: true,
    GET: {
      summary: "Everything that is a user's own, as that user gets it, without links and codes",
      answer: z.record(z.string(), z.unknown()),
      file: "application/json",
      async run({ id, context }) {
        const { person } = await findPerson(context, id);
        const { lockedAt: _, leftOn: __, ...account } = person;
        // As for a read token: who has a link can verify with it, and who has a code sees that form.
        return exportOf({ ...context, isReadOnly: true }, account);
      },
    },
  }),
  ...recordEndpoints("/api/admin/entries", entryKind),
  ...recordEndpoints("/api/admin/rope-hours", ropeHoursKind),
  ...recordEndpoints("/api/admin/training", trainingKind),
  ...recordEndpoints("/api/admin/certificates", certificateKind),
  api("/api/admin/export.csv", {
    access: "admin",
    service: true,
    heavy: true,
    fresh: true,
    GET: {
      summary: "A list of the admin's page, all of it",
      query: exportQuerySchema,
      answer: z.string(),
      file: "text/csv",
      run: ({ query, context }) => exportList(context, query, "csv"),
    },
  }),
  api("/api/admin/export.xlsx", {
    access: "admin",
    service: true,
    heavy: true,
    fresh: true,
    GET: {
      summary: "The same list as a workbook",
      query: exportQuerySchema,
      answer: z.string(),
      file: XLSX_TYPE,
      run: ({ query, context }) => exportList(context, query, "xlsx"),
    },
  }),
  api("/api/admin/progress.csv", {
    access: "admin",
    service: true,
    heavy: true,
    fresh: true,
    GET: {
      summary:
        "Every technician's hours, 10,000 a file, and with `preset` how much of its figures is verified, in percent",
      query: progressQuerySchema,
      answer: z.string(),
      file: "text/csv",
      run: ({ context }) => adminProgressCsv(context, context.url),
    },
  }),
  api("/api/admin/tokens", {
    access: "admin",
    token: "none",
    fresh: true,
    GET: listOf({
      summary: "The service tokens of all admins",
      query: idListSchema(ADMIN_LIST_MAX),
      item: serviceToken,
      async read({ before, limit }, context) {
        const { tokens } = await requireUser(context, (viewer, db) => ({
          tokens: listServiceTokens(db, viewer, { before, limit }),
        }));
        return tokens;
      },
      cursorOf: ({ id }) => id,
    }),
    POST: {
      summary: "Make a service token, which is shown this once",
      hasKey: true,
      body: newServiceTokenSchema,
      status: 201,
      answer: token.extend({ token: z.string() }),
      errors: ["account_full", "already_made"],
      async run({ body, key, context }) {
        const { user } = await requireUser(context);
        return makeToken(context, user, body, key, true);
      },
    },
  }),
  api("/api/admin/tokens/{id}", {
    access: "admin",
    token: "none",
    fresh: true,
    DELETE: {
      summary: "End a service token of any admin",
      answer: message,
      async run({ id, context }) {
        await endServiceToken(context, id);
        return { message: "Token ended" };
      },
    },
  }),
  api("/api/admin/system", {
    access: "admin",
    fresh: true,
    GET: {
      summary: "The state of the installation",
      description:
        "`database.limit` is `DATABASE_LIMIT`. A backup has nulls for what its place does not tell, as Time Travel. `mail.failed` has the last 100 of 30 days, `mail.stopped` is how many addresses stopped all emails, up to 1,000. `logCheck` is the last check that was completed.",
      answer: system,
      run: async ({ context }) => (await systemPage(context)).system,
    },
  }),
  api("/api/admin/messages/{id}/send-again", {
    access: "admin",
    token: "none",
    fresh: true,
    POST: {
      summary: "Send an email once more that failed",
      description:
        "Twice is as once. It is given up a day later, as a new one is; without mail it waits until mail is configured.",
      answer: message,
      errors: ["already_sent"],
      async run({ id, context }) {
        await sendAgain(context, [id]);
        return { message: "It will be sent again" };
      },
    },
  }),
  api("/api/admin/log-check", {
    access: "admin",
    token: "none",
    fresh: true,
    POST: {
      summary: "Check the audit log",
      description:
        "The timer does it in steps; the result is in `logCheck` of `/api/admin/system`. One that is going on goes on.",
      status: 202,
      answer: message,
      async run({ context }) {
        await requestLogCheck(context);
        return { message: "The check of the audit log has started" };
      },
    },
  }),
  api("/api/admin/erase-supervisor", {
    access: "admin",
    token: "none",
    fresh: true,
    heavy: true,
    POST: {
      summary: "Erase what all accounts hold about a supervisor",
      description:
        "In every spelling of their mailbox. `accounts` is how many accounts held something. The name on verified records stays.",
      body: resetRequestSchema,
      answer: message.extend({ accounts: z.int() }),
      run: ({ body, context }) => eraseSupervisorAsAdmin(context, body.email),
    },
  }),
  api("/api/admin/allow-emails", {
    access: "admin",
    token: "none",
    fresh: true,
    POST: {
      summary: "Let emails go out again to an address that stopped them all",
      description: "In every spelling of the mailbox. `stopped` is whether it had stopped them.",
      body: resetRequestSchema,
      answer: message.extend({ stopped: z.boolean() }),
      run: ({ body, context }) => allowEmailsAsAdmin(context, body.email),
    },
  }),
);

export { calls as action, calls as loader };
