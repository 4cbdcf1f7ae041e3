import type { AppLoadContext } from "@remix-run/cloudflare";
import { asc, eq, sql } from "drizzle-orm";
import { requireAdmin } from "#app/accounts/access.server.ts";
import { adminUserColumns, findUserWithCounts, ifAdmin } from "#app/admin/lists.server.ts";
import { requirePerson } from "#app/admin/people.server.ts";
import { toCalendarDate } from "#app/calendar-date.ts";
import { progressFromRows, progressQueries } from "#app/certification/progress.server.ts";
import { progressOf } from "#app/certification/progress.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { type Certificate, certificateKind } from "#app/records/certificates/certificate.kind.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import {
  IS_LIVE,
  isOwn,
  type RowQuery,
  SUM_OF_HOURS,
  selectRecords,
  VERIFIED_HOURS,
} from "#app/records/queries.server.ts";
import { kinds, records } from "#app/records/records.table.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";

/** How many certificates and open requests the page of a person shows. */
const SHOWN = 8;

/**
 * The page of a person for admins, in one round trip: the account, hours by kind and method, certificates, open requests, and how
 * far they are towards their newest target.
 * @throws as `requireAdmin`; {AppError} 404 if there is no such user
 */
export async function personPage(context: AppLoadContext, id: number) {
  const today = toCalendarDate(context.timeZone, context.now);
  const { user, found, counts, sums, methods, certificates, requests, ...progress } = await requireAdmin(
    context,
    (viewer, db) => {
      const owner = ifAdmin(viewer, id);
      return {
        found: db.select(adminUserColumns).from(users).where(eq(users.id, owner)),
        counts: findUserWithCounts(db, viewer, id),
        ...sumQueries(db, owner),
        certificates: selectRecords(db, certificateKind, {
          where: eq(records.userId, owner),
          // The next end comes first, and ends in the past come last.
          orderBy: [
            sql`coalesce(end_date < ${today}, 0)`,
            sql`end_date IS NULL`,
            asc(records.endDate),
            asc(records.id),
          ],
          limit: SHOWN,
        }) as RowQuery<Certificate>,
        requests: openRequests(db, owner),
        ...progressQueries(db, owner, { today }),
      };
    },
  );
  const { targets, rows } = progressFromRows(progress);
  const [target = null] = await progressOf(targets.slice(0, 1), rows, today);
  return {
    user,
    person: requirePerson(found),
    counts: counts[0]?.counts ?? {},
    sums,
    methods,
    certificates,
    requests: requests.slice(0, SHOWN),
    hasMoreRequests: requests.length > SHOWN,
    target,
    today,
  };
}

export type PersonPage = Awaited<ReturnType<typeof personPage>>;

/** The hours of each kind and of each method of OJT entries, in hundredths. */
function sumQueries(db: Db, owner: Owner) {
  const sums = { hundredths: SUM_OF_HOURS.as("hundredths"), verified: VERIFIED_HOURS.as("verified_hundredths") };
  return {
    sums: db
      .select({
        kind: records.kind,
        count: sql<number>`count(*)`.as("record_count"),
        declined: sql<number>`coalesce(sum(declined_at IS NOT NULL), 0)`.as("declined_count"),
        last: sql<string>`max(date)`.as("last_day"),
        ...sums,
      })
      .from(records)
      .where(sql`user_id = ${owner} AND kind IN (SELECT name FROM ${kinds}) AND ${IS_LIVE}`)
      .groupBy(records.kind),
    methods: db
      .select({ method: records.method, ...sums })
      .from(records)
      .where(isOwn(owner, entryKind))
      .groupBy(records.method),
  };
}

/** The open requests, the longest asked first, with what of them waits. */
function openRequests(db: Db, owner: Owner) {
  const waiting = sql`FROM ${verificationItems} AS item JOIN ${records} AS one ON one.id = item.record_id
    WHERE item.request_id = ${verificationRequests}.id AND item.state = 'waiting'`;
  return db
    .select({
      id: verificationRequests.id,
      name: verificationRequests.requestedName,
      requestedAt: verificationRequests.requestedAt,
      openedAt: verificationRequests.openedAt,
      records: sql<number>`(SELECT count(*) ${waiting})`.as("waiting_count"),
      hundredths: sql<number>`(SELECT coalesce(sum(one.hours), 0) ${waiting})`.as("waiting_hundredths"),
    })
    .from(verificationRequests)
    .where(sql`user_id = ${owner} AND ended_at IS NULL`)
    .orderBy(asc(verificationRequests.createdAt))
    .limit(SHOWN + 1);
}
