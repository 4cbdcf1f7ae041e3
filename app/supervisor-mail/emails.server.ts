import { type SQL, sql } from "drizzle-orm";
import { lastCheckpoint } from "#app/audit-log/grow-tree.server.ts";
import { formatDate, formatDay, formatInstant, toCalendarDate } from "#app/calendar-date.ts";
import { batch, type Db } from "#app/db/client.server.ts";
import { type MessageRow, outbox, users } from "#app/db/schema.ts";
import type { ComposeContext, Composers, Mark } from "#app/mail/deliver.server.ts";
import { type Email, formatGreeting } from "#app/mail/email.ts";
import { counting, holdsLease, isTooLate } from "#app/mail/outbox.server.ts";
import { isNotSuppressed, unsubscribeUrl } from "#app/mail/suppression.server.ts";
import { plainName, withoutLinks } from "#app/mail/typed-text.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { countRecords, dateOf } from "#app/records/kind.ts";
import { linkFromRows, mailboxSecret, requestQueries } from "#app/verification/link.server.ts";
import { itemRecord } from "#app/verification/link-view.server.ts";
import { answersOf, noticeQueries, recordsOfNotice } from "#app/verification/notices/notice-answers.server.ts";
import { type VerifiableRecord, verifiableRecord } from "#app/verification/record.ts";
import { appendRequestEvent } from "#app/verification/request-events.server.ts";
import { listExpiring } from "#app/verification/requests/expiry.server.ts";
import {
  requestEvents,
  supervisorNotices,
  verificationAnswers,
  verificationItems,
  verificationRequests,
} from "#app/verification/requests.table.ts";
import { addSums, type GroupSum, sumsTable } from "#app/verification/sums.tsx";
import { isKnownTechnician } from "#app/verification/unknown-technicians.server.ts";
import { digests } from "./digest.server.ts";
import { inHours, LISTED, recordText, requestEmail } from "./facts.ts";
import { findWaiting, inboxToken } from "./inbox.server.ts";
import { DISOWN_DAYS, extendNotice, type NoticeUse, noticeToken, TELL_MS } from "./notice.server.ts";
import { hoursUntilWork, timeZoneOf } from "./reminder-times.ts";

interface Person {
  name: string | null;
  email: string;
}

function dayOf({ kind, record }: VerifiableRecord): string {
  return dateOf(kindNamed(kind), record);
}

function factOf(record: VerifiableRecord): [string, string] {
  return [kindNamed(record.kind).texts.title, recordText(record)];
}

interface Waiting {
  technician: string | null;
  records: number;
  sums: GroupSum[];
  requestedAt: Date;
  /** The day on which its link ends. */
  answerBy: string;
  url: string;
}

function nameOf({ technician }: Waiting): string {
  return plainName(technician) ?? "A technician";
}

function labelOf(one: Waiting): string {
  return `Check and verify ${countRecords(one.records)} of ${plainName(one.technician) ?? "a technician"}`;
}

/** One link for each request that waits, the oldest first. */
function linksOf(waiting: Waiting[]): Pick<Email, "facts" | "links"> {
  return {
    facts: waiting
      .slice(0, LISTED)
      .map((one): [string, string] => [
        nameOf(one),
        `${countRecords(one.records)} since ${formatDate(one.requestedAt.toISOString().slice(0, 10))}\nAnswer by ${formatDay(one.answerBy)}`,
      ]),
    links: waiting.slice(1, LISTED).map((one) => ({ label: labelOf(one), url: one.url })),
  };
}

interface Reminder {
  supervisor: Person;
  waiting: Waiting[];
  unsubscribeUrl: string;
}

/** Reminds a supervisor of all that waits for them, from all technicians. */
function reminderEmail({ supervisor, waiting, unsubscribeUrl }: Reminder): Email {
  const all = waiting.reduce((sum, { records }) => sum + records, 0);
  const [first] = waiting;
  return {
    to: supervisor,
    subject: `Reminder: ${countRecords(all)} ${all === 1 ? "waits" : "wait"} for your answer`,
    greeting: formatGreeting(supervisor),
    lead: `${countRecords(all)} ${all === 1 ? "waits" : "wait"} for you to check and verify.`,
    ...linksOf(waiting),
    sums: sumsTable(addSums(waiting.flatMap(({ sums }) => sums))),
    // Among several links, each says whose records it leads to.
    button: { label: first && waiting.length > 1 ? labelOf(first) : "Check and verify", url: first?.url ?? "" },
    notes: ["You can also say that a record is not right. It takes half a minute and no account."],
    unsubscribeUrl,
  };
}

