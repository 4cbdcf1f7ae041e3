import { type SQL, sql } from "drizzle-orm";
import { lastCheckpoint } from "#app/audit-log/grow-tree.server.ts";
import { DAY_MS } from "#app/calendar-date.ts";
import { batch, type Db, groupBy, insertSelect } from "#app/db/client.server.ts";
import { type MessageRow, outbox } from "#app/db/schema.ts";
import type { ComposeContext, Composed } from "#app/mail/deliver.server.ts";
import { formatGreeting } from "#app/mail/email.ts";
import { holdsLease, queueMessage } from "#app/mail/outbox.server.ts";
import { mayGetNotice, noteNotice, unsubscribeUrl } from "#app/mail/suppression.server.ts";
import { plainName, withoutLinks } from "#app/mail/typed-text.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { countRecords, dateOf } from "#app/records/kind.ts";
import { hashSubject, latest } from "#app/server/attempt-limits.server.ts";
import { forEachItem } from "#app/server/logger.server.ts";
import { hmac } from "#app/server/secrets.server.ts";
import {
  answersOfNotice,
  NOTIFIED_FIRST,
  noticeQueries,
  recordsOfNotice,
} from "#app/verification/noticed-records.server.ts";
import { type VerifiableRecord, verifiableRecord } from "#app/verification/record.ts";
import {
  supervisorNotices,
  verificationAnswers,
  verificationItems,
  verificationRequests,
} from "#app/verification/requests.table.ts";
import { inHours, LISTED, recordText, type SupervisorEmail, type SweepContext } from "./facts.ts";
import { mayReach, NEWS_MS, recipientOf } from "./limits.server.ts";

/*
 * The notice goes to the address of a request and says what was verified in its name: the receipt after a verification that came from the
 * mailbox, the digest after those that came by a link which anyone may have used. One a day at most, with everything since
 * the last; so the first is sent within a minute. A day counts from when the last one was sent, and while one waits for the
 * mail service there is no other, so two never arrive together.
 */

export const email: SupervisorEmail = { kind: "supervisor_notice", compose, sweep: sweepNotices };

/** How many days a notice's records can be disowned. */
export const DISOWN_DAYS = 90;
const DISOWN_MS = DISOWN_DAYS * DAY_MS;

/** The most mailboxes that one sweep sends a notice to. The next sweeps continue with the others. */
const AT_ONCE = 50;

/** How many addresses one sweep reads: one account makes 100 requests a day. */
const ADDRESSES = 5_000;

/** An address for which something was verified, and whose hours they are. */
interface AnsweredAddress {
  address: string;
  userId: number;
}

/** The answers of these addresses that are in no notice yet, in requests that meet a condition. */
function notNotified(addresses: AnsweredAddress[], now: Date, isOne: SQL = sql`true`): SQL {
  const list = JSON.stringify(addresses.map(({ address }) => address));
  return sql`notice_id IS NULL AND suppressed = 0 AND at > ${now.getTime() - NEWS_MS} AND request_id IN (
      SELECT id FROM ${verificationRequests} WHERE supervisor_email IN (SELECT value FROM json_each(${list})) AND ${isOne})
    AND EXISTS (SELECT 1 FROM ${verificationItems} WHERE answer_id = ${verificationAnswers.id} AND state = 'verified')`;
}

/**
 * Queues a notice to each mailbox for which something was verified, unless it had one within a day. It has what was verified for
 * all spellings of the mailbox's address: a notice of one of them would keep those of the others back.
 */
async function sweepNotices(context: SweepContext): Promise<void> {
  const { db, now, secret } = context;
  const waiting = await db
    .select({
      address: sql<string>`request.supervisor_email`.as("address"),
      userId: sql<number>`request.user_id`.as("owner_id"),
    })
    .from(
      sql`${verificationAnswers} AS answer JOIN ${verificationRequests} AS request ON request.id = answer.request_id`,
    )
    .where(
      sql`answer.notice_id IS NULL AND answer.suppressed = 0 AND answer.at > ${now.getTime() - NEWS_MS} AND request.supervisor_email IS NOT NULL
        AND EXISTS (SELECT 1 FROM ${verificationItems} AS item WHERE item.answer_id = answer.id AND item.state = 'verified')`,
    )
    .groupBy(sql`request.supervisor_email, request.user_id`)
    // Some had a notice today, or may not have one yet, and wait: in a fixed order they would keep the others back.
    .orderBy(sql`min(request.email_withheld IS NOT NULL), random()`)
    .limit(ADDRESSES);
  const byMailbox = groupBy(waiting, ({ address }) => normalizeMailbox(address));
  await forEachItem([...byMailbox.values()].slice(0, AT_ONCE), (addresses) => notify(context, addresses, secret));
}

