import { type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "#app/calendar-date.ts";
import { batch, type Db, groupBy, insertSelect } from "#app/db/client.server.ts";
import { type MessageRow, outbox } from "#app/db/schema.ts";
import { holdsLease, queueMessage } from "#app/mail/outbox.server.ts";
import { mayGetNotice, noteNotice } from "#app/mail/suppression.server.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import { hashSubject, latest } from "#app/server/attempt-limits.server.ts";
import { forEachItem } from "#app/server/logger.server.ts";
import { hmac } from "#app/server/secrets.server.ts";
import {
  supervisorNotices,
  verificationAnswers,
  verificationItems,
  verificationRequests,
} from "#app/verification/requests.table.ts";
import { mayReach, recipientOf } from "./limits.server.ts";
import type { SweepContext } from "./reminder.server.ts";

/*
 * A notice tells the address of a request what was verified in its name: the receipt after a verification that came from the
 * mailbox, the digest after those that came by a link which anyone may have used. One a day at most, with everything since
 * the last; so the first is sent within a minute. A day counts from when the last one was sent, and while one waits for the
 * mail service there is no other, so two never arrive together.
 */

/** How many days a notice's records can be disowned. */
export const DISOWN_DAYS = 90;
const DISOWN_MS = DISOWN_DAYS * DAY_MS;

/** Answers that are older are not told any more, in milliseconds: mail was off, or the mail service did not work. */
export const TELL_MS = 30 * DAY_MS;

/** The most mailboxes that one sweep sends a notice to. The next sweeps continue with the others. */
const AT_ONCE = 50;

/** How many addresses one sweep reads: one account makes 100 requests a day. */
const ADDRESSES = 5_000;

/** An address for which something was verified, and whose hours they are. */
interface UntoldAddress {
  address: string;
  userId: number;
}

/** The answers of these addresses that no notice tells yet, in requests that meet a condition. */
function untold(addresses: UntoldAddress[], now: Date, isOne: SQL = sql`true`): SQL {
  const list = JSON.stringify(addresses.map(({ address }) => address));
  return sql`notice_id IS NULL AND suppressed = 0 AND at > ${now.getTime() - TELL_MS} AND request_id IN (
      SELECT id FROM ${verificationRequests} WHERE supervisor_email IN (SELECT value FROM json_each(${list})) AND ${isOne})
    AND EXISTS (SELECT 1 FROM ${verificationItems} WHERE answer_id = ${verificationAnswers.id} AND state = 'verified')`;
}

/**
 * Queues a notice to each mailbox for which something was verified, unless it had one within a day. It tells of all spellings
 * of the mailbox's address: a notice of one of them would keep those of the others back.
 */
export async function sweepNotices(context: SweepContext): Promise<void> {
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
      sql`answer.notice_id IS NULL AND answer.suppressed = 0 AND answer.at > ${now.getTime() - TELL_MS} AND request.supervisor_email IS NOT NULL
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
 * For `supervisor_email`: the spelling that a notice goes to comes first, and an erased address last. It is the shortest one,
 * and among equally short ones the first in the alphabet: what follows a `+` is not everywhere the same mailbox.
 */
export const TOLD_FIRST = sql`length(supervisor_email) NULLS LAST, supervisor_email`;

/**
 * Tells a mailbox of what was verified for technicians who may write to it (`mayReach`). What was verified for others waits
 * until they may: anyone can ask a stranger and answer the link as the stranger.
 */
async function notify(context: SweepContext, addresses: UntoldAddress[], secret: string): Promise<void> {
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
  const mayBeTold = sql`user_id IN (SELECT ${reader.userId} FROM json_each(${technicians}) AS reader
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
        AND EXISTS (SELECT 1 FROM ${verificationAnswers} WHERE ${untold(addresses, now, mayBeTold)})`,
    ).returning({ id: supervisorNotices.id }),
    told: db
      .update(verificationAnswers)
      .set({ noticeId: sql`${noticeId}` })
      .where(sql`${untold(addresses, now, mayBeTold)} AND ${noticeId} IS NOT NULL`),
    noticed: noteNotice({ db, now, secret }, address, sql`${noticeId} IS NOT NULL`),
    // The record's page says so. The sweep does not try again.
    suppressed: db
      .update(verificationAnswers)
      .set({ suppressed: true })
      .where(sql`${untold(addresses, now)} AND NOT ${mayGetNotice(secret, address)}`),
    queued: queueMessage(context, {
      kind: "supervisor_notice",
      userId: sql`user_id`,
      requestId: sql`id`,
      submission: nonce,
      recipient: sql`(SELECT ${reader.recipient} FROM json_each(${technicians}) AS reader WHERE ${reader.userId} = user_id)`,
      from: sql`FROM ${verificationRequests} WHERE id = (SELECT id FROM ${verificationRequests}
        WHERE id IN (SELECT request_id FROM ${verificationAnswers} WHERE notice_id = ${noticeId})
        ORDER BY ${TOLD_FIRST}, id DESC LIMIT 1)`,
    }),
  });
}

/** The statement with which the days of a notice's link begin at an attempt to send it (`onStart`). */
export function extendNotice(db: Db, message: MessageRow, now: Date) {
  return db
    .update(supervisorNotices)
    .set({ expiresAt: new Date(now.getTime() + DISOWN_MS) })
    .where(sql`nonce = ${message.submission} AND ${holdsLease(message)}`);
}

/** The mailbox of notices, as it is stored. */
function recipientOfNotices(secret: string, address: string): string {
  return hashSubject(secret, "notice", normalizeMailbox(address));
}

/** What the links of a notice are for. */
export type NoticeUse = "disown" | "confirm";

/** The token of a notice's link: `{id}.{HMAC}`. It is made from the row and the secret, and stored nowhere. */
export function noticeToken(secret: string, use: NoticeUse, { id, nonce }: { id: number; nonce: string }): string {
  return `${id}.${hmac(secret, `${use}\n${id}\n${nonce}`)}`;
}
