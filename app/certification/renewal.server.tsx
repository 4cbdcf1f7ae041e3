import { sql } from "drizzle-orm";
import { addDays, daysBetween, formatDate, monthsBefore } from "#app/calendar-date.ts";
import { batch, type Db, type Owner } from "#app/db/client.server.ts";
import type { Method } from "#app/db/enumerations.ts";
import { users } from "#app/db/schema.ts";
import { events } from "#app/events/events.table.ts";
import type { Composers } from "#app/mail/deliver.server.ts";
import { type Email, formatGreeting } from "#app/mail/email.ts";
import { newRequestMail, queueMessage } from "#app/mail/outbox.server.ts";
import { withoutLinks } from "#app/mail/typed-text.ts";
import { type Certificate, certificateKind, SOON_DAYS } from "#app/records/certificates/certificate.kind.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { IS_LIVE, isOwn, selectRecords } from "#app/records/queries.server.ts";
import { records, renewals } from "#app/records/records.table.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";
import { forEachItem } from "#app/server/logger.server.ts";

/*
 * A technician is told 90, 30 and 7 days before a certificate, a test or another document ends: by the event
 * `certificate.expiring`, and by one email with all of that day. The table `renewals` has the day on
 * which each is due next; triggers add its rows. So a run reads only what is due, and no stage is told twice.
 */

/** How many days before the end, after the first time. */
const LATER_STAGES = [30, 7];

/** Days during which a person gets no second renewal email: they logged a certificate that expires soon, or the timer was off. */
const APART_DAYS = 3;

/** So many people are told in one run; the next run tells the others. */
const AT_ONCE = 50;

/** The number of due certificates whose owners one run looks up. */
const DUE_MAX = 1_000;

/** In UTC, when a day's emails are sent: the morning in Europe. */
const MORNING_MS = 7 * 60 * 60 * 1000;

/** How many certificates an email lists one by one. */
const LISTED = 20;

const KIND = "certificate_expiring";

/**
 * Writes the events of the certificates that expire soon and queues the emails to their owners: not to those who switched them
 * off, to addresses that are not confirmed, or without mail (`null`). One that was deleted waits for as long as it can be
 * restored.
 */
export async function sweepRenewals(db: Db, now: Date, mail: object | null): Promise<void> {
  const day = new Date(now.getTime() - MORNING_MS).toISOString().slice(0, 10);
  const due = sql`(SELECT user_id FROM ${renewals} WHERE due_on <= ${day} ORDER BY due_on LIMIT ${DUE_MAX})`;
  const found = await db
    .selectDistinct({ userId: sql<number>`user_id`.as("owner") })
    .from(due)
    .limit(AT_ONCE);
  // One transaction for each: somebody may have thousands.
  await forEachItem(found, ({ userId }) => tell({ db, now, mail }, userId, day));
}

async function tell({ db, now, mail }: { db: Db; now: Date; mail: object | null }, owner: number, day: string) {
  const isDue = sql`user_id = ${owner} AND due_on <= ${day}`;
  const isLive = sql`EXISTS (SELECT 1 FROM ${records} WHERE id = ${renewals}.record_id AND ${IS_LIVE})`;
  const told = sql`FROM ${renewals} WHERE ${isDue} AND ends_on >= ${day} AND ${isLive}`;
  const wantsEmails = sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${owner} AND renewal_emails = 1)`;
  // The last stage that is due is told; the next one is a later one.
  const stages = LATER_STAGES.map((days) => sql`date(ends_on, ${`-${days} days`})`);
  const next = sql`CASE ${sql.join(
    stages.map((on) => sql`WHEN ${on} > ${addDays(day, APART_DAYS)} THEN ${on}`),
    sql` `,
  )} END`;
  await batch(db, {
    events: db
      .insert(events)
      .select(sql`SELECT 0, user_id, 'certificate.expiring', ${certificateKind.name}, record_id, NULL ${told}`),
    ...(mail && {
      emails: queueMessage(
        { db, now, mail: newRequestMail(true) },
        {
          kind: KIND,
          userId: sql`${owner}`,
          submission: sql`json_group_array(record_id)`,
          from: sql`${told} AND ${wantsEmails}`,
          grouping: sql`GROUP BY user_id`,
        },
      ),
    }),
    next: db
      .update(renewals)
      .set({ dueOn: sql`iif(${isLive}, ${next}, ${addDays(day, 1)})` })
      .where(isDue),
  });
}

/** Composes the email from the current data. */
export const renewalEmails: Pick<Composers, typeof KIND> = {
  /** Null if its certificates were deleted, revoked or renewed meanwhile, or the emails switched off. */
  async [KIND]({ db, now, origin }, { userId, submission }) {
    const today = now.toISOString().slice(0, 10);
    const ids = sql`id IN (SELECT value FROM json_each(${submission ?? "[]"}))`;
    const { people, certificates, ...thin } = await batch(db, {
      people: db
        .select({ name: users.name, email: users.email })
        .from(users)
        .where(sql`id = ${userId} AND renewal_emails = 1`),
      certificates: selectRecords<Certificate>(db, certificateKind, {
        where: sql`user_id = ${userId} AND ${ids} AND revoked_on IS NULL AND end_date BETWEEN ${today} AND ${addDays(today, SOON_DAYS)}`,
        orderBy: [sql`end_date`, sql`id`],
      }),
      ...thinQueries(db, userId, today),
    });
    const [owner] = people;
    const [first] = certificates;
    if (!owner || !first) return null;
    return expiringEmail({
      owner,
      certificates: [first, ...certificates.slice(1)],
      thin: thinFromRows(thin),
      today,
      origin,
    });
  },
};

interface Expiring {
  owner: { name: string | null; email: string };
  /** Those that end first first. */
  certificates: [Certificate, ...Certificate[]];
  thin: Thin[];
  today: string;
  origin: string;
}

function expiringEmail({ owner, certificates, thin, today, origin }: Expiring): Email {
  const [first] = certificates;
  const count = certificates.length;
  const endOf = ({ expiresOn }: Certificate) => expiresOn ?? today; // it has one: it was found by it
  const whenOf = (certificate: Certificate) => {
    const left = daysBetween(today, endOf(certificate));
    return left === 0 ? "today" : left === 1 ? "tomorrow" : `in ${left} days`;
  };
  const noun = certificateKind.noun(first);
  const unlisted = count - LISTED;
  return {
    to: owner,
    subject:
      count === 1 ? `Your ${noun} expires ${whenOf(first)}` : `${count} of your certificates and tests expire soon`,
    greeting: formatGreeting(owner),
    lead:
      count === 1
        ? `Your ${noun} expires ${whenOf(first)}, on ${formatDate(endOf(first))}.`
        : `${count} of your certificates and tests expire soon. The first one expires ${whenOf(first)}, on ${formatDate(endOf(first))}.`,
    facts: certificates
      .slice(0, LISTED)
      .map((one): [string, string] => [
        formatDate(endOf(one)),
        [one.title, one.number, one.issuer].flatMap((text) => (text ? [withoutLinks(text)] : [])).join(", "),
      ]),
    button: { label: "Open your certificates and tests", url: `${origin}/certificates` },
    links: [{ label: "Switch these emails off", url: `${origin}/account#renewal` }],
    notes: [
      ...(unlisted > 0 ? [`${unlisted} more expire soon and are not in this list.`] : []),
      ...(thin.length > 0 ? [`No recent hours: ${thin.map(thinText).join("; ")}.`] : []),
      "This email is sent 90, 30 and 7 days before something expires. Once you have the new one, add it, or change the date of this one.",
    ],
  };
}