/**
 * Queues the notice to a mailbox of the verifications for technicians who may write to it (`mayReach`). Verifications
 * for others wait until they may: anyone can send a request to a stranger and answer the link as the stranger.
 */
async function notify(context: SweepContext, addresses: AnsweredAddress[], secret: string): Promise<void> {
  const { db, now } = context;
  const [first] = addresses;
  if (!first) return;
  const { address } = first; // in any spelling: they are hashed as a mailbox
  const at = now.getTime();
  const recipient = recipientOfNotices(secret, address);
  const technicians = JSON.stringify(
    [...new Set(addresses.map(({ userId }) => userId))].map((id) => [
      id,
      recipientOf({ secret }, { userId: id, address }),
    ]),
  );
  const reader = { userId: sql`reader.value ->> 0`, recipient: sql`reader.value ->> 1` };
  const mayBeNotified = sql`user_id IN (SELECT ${reader.userId} FROM json_each(${technicians}) AS reader
    WHERE ${mayReach(context, reader)})`;
  const isOfToday = (column: string) =>
    sql`${sql.raw(column)} > ${at - DAY_MS} AND ${sql.raw(column)} <= ${latest(now).getTime()}`;
  const isFree = sql`NOT EXISTS (SELECT 1 FROM ${supervisorNotices} AS notice WHERE recipient = ${recipient} AND (
    (${isOfToday("created_at")}) OR EXISTS (SELECT 1 FROM ${outbox} AS message WHERE kind = 'supervisor_notice'
      AND submission = notice.nonce AND (due_at IS NOT NULL OR ${isOfToday("ended_at")}) AND request_id IN (
        SELECT request_id FROM ${verificationAnswers} WHERE notice_id = notice.id))))`;
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const noticeId = sql`(SELECT id FROM ${supervisorNotices} WHERE nonce = ${nonce})`;
  await batch(db, {
    made: insertSelect(
      db,
      supervisorNotices,
      { recipient, nonce, createdAt: now, expiresAt: new Date(at + DISOWN_MS) },
      sql`WHERE ${isFree} AND ${mayGetNotice(secret, address)}
        AND EXISTS (SELECT 1 FROM ${verificationAnswers} WHERE ${notNotified(addresses, now, mayBeNotified)})`,
    ).returning({ id: supervisorNotices.id }),
    notified: db
      .update(verificationAnswers)
      .set({ noticeId: sql`${noticeId}` })
      .where(sql`${notNotified(addresses, now, mayBeNotified)} AND ${noticeId} IS NOT NULL`),
    noticed: noteNotice({ db, now, secret }, address, sql`${noticeId} IS NOT NULL`),
    // The record's page says so. The sweep does not try again.
    suppressed: db
      .update(verificationAnswers)
      .set({ suppressed: true })
      .where(sql`${notNotified(addresses, now)} AND NOT ${mayGetNotice(secret, address)}`),
    queued: queueMessage(context, {
      kind: "supervisor_notice",
      userId: sql`user_id`,
      requestId: sql`id`,
      submission: nonce,
      recipient: sql`(SELECT ${reader.recipient} FROM json_each(${technicians}) AS reader WHERE ${reader.userId} = user_id)`,
      from: sql`FROM ${verificationRequests} WHERE id = (SELECT id FROM ${verificationRequests}
        WHERE id IN (SELECT request_id FROM ${verificationAnswers} WHERE notice_id = ${noticeId})
        ORDER BY ${NOTIFIED_FIRST}, id DESC LIMIT 1)`,
    }),
  });
}

/** The statement with which the days of a notice's link begin at an attempt to send it (`onStart`). */
function extendNotice(db: Db, message: MessageRow, now: Date) {
  return db
    .update(supervisorNotices)
    .set({ expiresAt: new Date(now.getTime() + DISOWN_MS) })
    .where(sql`nonce = ${message.submission} AND ${holdsLease(message)}`);
}

/** The mailbox of notices, as it is stored. */
function recipientOfNotices(secret: string, address: string): string {
  return hashSubject(secret, "notice", normalizeMailbox(address));
}

/** The purpose of the links of a notice. */
export type NoticeUse = "disown" | "confirm";

/** The token of a notice's link: `{id}.{HMAC}`. It is made from the row and the secret, and stored nowhere. */
export function noticeToken(secret: string, use: NoticeUse, { id, nonce }: { id: number; nonce: string }): string {
  return `${id}.${hmac(secret, `${use}\n${id}\n${nonce}`)}`;
}

