import { and, asc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { id, instant, recordType } from "#app/api/answers.ts";
import { api, endpoints } from "#app/api/endpoint.server.ts";
import { idsAfter } from "#app/db/client.server.ts";
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

/** Any whole number: it is compared and never looked up, so another account's id shows nothing. */
const after = z
  .string()
  .regex(/^-?\d{1,30}$/, { error: "after must be a whole number: the id of the last event that you have" })
  .transform((text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER));

const calls = endpoints(
  { name: "Events", description: "Events of the user's records and requests, for programs that follow them." },
  api("/api/events", {
    access: "user",
    GET: {
      summary: "The events after an event, oldest first, at most 500; an empty list at the end",
      description: 'Events are kept for 90 days. docs/api.md, "Following an account", says how a program follows them.',
      query: listSchema(EVENTS_MAX, { after: after.default(0) }),
      answer: z.array(event),
      isFeed: true,
      async run({ query, context }) {
        const { found } = await requireUser(context, (owner, db) => ({
          found: db
            .select()
            .from(events)
            .where(and(eq(events.userId, owner), sql.raw(idsAfter("id", query.after))))
            .orderBy(asc(events.id))
            .limit(query.limit),
        }));
        return found.map(({ id, type, recordKind, recordId, requestId }) => ({
          id,
          type,
          at: new Date(Math.floor(id / 1000)),
          ...(recordId !== null && { record: { type: recordKind, id: recordId } }),
          ...(requestId !== null && { request: requestId }),
        }));
      },
    },
  }),
);

export { calls as action, calls as loader };