/**
 * The queries for where a technician's hours run thin: six months without rope for those who have
 * logged some or hold a certificate in it, and a year without a method in which they hold a certificate. Who was certified
 * later than that is not told. Read the answers with `thinFromRows`.
 */
export function thinQueries(db: Db, owner: Owner, today: string) {
  const [halfYearAgo, yearAgo] = [monthsBefore(today, 6), monthsBefore(today, 12)];
  const certificates = sql`${records} WHERE ${isOwn(owner, certificateKind)} AND subtype = 'certificate'`;
  const isValid = sql`(date <= ${today} AND coalesce(end_date >= ${today}, 1) AND coalesce(revoked_on > ${today}, 1))`;
  const isOfRope = sql`(instr(search, 'irata') OR instr(search, 'sprat') OR instr(search, 'rope'))`;
  const lastRope = sql`(SELECT end_date FROM ${records} WHERE ${isOwn(owner, ropeHoursKind)} AND date <= ${today}
    ORDER BY date DESC, id DESC LIMIT 1)`;
  const ropeSince = sql`(SELECT iif(max(${isValid}), min(date), NULL) FROM ${certificates} AND ${isOfRope})`;
  return {
    thinRope: db
      .select({ since: sql<string>`since`.as("since_day") })
      .from(sql`(SELECT coalesce(${lastRope}, ${ropeSince}) AS since)`)
      .where(sql`since <= ${halfYearAgo}`),
    thinMethods: db
      .select({ method: sql<Method>`method`.as("code") })
      .from(sql`${certificates} AND method IS NOT NULL AND method NOT IN (SELECT method FROM ${records}
        WHERE ${isOwn(owner, entryKind)} AND date > ${yearAgo} AND date <= ${today})`)
      .groupBy(sql`code`)
      .having(sql`max(${isValid}) AND min(date) <= ${yearAgo}`)
      .orderBy(sql`code`),
  };
}

/** Where hours run thin, from the rows of `thinQueries`: rope first. */
export function thinFromRows({
  thinRope,
  thinMethods,
}: {
  thinRope: unknown[];
  thinMethods: { method: Method }[];
}): Thin[] {
  return [...thinRope.map(() => "rope" as const), ...thinMethods.map(({ method }) => method)];
}

/** What a technician has not done for long: rope access, or a method in which they hold a certificate. */
export type Thin = "rope" | Method;

/** As a part of a sentence, which begins with `no`. */
function thinText(thin: Thin): string {
  return thin === "rope"
    ? "no rope hours in the last six months"
    : `no ${methodLabel(thin)} hours in the last year, and you hold a certificate in it`;
}

/** Where the hours of a technician run thin. Nothing if they do not. */
export function ThinHours({ thin }: { thin: Thin[] }) {
  if (thin.length === 0) return null;
  return (
    <section aria-labelledby="thin">
      <h2 id="thin">No recent hours</h2>
      <ul>
        {thin.map((one) => (
          <li key={one}>{`N${thinText(one).slice(1)}.`}</li>
        ))}
      </ul>
    </section>
  );
}