/**
 * Returns null if none of its records is still verified by it. Until then it is tried: no other email has them, so it
 * goes out even if the address has stopped all emails since.
 */
async function compose(context: ComposeContext, message: MessageRow): Promise<Composed> {
  const { db, secret, origin, now } = context;
  const which = sql`(SELECT id FROM ${supervisorNotices} WHERE nonce = ${message.submission})`;
  const { notice, answers, request, checkpoint, ...rows } = await batch(db, {
    notice: db.select().from(supervisorNotices).where(sql`nonce = ${message.submission}`),
    answers: db
      .select({ name: verificationAnswers.name })
      .from(verificationAnswers)
      .where(
        sql`notice_id = ${which} AND EXISTS (SELECT 1 FROM ${verificationItems}
          WHERE answer_id = ${verificationAnswers.id} AND state = 'verified')`,
      )
      .groupBy(verificationAnswers.name)
      .orderBy(sql`max(id) DESC`),
    request: db.select().from(verificationRequests).where(sql`id = ${message.requestId}`),
    checkpoint: lastCheckpoint(db, now.getTime()),
    ...noticeQueries(db, answersOfNotice(which), { order: "weightiest", limit: LISTED }),
  });
  const { requestedName: name = null, supervisorEmail: email = null } = request[0] ?? {};
  const supervisor = email === null ? null : { name, email };
  const [row] = notice;
  const [sums] = rows.sums;
  // Some of those without hours, and those with the most hours, the oldest day first.
  const listed = recordsOfNotice(rows)
    .map(({ kind, record, owner }) => verifiableRecord(kind, owner, record))
    .sort((one, other) => dayOf(one).localeCompare(dayOf(other)));
  if (!supervisor || !row || !sums || listed.length === 0) return null;
  const urlTo = (use: NoticeUse) => `${origin}/${use}/${noticeToken(secret, use, row)}`;
  // `byLink`: how many were verified by the link alone and can be confirmed.
  const { count: all, open: byLink, hundredths } = sums;
  const disown = { label: "This was not me", url: urlTo("disown") };
  const unlisted = all - listed.length;
  const were = all === 1 ? "was" : "were";
  // The last one first.
  const typed = answers.flatMap(({ name }) => name ?? []);
  const technicians = [...new Set(rows.owners.map(({ name }) => plainName(name) ?? "A technician"))];
  return {
    to: supervisor,
    subject: `${countRecords(all)} ${were} verified in your name`,
    greeting: formatGreeting(supervisor),
    lead: `${countRecords(all)}${inHours(hundredths)} ${were} verified in your name${typedAs(typed)} ${byLink > 0 ? "Was that you?" : "If that was you, there is nothing to do."}`,
    facts: [["Technician", technicians.slice(0, LISTED).join(", ")], ...listed.map(factOf)],
    ...(byLink > 0
      ? { button: { label: "Yes, I verified these", url: urlTo("confirm") }, links: [disown] }
      : { button: disown }),
    notes: [
      ...(unlisted > 0 ? [`And ${unlisted} more ${unlisted === 1 ? "record" : "records"} not in this list.`] : []),
      ...(byLink > 0
        ? [
            `${all === 1 ? "This record" : byLink === all ? "These records" : `${byLink} of these records`} came by a link that anyone could have used, not from this mailbox.`,
          ]
        : []),
      byLink > 0
        ? `Both lead to a page that names the records and asks before it does anything. They work for ${DISOWN_DAYS} days.`
        : `The button leads to a page that asks before it does anything. It works for ${DISOWN_DAYS} days.`,
      "If you verified something by mistake, open This was not me and say so there. It also lists what is verified in your name after this email.",
    ],
    unsubscribeUrl: unsubscribeUrl(context, supervisor.email),
    checkpoint: checkpoint[0],
    onStart: extendNotice(db, message, now),
    giveUpAfter: NEWS_MS,
  };
}

function dayOf({ kind, record }: VerifiableRecord): string {
  return dateOf(kindNamed(kind), record);
}

function factOf(record: VerifiableRecord): [string, string] {
  return [kindNamed(record.kind).texts.title, recordText(record)];
}

/** How many of the names that were typed an email has. */
const NAMED = 5;

/** The names by which the records were verified, and the end of the sentence: an initial has its full stop already. */
function typedAs(names: string[]): string {
  const named = names.slice(0, NAMED).map(withoutLinks);
  const more = names.length - named.length;
  if (more > 0) named.push(`${more} more ${more === 1 ? "name" : "names"}`);
  const last = named.pop();
  if (last === undefined) return ".";
  return ` as ${named.length > 0 ? `${named.join(", ")} and ${last}` : last}${last.endsWith(".") ? "" : "."}`;
}
