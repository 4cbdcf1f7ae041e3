import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { id, instant, recordType } from "#app/api/answers.ts";
import { api, endpoints } from "#app/api/endpoint.server.ts";
import { type Db, idsAfter, type Owner } from "#app/db/client.server.ts";
import { EVENT_TYPES } from "#app/db/enumerations.ts";
import { events } from "#app/events/events.table.ts";
import { listSchema } from "#app/server/query.ts";

/** The most events of an answer. */
const EVENTS_MAX = 500;

const event = z
  .object({
    id,
    type: z.enum(EVENT_TYPES),
    at: instant,
    record: z.object({ type: recordType, id }).optional(),
    request: id.optional(),
  })
  .meta({ id: "Event" });

const ownedEvent = event.extend({ userId: id }).meta({ id: "OwnedEvent" });

/** Any whole number: it is compared and never looked up, so another account's id shows nothing. Or the word for the newest event. */
const after = z
  .string()
  .regex(/^(-?\d{1,30}|latest)$/, {
    error: "after must be a whole number, the id of the last event that you have, or latest",
  })
  .transform((text) => (text === "latest" ? text : Math.min(Number(text), Number.MAX_SAFE_INTEGER)))
  .default(0)
  .meta({ description: "The id of the last event that you have; with `latest` the newest event alone" });

const query = listSchema(EVENTS_MAX, {
  after,
  type: z
    .enum(EVENT_TYPES, { error: `type must be one of ${EVENT_TYPES.join(", ")}` })
    .optional()
    .meta({ description: "Events of this type alone" }),
});

type Query = z.output<typeof query>;

/** The events that a call asks for, of those for which `where` is true. */
async function listEvents(context: AppLoadContext, { after, type, limit }: Query, where: (owner: Owner) => SQL) {
  const isLatest = after === "latest";
  const { found } = await requireUser(context, (owner: Owner, db: Db) => ({
    found: db
      .select()
      .from(events)
      .where(and(where(owner), isLatest ? sql`1` : sql.raw(idsAfter("id", after)), type && eq(events.type, type)))
      .orderBy(isLatest ? desc(events.id) : asc(events.id))
      .limit(isLatest ? 1 : limit),
  }));
  return found;
}

function eventJson({ id, type, recordKind, recordId, requestId }: typeof events.$inferSelect) {
  return {
    id,
    type,
    at: new Date(Math.floor(id / 1000)),
    ...(recordId !== null && { record: { type: recordKind, id: recordId } }),
    ...(requestId !== null && { request: requestId }),
  };
}

const SUMMARY = "after an event, oldest first, at most 500; an empty list at the end";
const HOW = 'Events are kept for 90 days. docs/api.md, "Following an account", says how a program follows them.';

const calls = endpoints(
  { name: "Events", description: "Events of the user's records and requests, for programs that follow them." },
  api("/api/events", {
    access: "user",
    GET: {
      summary: `The events ${SUMMARY}`,
      description: HOW,
      query,
      answer: z.array(event),
      isFeed: true,
      async run({ query: sent, context }) {
        const found = await listEvents(context, sent, (owner) => sql`user_id = ${owner}`);
        return found.map(eventJson);
      },
    },
  }),
  api("/api/admin/events", {
    access: "admin",
    service: true,
    fresh: true,
    GET: {
      summary: `The events of all accounts ${SUMMARY}`,
      description: HOW,
      query,
      answer: z.array(ownedEvent),
      isFeed: true,
      async run({ query: sent, context }) {
        // The owner is NULL for a user who is no admin (`requireUser`).
        const found = await listEvents(context, sent, (admin) => sql`${admin} IS NOT NULL`);
        return found.map((row) => ({ ...eventJson(row), userId: row.userId }));
      },
    },
  }),
);

export { calls as action, calls as loader };
