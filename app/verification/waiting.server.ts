import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Method } from "#app/db/enumerations.ts";
import { users } from "#app/db/schema.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import type { Kind } from "#app/records/kind.ts";
import { records as recordsTable } from "#app/records/records.table.ts";
import { mailboxSecret } from "./link-secrets.server.ts";
import { type RequestRow, unknownTechnicians, verificationItems, verificationRequests } from "./requests.table.ts";
import { addSums, type GroupSum } from "./sums.tsx";
import { isClosed } from "./unknown-technicians.server.ts";

/* The open requests to an address: the inbox, the reminders and the page of an answered link list them. */

/** The most requests that an inbox or a reminder lists, the oldest first. */
const LISTED = 100;

/** A request in an inbox. */
export interface WaitingRequest {
  id: number;
  technician: string | null;
  records: number;
  /** Their sums by NDT method. */
  sums: GroupSum[];
  requestedAt: Date;
  expiresAt: Date;
  /** The path of its link, with the secret of the mailbox. */
  path: string;
}

/** The queries for the first `LISTED` open requests to an address, the oldest first. Their technicians are read apart. */
export function waitingQueries(db: Db, address: string | SQL, now: Date, which: SQL) {
  const open = sql`supervisor_email = ${address} AND ended_at IS NULL AND expires_at > ${now.getTime()}
    AND ${which}`;
  const listed = (column: string) => sql`(SELECT ${sql.raw(column)} FROM ${verificationRequests} WHERE ${open}
    ORDER BY requested_at, id LIMIT ${LISTED})`;
  return {
    requests: db
      .select()
      .from(verificationRequests)
      .where(open)
      .orderBy(verificationRequests.requestedAt, verificationRequests.id)
      .limit(LISTED),
    counts: db
      .select({
        requestId: sql<number>`request_id`.as("request_id"),
        kind: sql<string>`kind`.as("kind"),
        method: sql<Method | null>`method`.as("method"),
        subtype: sql<string | null>`subtype`.as("subtype"),
        n: sql<number>`count(*)`.as("n"),
        hundredths: sql<number | null>`sum(hours)`.as("hundredths"),
      })
      .from(
        sql`(SELECT request_id, kind, method, subtype, hours FROM ${verificationItems} AS item CROSS JOIN ${recordsTable}
          ON ${recordsTable.id} = item.record_id WHERE state = 'waiting' AND request_id IN ${listed("id")})`,
      )
      .groupBy(sql`request_id, kind, method, subtype`),
    technicians: db
      .select({ id: users.id, name: users.name })
      .from(users)
      .where(sql`id IN ${listed("user_id")}`),
    /** The hashes of the mailboxes to which a technician is a stranger. */
    strangers: db
      .select({ userId: unknownTechnicians.userId, mailbox: unknownTechnicians.mailbox })
      .from(unknownTechnicians)
      .where(sql`user_id IN ${listed("user_id")}`),
  };
}

export interface WaitingRows {
  requests: RequestRow[];
  counts: {
    requestId: number;
    kind: string;
    method: Method | null;
    subtype: string | null;
    n: number;
    hundredths: number | null;
  }[];
  technicians: { id: number; name: string | null }[];
  strangers: { userId: number; mailbox: string }[];
}

/** The group of the records that have these columns. */
function groupOf({ fields, groupOf }: Kind, columns: Record<"method" | "subtype", string | null>): string {
  const own = fields.flatMap(({ name, stored }) =>
    stored === "method" || stored === "subtype" ? [[name, columns[stored]]] : [],
  );
  return groupOf(Object.fromEntries(own)); // it asks for no other columns
}

/** The requests from the rows of `waitingQueries`. */
export function waitingFromRows(
  secret: string,
  { requests, counts, technicians }: Omit<WaitingRows, "strangers">,
): WaitingRequest[] {
  return requests.flatMap((request) => {
    const own = counts.filter(({ requestId }) => requestId === request.id);
    const records = own.reduce((sum, { n }) => sum + n, 0);
    const sums = addSums(
      own.map(({ kind, method, subtype, n, hundredths }) => ({
        group: groupOf(kindNamed(kind), { method, subtype }),
        records: n,
        hundredths,
      })),
    );
    const technician = technicians.find(({ id }) => id === request.userId)?.name ?? null;
    const { id, requestedAt, expiresAt, token } = request;
    const path = `/verify/${token}?m=${mailboxSecret(secret, request)}`;
    return records > 0 ? [{ id, technician, records, sums, requestedAt, expiresAt, path }] : [];
  });
}

/**
 * Returns the other open requests to the mailbox of a link that was opened, from the rows of `waitingQueries` if they
 * were read: without the requests of technicians whom its owner does not know.
 */
export function waitingElsewhere(
  secret: string,
  address: string | null,
  { requests = [], counts = [], technicians = [], strangers = [] }: Partial<WaitingRows>,
): WaitingRequest[] {
  const isKnown = ({ userId }: RequestRow) =>
    !isClosed(
      secret,
      strangers.filter((stranger) => stranger.userId === userId),
      address,
    );
  return waitingFromRows(secret, { requests: requests.filter(isKnown), counts, technicians });
}
