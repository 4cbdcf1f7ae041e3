import { asc, desc, type SQL, sql } from "drizzle-orm";
import { type Db, insertSelect } from "#app/db/client.server.ts";
import type { RequestEvent } from "#app/db/enumerations.ts";
import type { Client } from "#app/server/client-address.server.ts";
import { type RequestEventRow, requestEvents, verificationItems } from "./requests.table.ts";

/*
 * The events of a request as a whole: its emails, and that its link was opened. Decisions are in the audit logs of its
 * records. These events are not chained: they are deleted with the request.
 */

/** The query for the events of the requests that `where` selects by `request_id`, oldest first. */
export function listRequestEvents(db: Db, where: SQL) {
  return db
    .select()
    .from(requestEvents)
    .where(sql`request_id IN (${where})`)
    .orderBy(asc(requestEvents.at), asc(requestEvents.id));
}

/** The query for the last `limit` of these events, the last one first, of those that `isInTime` selects. */
export function lastRequestEvents(db: Db, where: SQL, isInTime: SQL, limit: number) {
  return db
    .select()
    .from(requestEvents)
    .where(sql`request_id IN (${where}) AND ${isInTime}`)
    .orderBy(desc(requestEvents.at), desc(requestEvents.id))
    .limit(limit);
}

/** Selects the requests that contain a record. `id` may be an expression. */
export function requestsOfRecord(id: number | SQL<number>): SQL {
  return sql`SELECT request_id FROM ${verificationItems} WHERE record_id = ${id}`;
}

/** A request's event as it is shown. */
export type ShownRequestEvent = Omit<RequestEventRow, "id">;

interface NewRequestEvent {
  event: RequestEvent;
  at: Date;
  client?: Pick<Client, "address" | "browser">;
}

/** The statement that appends an event to a request's. `where` (`WHERE …`) can make it depend on its change. */
export function appendRequestEvent(
  db: Db,
  requestId: number | SQL,
  { event, at, client }: NewRequestEvent,
  where: SQL = sql``,
) {
  const { address, browser } = client ?? {};
  return insertSelect(db, requestEvents, { requestId, event, at, address, browser }, where).returning({
    id: requestEvents.id,
  });
}
