import { asc, type SQL, sql } from "drizzle-orm";
import type { LastEvent } from "#app/audit-log/log.server.ts";
import { lastEvents } from "#app/audit-log/log.server.ts";
import type { Db, Rows } from "#app/db/client.server.ts";
import type { ItemState, LinkEnd } from "#app/db/enumerations.ts";
import { users } from "#app/db/schema.ts";
import { forEachKind, type Kind, kindNamed, type RecordWithToken } from "#app/records/kinds.ts";
import { selectRecords } from "#app/records/queries.server.ts";
import { shownHash } from "#app/records/record-hash.server.ts";
import { type RequestRow, verificationItems, verificationRequests } from "./requests.table.ts";

interface Person {
  id: number;
  name: string | null;
  employeeNumber: string | null;
}

/** An item of a request with its record, the hash of what its supervisor sees, and the last event of its log. */
export interface LinkItem {
  kind: Kind;
  record: RecordWithToken;
  state: ItemState;
  cause: LinkEnd | null;
  reason: string | null;
  shown: string;
  last: LastEvent | undefined;
}

interface Viewed {
  /** The id of the signed-in account, or null. */
  viewerId: number | null;
  /** Whether that is the technician who asks. */
  isOwn: boolean;
}

/** A link that leads nowhere: its token is unknown, or its request has ended, for `ended`, before it was answered. */
export interface NoLink extends Viewed {
  state: "unknown";
  ended: LinkEnd | null;
  items: [];
}

/** A link whose request can be answered (`open`), or whose records are all decided. */
export interface FoundLink extends Viewed {
  state: "open" | "decided";
  request: RequestRow;
  owner: Person;
  /** In the order in which they were asked for. Records that were deleted are left out. */
  items: LinkItem[];
}

export type Link = NoLink | FoundLink;

export const NO_LINK: NoLink = { state: "unknown", ended: null, items: [], isOwn: false, viewerId: null };

/** The causes of an end after which a link counts as decided: somebody has answered about the record. */
const DECIDED: (LinkEnd | null)[] = ["elsewhere", "disowned"];

/** `requestQueries` for the request of a link. */
export function linkQueries(db: Db, token: string) {
  return requestQueries(db, sql`token = ${token}`);
}

/** The queries for one request, its technician, its items with their records, and the last events of their logs. */
export function requestQueries(db: Db, which: SQL) {
  const request = sql`(SELECT id FROM ${verificationRequests} WHERE ${which})`;
  const records = ({ name }: Kind): SQL =>
    sql`(SELECT record_id FROM ${verificationItems} WHERE request_id = ${request} AND record_kind = ${name})`;
  return {
    request: db.select().from(verificationRequests).where(which),
    items: db
      .select()
      .from(verificationItems)
      .where(sql`request_id = ${request}`)
      .orderBy(asc(verificationItems.position)),
    owner: db
      .select({ id: users.id, name: users.name, employeeNumber: users.employeeNumber })
      .from(users)
      .where(sql`id = (SELECT user_id FROM ${verificationRequests} WHERE ${which})`),
    records: forEachKind((kind) =>
      selectRecords<RecordWithToken>(db, kind, {
        where: sql`${kind.table.id} IN ${records(kind)}`,
        more: { verificationToken: kind.table.verificationToken },
      }),
    ),
    lastEvents: forEachKind((kind) => lastEvents(db, kind.name, records(kind))),
  };
}

/** The condition that a token was never made for a link. */
export function isUnknown(token: string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${verificationRequests} WHERE token = ${token})`;
}

/** The link that the rows of `linkQueries` describe, for this viewer. */
export function linkFromRows(rows: Rows<ReturnType<typeof linkQueries>>, viewerId: number | null, now: Date): Link {
  const [request] = rows.request;
  const [owner] = rows.owner;
  if (!request || !owner) return { ...NO_LINK, viewerId };
  const isOwn = owner.id === viewerId;
  const items = rows.items.flatMap(({ recordKind, recordId, state, cause, reason }): LinkItem[] => {
    const kind = kindNamed(recordKind);
    const record = rows.records[recordKind]?.find(({ id }) => id === recordId);
    const last = rows.lastEvents[recordKind]?.find((event) => event.recordId === recordId);
    return record ? [{ kind, record, state, cause, reason, shown: shownHash(kind, record, owner), last }] : [];
  });
  const found = { request, owner, items, isOwn, viewerId };
  const isWaiting = items.some(({ state }) => state === "waiting");
  if (isWaiting && request.expiresAt > now) return { ...found, state: "open" };
  if (isWaiting) return { ...NO_LINK, ended: "expired", viewerId };
  const isDecided = items.some(({ state, cause }) => state !== "ended" || DECIDED.includes(cause));
  if (isDecided) return { ...found, state: "decided" };
  const ended = rows.items.find(({ cause }) => cause)?.cause ?? null;
  return { ...NO_LINK, ended, viewerId };
}