/** The link to all that waits for an address, which its owner asked for. */
function inboxEmail({ supervisor, url, unsubscribeUrl }: Omit<Reminder, "waiting"> & { url: string }): Email {
  return {
    to: supervisor,
    subject: "The records that wait for your answer",
    greeting: formatGreeting(supervisor),
    lead: "Somebody asked on Hours Tracker for the records that wait for this address. The link works for one hour.",
    facts: [],
    button: { label: "Open what waits for you", url },
    notes: ["If it was not you, do nothing: the link was sent to this address only."],
    unsubscribeUrl,
  };
}

interface NoticeFacts {
  supervisor: Person;
  /** The names that were typed, the last one first. */
  names: string[];
  /** Some of those without hours, and those with the most hours, the oldest day first. */
  listed: VerifiableRecord[];
  /** Of all: how many, how many of them were verified by the link alone and can be confirmed, and their hours. */
  sums: { count: number; open: number; hundredths: number };
  technicians: (string | null)[];
  urlTo(use: "disown" | "confirm"): string;
  unsubscribeUrl: string;
}

/** How many of the names that were typed an email has. */
const NAMED = 5;

/** As whom somebody verified. */
function typedAs(names: string[]): string {
  const named = names.slice(0, NAMED).map(withoutLinks);
  const more = names.length - named.length;
  if (more > 0) named.push(`${more} more ${more === 1 ? "name" : "names"}`);
  const last = named.pop();
  if (last === undefined) return "";
  return ` as ${named.length > 0 ? `${named.join(", ")} and ${last}` : last}`;
}

/** Tells a supervisor what was verified in their name, and how to confirm what came by a link, and to disown it. */
function noticeEmail({
  supervisor,
  names: typed,
  listed,
  sums,
  technicians,
  urlTo,
  unsubscribeUrl,
}: NoticeFacts): Email {
  const { count: all, open: byLink, hundredths } = sums;
  const disown = { label: "This was not me", url: urlTo("disown") };
  const unlisted = all - listed.length;
  const were = all === 1 ? "was" : "were";
  const names = [...new Set(technicians.map((name) => plainName(name) ?? "A technician"))];
  return {
    to: supervisor,
    subject: `${countRecords(all)} ${were} verified in your name`,
    greeting: formatGreeting(supervisor),
    lead: `${countRecords(all)}${inHours(hundredths)} ${were} verified in your name${typedAs(typed)}. ${byLink > 0 ? "Was that you?" : "If that was you, there is nothing to do."}`,
    facts: [["Technician", names.slice(0, LISTED).join(", ")], ...listed.map(factOf)],
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
    unsubscribeUrl,
  };
}

interface Expiring {
  owner: Person;
  /** Those that end first first. */
  requests: { id: number; supervisor: string | null; records: number; expiresAt: Date }[];
  origin: string;
}

/** Tells a technician a week before that requests end. */
function expiringEmail({ owner, requests, origin }: Expiring): Email {
  const [first, ...others] = requests;
  const nameOf = (supervisor: string | null) => plainName(supervisor) ?? "Your supervisor";
  const end = (at: Date) => formatInstant("UTC", at);
  const [id = 0, name, expiresAt = new Date(0)] = [first?.id, nameOf(first?.supervisor ?? null), first?.expiresAt];
  const isOne = others.length === 0;
  return {
    to: owner,
    subject: isOne
      ? "A verification request of yours ends in a week"
      : `${requests.length} verification requests of yours end in a week`,
    greeting: formatGreeting(owner),
    lead: isOne
      ? `${name} has not answered about ${countRecords(first?.records ?? 0)} of yours. The link ends on ${end(expiresAt)}.`
      : `${requests.length} requests of yours have not been answered. The first link ends on ${end(expiresAt)}.`,
    facts: isOne
      ? [
          ["Asked", name],
          ["Waiting", countRecords(first?.records ?? 0)],
        ]
      : requests
          .slice(0, LISTED)
          .map((one): [string, string] => [
            nameOf(one.supervisor),
            `${countRecords(one.records)}, until ${end(one.expiresAt)}`,
          ]),
    button: isOne
      ? { label: "Open the request", url: `${origin}/requests/${id}` }
      : { label: "Open your requests", url: `${origin}/requests` },
    notes: ["Asking again before that keeps the link. After that, a new request makes a new link."],
  };
}

