import { eq, type SQL, sql } from "drizzle-orm";
import { type LastEvent, lastEvent } from "#app/audit-log/log.server.ts";
import type { Db } from "#app/db/client.server.ts";
import { endedLinks, entries, ropeHours, users } from "#app/db/schema.ts";
import { type Entry, entryColumns } from "#app/records/entry/entries.server.ts";
import type { RequestedRecord } from "#app/records/own-record.server.ts";
import { shownHash } from "#app/records/record-hash.server.ts";
import { type RopeHours, ropeHoursColumns } from "#app/records/rope-hours/rope-hours.server.ts";
import type { LinkView, VerifiableRecord } from "./record.ts";

/** Who asks: the id of the signed-in account, null where there is none. */
interface Viewed {
  viewerId: number | null;
}

interface Person {
  id: number;
  name: string | null;
  employeeNumber: string | null;
}

/** What is behind a link, beside what whoever has it may see. */
interface Behind {
  stored: { record: RequestedRecord; owner: Person };
  /** The hash of what it shows. */
  shown: string;
  /** The last line of the record's log. */
  last: LastEvent | undefined;
}

export type OpenLink = Extract<LinkView, { state: "open" | "verified" }> & Behind & Viewed;
export type NoLink = Extract<LinkView, { state: "unknown" }> & Viewed;
export type Link = NoLink | OpenLink;

export const NO_LINK: NoLink = { state: "unknown", record: null, isOwn: false, ended: null, viewerId: null };

/** The statements that find the record with this token, of either kind, whose it is, its log's last line, or its end. */
export function linkQueries(db: Db, token: string) {
  return {
    entry: db.select(entryColumns).from(entries).where(eq(entries.verificationToken, token)),
    ropeHour: db.select(ropeHoursColumns).from(ropeHours).where(eq(ropeHours.verificationToken, token)),
    owner: db
      .select({ id: users.id, name: users.name, employeeNumber: users.employeeNumber })
      .from(users)
      .where(
        sql`${users.id} IN (SELECT user_id FROM ${entries} WHERE verification_token = ${token}
          UNION ALL SELECT user_id FROM ${ropeHours} WHERE verification_token = ${token})`,
      ),
    lastOfEntry: lastEvent(db, "entry", sql<number>`(SELECT id FROM ${entries} WHERE verification_token = ${token})`),
    lastOfRope: lastEvent(
      db,
      "rope_hour",
      sql<number>`(SELECT id FROM ${ropeHours} WHERE verification_token = ${token})`,
    ),
    ended: db.select({ cause: endedLinks.cause }).from(endedLinks).where(eq(endedLinks.token, token)),
  };
}

/** Whether a token is none that was ever made for a link, as an expression. */
export function isUnknown(token: string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${entries} WHERE verification_token = ${token}
    UNION ALL SELECT 1 FROM ${ropeHours} WHERE verification_token = ${token}
    UNION ALL SELECT 1 FROM ${endedLinks} WHERE token = ${token})`;
}

type Rows<Q> = { [K in keyof Q]: Awaited<Q[K]> };

/** What those have found, for this viewer. */
export function linkFromRows(
  { entry, ropeHour, owner, lastOfEntry, lastOfRope, ended }: Rows<ReturnType<typeof linkQueries>>,
  token: string,
  viewerId: number | null,
): Link {
  const found = entry[0] ?? ropeHour[0];
  const [person] = owner;
  if (!found || !person) return { ...NO_LINK, ended: ended[0]?.cause ?? null, viewerId };
  return {
    state: found.verified ? "verified" : "open",
    record: shownOf(found, person),
    isOwn: person.id === viewerId,
    ended: null,
    viewerId,
    stored: { record: { ...found, verificationToken: token }, owner: person },
    shown: shownHash(found, person),
    last: lastOfEntry[0] ?? lastOfRope[0],
  };
}

/** What the page of a link gets: what its visitor may see, and nothing of what is behind it. */
export function visibleLink(link: Link): LinkView {
  if (link.state === "unknown") return { state: link.state, record: null, isOwn: false, ended: link.ended };
  return { state: link.state, record: link.record, isOwn: link.isOwn, ended: null };
}

/** The record as a supervisor sees it: of its owner the name and the employee number, and nothing more. */
function shownOf({ userId: _, ...record }: Entry | RopeHours, { name, employeeNumber }: Person): VerifiableRecord {
  const user = { name, employeeNumber };
  return "method" in record ? { type: "entry", user, entry: record } : { type: "rope_hour", user, ropeHour: record };
}
