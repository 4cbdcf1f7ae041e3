import { eq, type SQL, sql } from "drizzle-orm";
import { type LastEvent, lastEvent } from "#app/audit-log/log.server.ts";
import type { Db, Rows } from "#app/db/client.server.ts";
import { endedLinks, users } from "#app/db/schema.ts";
import { forEachKind, KINDS, type Kind, type RecordWithToken } from "#app/records/kinds.ts";
import { selectRecords } from "#app/records/queries.server.ts";
import { shownHash } from "#app/records/record-hash.server.ts";
import { type LinkView, verifiableRecord } from "./record.ts";

interface Viewed {
  /** The id of the signed-in account, or null. */
  viewerId: number | null;
}

interface Person {
  id: number;
  name: string | null;
  employeeNumber: string | null;
}

/** The data of an open or used link that its page does not get. */
interface LinkDetails {
  kind: Kind;
  stored: { record: RecordWithToken; owner: Person };
  /** The hash of what the link shows. */
  shown: string;
  last: LastEvent | undefined;
}

export type OpenLink = Extract<LinkView, { state: "open" | "verified" }> & LinkDetails & Viewed;
export type NoLink = Extract<LinkView, { state: "unknown" }> & Viewed;
export type Link = NoLink | OpenLink;

export const NO_LINK: NoLink = { state: "unknown", record: null, isOwn: false, ended: null, viewerId: null };

/** `SELECT … WHERE verification_token = …` over the records of every kind. */
function unionByToken(columns: SQL, token: string): SQL {
  const selects = KINDS.map(({ table }) => sql`SELECT ${columns} FROM ${table} WHERE verification_token = ${token}`);
  return sql.join(selects, sql` UNION ALL `);
}

/** The queries that find the record with this token, its owner and the last event of its log, or why the link ended. */
export function linkQueries(db: Db, token: string) {
  return {
    records: forEachKind((kind) => selectRecords(db, kind, { where: eq(kind.table.verificationToken, token) })),
    lastEvents: forEachKind(({ name, table }) =>
      lastEvent(db, name, sql<number>`(SELECT id FROM ${table} WHERE verification_token = ${token})`),
    ),
    owner: db
      .select({ id: users.id, name: users.name, employeeNumber: users.employeeNumber })
      .from(users)
      .where(sql`${users.id} IN (${unionByToken(sql`user_id`, token)})`),
    ended: db.select({ cause: endedLinks.cause }).from(endedLinks).where(eq(endedLinks.token, token)),
  };
}

/** The condition that a token was never made for a link. */
export function isUnknown(token: string): SQL {
  return sql`NOT EXISTS (${unionByToken(sql`1`, token)} UNION ALL SELECT 1 FROM ${endedLinks} WHERE token = ${token})`;
}

/** The link that the rows of `linkQueries` describe, for this viewer. */
export function linkFromRows(
  { records, lastEvents, owner, ended }: Rows<ReturnType<typeof linkQueries>>,
  token: string,
  viewerId: number | null,
): Link {
  const kind = KINDS.find(({ name }) => records[name]?.[0]);
  const row = kind && records[kind.name]?.[0];
  const [person] = owner;
  if (!row || !person) return { ...NO_LINK, ended: ended[0]?.cause ?? null, viewerId };
  const record = { ...row, verificationToken: token };
  return {
    state: record.verified ? "verified" : "open",
    record: verifiableRecord(kind, person, record),
    isOwn: person.id === viewerId,
    ended: null,
    viewerId,
    kind,
    stored: { record, owner: person },
    shown: shownHash(kind, record, person),
    last: lastEvents[kind.name]?.[0],
  };
}

/** The part of a link that its page gets: what its visitor may see. */
export function visibleLink(link: Link): LinkView {
  if (link.state === "unknown") return { state: link.state, record: null, isOwn: false, ended: link.ended };
  return { state: link.state, record: link.record, isOwn: link.isOwn, ended: null };
}