type Kinds =
  | "verification_requested"
  | "request_expiring"
  | "verification_reminder"
  | "supervisor_notice"
  | "supervisor_inbox"
  | keyof typeof digests;

/** Composes the emails about verification from the current data. The texts of requests and digests are in emails.ts. */
export const verificationEmails: Pick<Composers, Kinds> = {
  ...digests,

  /**
   * Null if nothing in the request waits any more, or if the supervisor wants none. (An email to a former supervisor is cancelled when the request gets another.)
   * The link is made by the secret of today, so after a change of SESSION_SECRET what waits is sent with a link that works.
   */
  async verification_requested(context, message) {
    const { link, owner, earlier, checkpoint } = await findRequestData(context, message);
    if (!owner || link.state !== "open") return null;
    const { supervisorName: name, supervisorEmail: email, token } = link.request;
    const m = mailboxSecret(context.secret, link.request);
    if (name === null || email === null || m === null) return null;
    const known = await context.db
      .select({ yes: sql<number>`1` })
      .from(sql`(SELECT 1)`)
      .where(
        sql`${isKnownTechnician(context.secret, message.userId, email)} AND ${isNotSuppressed(context.secret, email)}`,
      );
    if (known.length === 0) return null;
    if (isTooLate(context, message)) return { late: true, onFailed: counting(context, message, email).onFailed };
    const records = link.items.filter(({ state }) => state === "waiting").map((item) => itemRecord(item, link.owner));
    const url = `${context.origin}/verify/${token}?m=${m}`;
    const answerBy = toCalendarDate(timeZoneOf(link.request), link.request.expiresAt);
    return {
      ...requestEmail({ owner, records, supervisor: { name, email }, url, answerBy, isReminder: earlier > 0 }),
      checkpoint: checkpoint[0],
      unsubscribeUrl: unsubscribeUrl(context, email),
      ...counting(context, message, email),
      onSent: (mark, at) => markSent(context.db, message, mark, at),
    };
  },

  /**
   * Null if nothing waits any more, or the request has another supervisor, who is reminded of nothing yet. Late once the
   * supervisor's day is over, in which a mail service that failed did not take it: a reminder neither arrives at night nor on one
   * day with the next.
   */
  async verification_reminder(context, message) {
    const { origin, now } = context;
    const isReminded = sql`reminded > 0 AND EXISTS (SELECT 1 FROM ${requestEvents} WHERE request_id = ${verificationRequests.id}
      AND event = 'reminded' AND at = ${message.createdAt.getTime()})`;
    const { request, waiting, checkpoint } = await waitingAndCheckpoint(context, message, isReminded);
    const supervisor = request && (await supervisorOf(context, request));
    if (!supervisor || waiting.length === 0) return null;
    const counts = counting(context, message, supervisor.email);
    const timeZone = timeZoneOf(request);
    const isOver = toCalendarDate(timeZone, message.createdAt) !== toCalendarDate(timeZone, now);
    if (isOver || hoursUntilWork(timeZone, now) > 0) return { late: true, onFailed: counts.onFailed };
    const list = waiting.map(({ path, expiresAt, ...one }) => ({
      ...one,
      url: `${origin}${path}`,
      answerBy: toCalendarDate(timeZone, expiresAt),
    }));
    const email = reminderEmail({
      supervisor,
      waiting: list,
      unsubscribeUrl: unsubscribeUrl(context, supervisor.email),
    });
    return { ...email, checkpoint, ...counts };
  },

  /** Null if nothing waits any more. */
  async supervisor_inbox(context, message) {
    const { secret, origin, now } = context;
    const { request, waiting, checkpoint } = await waitingAndCheckpoint(context, message);
    const supervisor = request && (await supervisorOf(context, request));
    if (!supervisor || waiting.length === 0) return null;
    const counts = counting(context, message, supervisor.email);
    if (isTooLate(context, message)) return { late: true, onFailed: counts.onFailed };
    const url = `${origin}/inbox/${inboxToken(secret, request, now)}`;
    const email = inboxEmail({ supervisor, url, unsubscribeUrl: unsubscribeUrl(context, supervisor.email) });
    return { ...email, checkpoint, ...counts };
  },

  /**
   * Null if none of its records is verified by it any more. Until then it is tried: nothing else tells of them, so it goes out
   * also if the address has stopped all emails since.
   */
  async supervisor_notice(context, message) {
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
      ...noticeQueries(db, answersOf(which), { order: "weightiest", limit: LISTED }),
    });
    const { supervisorName: name = null, supervisorEmail: email = null } = request[0] ?? {};
    const supervisor = email === null ? null : { name, email };
    const [row] = notice;
    const [sums] = rows.sums;
    const listed = recordsOfNotice(rows)
      .map(({ kind, record, owner }) => verifiableRecord(kind, owner, record))
      .sort((one, other) => dayOf(one).localeCompare(dayOf(other)));
    if (!supervisor || !row || !sums || listed.length === 0) return null;
    const urlTo = (use: NoticeUse) => `${origin}/${use}/${noticeToken(secret, use, row)}`;
    const names = answers.flatMap(({ name }) => name ?? []);
    const technicians = rows.owners.map(({ name }) => name);
    const stop = unsubscribeUrl(context, supervisor.email);
    return {
      ...noticeEmail({ supervisor, names, listed, sums, technicians, urlTo, unsubscribeUrl: stop }),
      checkpoint: checkpoint[0],
      onStart: extendNotice(db, message, now),
      giveUpAfter: TELL_MS,
    };
  },

  /** Null if nothing waits any more, or if all were renewed. */
  async request_expiring({ db, now, origin }, message) {
    const { people, requests } = await batch(db, {
      people: db.select({ name: users.name, email: users.email }).from(users).where(sql`id = ${message.userId}`),
      requests: listExpiring(db, message, now),
    });
    const [owner] = people;
    const waiting = requests.filter(({ records }) => records > 0);
    return owner && waiting.length > 0 ? expiringEmail({ owner, requests: waiting, origin }) : null;
  },
};

/** The request of a message, all that waits for its address, or what `which` selects of it, and the last checkpoint. */
async function waitingAndCheckpoint(context: ComposeContext, { requestId }: MessageRow, which?: SQL) {
  const [checkpoint] = await lastCheckpoint(context.db, context.now.getTime());
  return { checkpoint, ...(await findWaiting(context, requestId, which && { which })) };
}

/** A request's supervisor as a recipient; null if they are not known, or want no emails. */
async function supervisorOf(
  { db, secret }: ComposeContext,
  { supervisorName: name, supervisorEmail: email }: typeof verificationRequests.$inferSelect,
): Promise<{ name: string | null; email: string } | null> {
  if (email === null) return null;
  const [free] = await db.select({ yes: sql<number>`1` }).from(sql`(SELECT 1)`).where(isNotSuppressed(secret, email));
  return free ? { name, email } : null;
}

/** Marks a request's message as sent, and notes it among the request's events. */
function markSent(db: Db, message: MessageRow, mark: Mark, at: Date): Promise<unknown> {
  const where = sql`WHERE ${holdsLease(message)}`;
  return batch(db, { event: appendRequestEvent(db, message.requestId ?? 0, { event: "mailed", at }, where), mark });
}

/** Reads the rows that a message refers to, in one round trip. */
async function findRequestData({ db, now, secret }: ComposeContext, { id, userId, requestId, recipient }: MessageRow) {
  const which = sql`id = ${requestId} AND user_id = ${userId}`;
  const { person, earlier, checkpoint, ...rows } = await batch(db, {
    ...requestQueries(db, which),
    checkpoint: lastCheckpoint(db, now.getTime()),
    person: db
      .select({ name: users.name, email: users.email, employeeNumber: users.employeeNumber })
      .from(users)
      .where(sql`id = ${userId}`),
    earlier: db
      .select({ n: sql<number>`count(*)` })
      .from(outbox)
      .where(
        sql`request_id = ${requestId} AND kind = 'verification_requested' AND recipient = ${recipient}
          AND state IN ('sent', 'unknown') AND id < ${id}`,
      ),
  });
  return { owner: person[0], link: linkFromRows({ secret, now }, rows, null), earlier: earlier[0]?.n ?? 0, checkpoint };
}
