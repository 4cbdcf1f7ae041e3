import type { AppLoadContext } from "@remix-run/cloudflare";
import { asc, type SQL, sql } from "drizzle-orm";
import { queryAsViewer } from "#app/accounts/access.server.ts";
import { addressQueries, ownMailboxReason } from "#app/accounts/own-addresses.server.ts";
import { parseFacts, type StatedNotes, statedNotes } from "#app/audit-log/event-facts.ts";
import { appendEvents, isEvent, isEventOf, lastEvents, timeAfter } from "#app/audit-log/log.server.ts";
import { type Db, inChunks, type Queries, TooManyConflictsError } from "#app/db/client.server.ts";
import { commit, retryOnConflict, SUPERVISOR_ATTEMPTS } from "#app/db/commit.server.ts";
import { eventFacts, sessions, verificationLog } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import type { FormList } from "#app/forms/read-form.server.ts";
import { ofStatements } from "#app/records/evidence.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { records } from "#app/records/records.table.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { othersTurn } from "#app/server/others-turn.ts";
import { isSafe } from "#app/server/request-line.ts";
import { isSameSecret, withAnySecret } from "#app/server/secrets.server.ts";
import { queueDigest } from "#app/supervisor-mail/digest.server.ts";
import { DISOWN_DAYS, type NoticeUse, noticeToken } from "#app/supervisor-mail/notice.server.ts";
import { sharedWith } from "#app/verification/answer/answer-request.server.ts";
import { canDisown } from "#app/verification/link-secrets.server.ts";
import { domainOf } from "#app/verification/link-view.server.ts";
import {
  answersOfNotice,
  IS_OPEN,
  idsIn,
  NOTIFIED_FIRST,
  noticeQueries,
  ownersOf,
  recordsOfNotice,
  type Selection,
  verifiedItems,
} from "#app/verification/noticed-records.server.ts";
import {
  fittingOnPage,
  itemKey,
  OWN_NOTICE,
  recordJson,
  type VerifiableRecord,
  verifiableRecord,
} from "#app/verification/record.ts";
import {
  ITEM_KIND,
  type RequestRow,
  supervisorNotices,
  verificationAnswers,
  verificationItems,
  verificationRequests,
} from "#app/verification/requests.table.ts";
import { BOXES_MAX } from "#app/verification/verification.schema.ts";

/** The boxes by which the records are chosen in a form. */
export const BOXES: FormList = { name: "records", columns: ["key"], rowsMax: BOXES_MAX };

const UNKNOWN: Record<NoticeUse | "request", string> = {
  disown: `This link is not valid, or it has expired: records can be disowned for ${DISOWN_DAYS} days.`,
  confirm: `This link is not valid, or it has expired: records can be confirmed for ${DISOWN_DAYS} days.`,
  request: `This link is not valid, or it has expired. Open This was not me in the email that told you of the verification: it works for ${DISOWN_DAYS} days.`,
};

/** How many records a page of a notice shows. */
const NOTICE_PAGE = 100;

/** How many records are answered in one transaction. Between two of them other requests have their turn. */
const AT_ONCE = 250;

/** A record with the statement of its verification: a supervisor who confirms it states the same. */
export interface NoticedRecord extends VerifiableRecord {
  stated: StatedNotes;
}

/** The verifications in a supervisor's name, as their notice lists them. */
export interface Notice {
  /** The supervisor's name as the technician typed it; null once it is erased. */
  supervisor: { name: string | null };
  /** A page of the records that the link can still answer, the newest first: those that are still verified by it, of a link
   *  to confirm those that came by the link alone and are not confirmed. */
  records: NoticedRecord[];
  /** How many these are on all pages. */
  count: number;
  /** How many of them were in the notice itself: an answer that names no records means those. */
  notified: number;
  /** How many were answered by this link already: disowned, or confirmed. */
  answered: number;
  /** The value of `?before=` for the next page; null on the last. */
  next: number | null;
  /** The domain of the supervisor's address. */
  domain: string | null;
  /** Whether the viewer is a technician whose records these are: they cannot answer. */
  isOwn: boolean;
}

/**
 * The answers that a notice is about, and all since then to requests of the address that it was sent to. There is one notice a
 * day: a supervisor who verifies by mistake after it would have to wait for the next. An answer that another spelling of the mailbox's
 * address got since is not among them: what follows a `+` is not everywhere the same mailbox.
 */
function answersSince(notice: SQL): SQL {
  const address = sql`(SELECT supervisor_email FROM ${verificationRequests}
    WHERE id IN (SELECT request_id FROM ${verificationAnswers} WHERE notice_id = ${notice}) ORDER BY ${NOTIFIED_FIRST} LIMIT 1)`;
  return sql`(SELECT id FROM ${verificationAnswers} WHERE notice_id = ${notice}
    UNION SELECT id FROM ${verificationAnswers} WHERE at >= (SELECT created_at FROM ${supervisorNotices} WHERE id = ${notice})
      AND request_id IN (SELECT id FROM ${verificationRequests} WHERE supervisor_email = ${address}))`;
}

type Verified = ReturnType<typeof recordsOfNotice>;

/** A page of a notice, or what is answered of it. */
interface Wanted {
  before?: number | undefined;
  /** Only these records, if they are named. */
  named?: { type: string; id: number }[] | undefined;
  /** Whether only what was in the notice is meant: an answer that names no record does not mean one that was not shown. */
  isNotified?: boolean;
  limit: number;
  isPart?: boolean;
}

/** Which answers the link with a token is about, and the text for a token that leads nowhere. */
interface Source {
  /** The id of a notice; 0 for the link of a request. */
  notice: number;
  /** The token of a request, of its mailed link; null for a link of a notice. */
  request: string | null;
  /** The answers that can be taken back or confirmed, and those that are meant by an answer that names no records. */
  answers: SQL;
  notified: SQL;
  unknown: string;
}

/**
 * A notice's link is about what was in the notice, to disown it also about what was verified for that address since. The
 * mailed link of a request (its token, and `m`) takes back what was verified through it: the same mailbox has both.
 */
function sourceOf(use: NoticeUse, token: string): Source {
  if (use === "disown" && !token.includes(".")) {
    const request = sql`(SELECT id FROM ${verificationRequests} WHERE token = ${token})`;
    const answers = sql`(SELECT id FROM ${verificationAnswers} WHERE request_id = ${request})`;
    return { notice: 0, request: token, answers, notified: answers, unknown: UNKNOWN.request };
  }
  const notice = Number(token.match(/^(\d{1,15})\.[\w-]{43}$/)?.[1] ?? 0);
  const notified = answersOfNotice(sql`${notice}`);
  const answers = use === "disown" ? answersSince(sql`${notice}`) : notified;
  return { notice, request: null, answers, notified, unknown: UNKNOWN[use] };
}

/** Whether a token is that of the notice's link, and in time, or of a request and came with a secret of its mailbox. */
function isGenuine(
  { secret, now, url }: AppLoadContext,
  use: NoticeUse,
  token: string,
  notice: typeof supervisorNotices.$inferSelect | undefined,
  request: RequestRow | undefined,
): boolean {
  if (!notice) return request !== undefined && canDisown(secret, request, url);
  // To confirm is to verify from the mailbox, so it needs the secret of today, as a verification does.
  const make = (one: string) => noticeToken(one, use, notice);
  const genuine = use === "disown" ? withAnySecret(secret, make) : [make(secret)];
  return genuine.some((right) => isSameSecret(token, right)) && notice.expiresAt > now;
}

/** The query for what was stated at the verifications of these records, the oldest first. */
function verificationFacts(db: Db, ids: SQL) {
  return db
    .select({
      recordId: verificationLog.recordId,
      facts: sql<string | null>`(SELECT facts FROM ${eventFacts} WHERE hash = supervisor_hash)`.as("facts"),
    })
    .from(verificationLog)
    .where(isEventOf(ids, isEvent("verified")))
    .orderBy(asc(verificationLog.number));
}

/**
 * Reads the notice of a link to disown or to confirm, with records that it can answer, in one round trip.
 * @throws {AppError} 404 for an unknown or expired link
 */
async function find(
  context: AppLoadContext,
  use: NoticeUse,
  token: string,
  { before, named, isNotified = false, limit, isPart = false }: Wanted,
) {
  const { now } = context;
  const { notice: id, request, unknown, ...source } = sourceOf(use, token);
  const answers = isNotified ? source.notified : source.answers;
  const owners = sql`IN ${ownersOf(answers)}`;
  const ids = named && sql`(SELECT value ->> 'id' FROM json_each(${JSON.stringify(named)}))`;
  const conditions = [
    ...(use === "confirm" ? [IS_OPEN] : []),
    ...(before === undefined ? [] : [sql`one.id < ${before}`]),
    ...(ids ? [sql`one.id IN ${ids}`] : []),
  ];
  const where = conditions.length > 0 ? sql.join(conditions, sql` AND `) : undefined;
  const selection: Selection = { where, order: "newest", limit, isPart };
  const { viewer, account, notice, asked, known, present, earlier, next, last, ...rows } = await queryAsViewer(
    context,
    (_owner, db) => ({
      notice: db.select().from(supervisorNotices).where(sql`id = ${id}`),
      asked: db.select().from(verificationRequests).where(sql`token = ${request}`),
      notified: db.select({ count: sql<number>`count(*)`.as("n") }).from(verifiedItems(source.notified)),
      known: db
        .select({ recordId: verificationItems.recordId, kind: ITEM_KIND })
        .from(verificationItems)
        .where(ids ? sql`answer_id IN ${answers} AND record_id IN ${ids}` : sql`false`),
      // Only an answer notes where the technicians are signed in.
      ...(!isSafe(context.visit) && {
        sessions: db
          .select({ userId: sessions.userId, address: sessions.address, browser: sessions.browser })
          .from(sessions)
          .where(sql`user_id ${owners} AND expires_at > ${now.getTime()}`),
      }),
      ...addressQueries({ now }, db, (column) => sql`${column} ${owners}`),
      last: lastEvents(db, idsIn(answers, selection)),
      ...(isSafe(context.visit) && { verifications: verificationFacts(db, idsIn(answers, selection)) }),
      ...noticeQueries(db, answers, selection, source.notified),
    }),
  );
  if (!isGenuine(context, use, token, notice[0], asked[0])) throw new AppError("not_found", unknown);
  const isOwn =
    viewer !== null &&
    present.some((technician) => {
      const of = <Row extends { userId: number }>(list: Row[]) => list.filter(({ userId }) => userId === technician.id);
      const addresses = { present: [technician], earlier: of(earlier), next: of(next) };
      return technician.id === viewer.id || ownMailboxReason(context, addresses, viewer.email) !== null;
    });
  return { rows, account, present, isOwn, known, last, verified: recordsOfNotice(rows) };
}

/**
 * Reads the notice of a link to disown or to confirm: a part of at most `limit` records, those with smaller ids than
 * `before`.
 * @throws {AppError} 404 for an unknown or expired link
 */
export async function findNotice(
  context: AppLoadContext,
  use: NoticeUse,
  token: string,
  { before, limit = NOTICE_PAGE }: { before?: number | undefined; limit?: number } = {},
): Promise<Notice> {
  const { rows, verified, isOwn } = await find(context, use, token, { before, limit: limit + 1, isPart: true });
  const [request] = rows.requests;
  const [sums] = rows.sums;
  // If a record was verified several times, the last verification counts.
  const facts = new Map((rows.verifications ?? []).map((one) => [one.recordId, one.facts]));
  const shown = verified.slice(0, limit).map(({ kind, owner, record }) => {
    const stated = statedNotes(parseFacts(facts.get(record.id) ?? null), null);
    return { ...verifiableRecord(kind, owner, record), stated };
  });
  const page = fittingOnPage(shown, (record) => record);
  return {
    supervisor: { name: request?.name ?? null },
    domain: domainOf(request?.email ?? null),
    records: page,
    count: (use === "confirm" ? sums?.open : sums?.count) ?? 0,
    notified: (use === "confirm" ? sums?.open : rows.notified[0]?.count) ?? 0,
    answered: (use === "confirm" ? sums?.confirmed : rows.disowned[0]?.count) ?? 0,
    next: verified.length > page.length ? (page.at(-1)?.record.id ?? null) : null,
    isOwn,
  };
}

/**
 * @throws {AppError} 404 for an unknown or expired link; 403 for the technician whose records these are
 */
export async function requireForeignNotice(context: AppLoadContext, use: NoticeUse, token: string): Promise<void> {
  refuseOwn(await findNotice(context, use, token, { limit: 1 }));
}

function refuseOwn({ isOwn }: Pick<Notice, "isOwn">): void {
  if (isOwn) throw new AppError("own_hours", OWN_NOTICE);
}

/** A notice in JSON. */
export function noticeJson({ supervisor, records }: Notice) {
  return {
    supervisor,
    records: records.map((record) => ({
      type: record.kind,
      user: record.user,
      ...recordJson(record),
      certification: record.stated.certification ?? null,
      ...ofStatements((_, name) => record.stated[name] ?? null),
    })),
  };
}

/**
 * A supervisor's answer at such a link: the chosen records, or all that were in it; and the reason why they disown
 * them.
 */
interface NoticeAnswer {
  records?: { type: string; id: number }[] | undefined;
  reason?: string | null | undefined;
}

interface Work {
  event: "disowned" | "confirmed";
  /** The statements that change the records, after their events. */
  statements(meant: Verified, at: Date): Queries;
}

/**
 * Applies the answer to a notice's link to the records that it means, with an event in the log of each. Returns how many they
 * are; sent again, none. A notice may name many thousands: a part of them is answered at a time, and sending it again
 * after a failure answers the rest.
 * @throws {AppError} 404 for an unknown or expired link; 403 for the technician; 400 for a record that is not in it; 409 if other
 *   acts came between each time, with how many records were answered before
 */
async function answerNotice(
  context: AppLoadContext,
  use: NoticeUse,
  token: string,
  answer: NoticeAnswer,
  work: Work,
): Promise<number> {
  for (let all = 0; ; await othersTurn()) {
    const answerOnce = () => answerSome(context, use, token, answer, work);
    const some = await retryOnConflict(context, use, answerOnce, SUPERVISOR_ATTEMPTS).catch((error) => {
      throw error instanceof TooManyConflictsError && all > 0 ? new AppError("conflict", partMessage(use, all)) : error;
    });
    all += some;
    if (some < AT_ONCE) return all;
  }
}

function partMessage(use: NoticeUse, count: number): string {
  const done = use === "disown" ? "were taken back" : "were confirmed";
  return `${count} records ${done}. The others are being changed at the same moment: send it again, and it does the rest.`;
}

/** Answers the first of the records that are left. Returns how many. */
async function answerSome(
  context: AppLoadContext,
  use: NoticeUse,
  token: string,
  { records: named, reason = null }: NoticeAnswer,
  { event, statements }: Work,
): Promise<number> {
  const { db, now, client } = context;
  const found = await find(context, use, token, { named, isNotified: named === undefined, limit: AT_ONCE });
  refuseOwn(found);
  const { rows, account, last, verified: meant } = found;
  const known = new Set(found.known.map(({ kind, recordId }) => itemKey(kind, recordId)));
  if (named?.some(({ type, id }) => !known.has(itemKey(type, id)))) throw new AppError("invalid", NOT_IN_LINK);
  if (meant.length === 0) return 0;
  const at = timeAfter(now, last);
  const lastOf = new Map(last.map((one) => [one.recordId, one]));
  const log = appendEvents(
    db,
    meant.map(({ kind, record, owner, requestId }) => ({
      position: { id: record.id, userId: owner.id, last: lastOf.get(record.id) },
      event: {
        event,
        at,
        client,
        ...sharedWith(
          client,
          (rows.sessions ?? []).filter(({ userId }) => userId === owner.id),
        ),
        accountId: account?.id ?? null,
        recordHash: recordHash(kind, record),
        ...(use === "disown" && { reason }),
        mailbox: rows.requests.find(({ id }) => id === requestId)?.email ?? null,
      },
    })),
  );
  const technicians = found.present.filter(({ id }) => meant.some(({ owner }) => owner.id === id));
  await commit(db, [...technicians, ...(account ? [account] : [])], { log, ...statements(meant, at) });
  for (const { kind, record } of meant) {
    const facts = { kind: kind.name, record: record.id };
    if (use === "disown") securityEvent(context, "disowned", facts);
    else securityEvent(context, "confirmed", facts);
  }
  return meant.length;
}

const NOT_IN_LINK = "A record is not among those of this link. Nothing was changed.";

/**
 * Disowns records that a notice names and that are still verified by it: they are unverified again at once, the log keeps
 * both events, and their technicians are notified.
 * @throws {AppError} as `answerNotice`
 */
export function disown(context: AppLoadContext, token: string, answer: NoticeAnswer): Promise<number> {
  const { db } = context;
  return answerNotice(context, "disown", token, answer, {
    event: "disowned",
    statements: (meant, at) => ({
      records: clearStatements(db, meant),
      items: db
        .update(verificationItems)
        .set({ state: "ended", cause: "disowned", decidedAt: at })
        .where(sql`(request_id, record_id) IN (SELECT value ->> 'request', value ->> 'id'
          FROM json_each(${keysOf(meant)}))`),
      mail: forEachOwner(meant, (userId, requestId) =>
        queueDigest(context, { userId, requestId, events: meant.length }),
      ),
    }),
  });
}

/**
 * Confirms records that a notice names and that were verified by the link alone: the mailbox says that its owner verified
 * them. `verifiedVia` stays `link`.
 * @throws {AppError} as `answerNotice`
 */
export function confirm(context: AppLoadContext, token: string, answer: NoticeAnswer): Promise<number> {
  const { db } = context;
  return answerNotice(context, "confirm", token, answer, {
    event: "confirmed",
    statements: (meant, at) => ({
      records: db
        .update(records)
        .set({ confirmedAt: at })
        .where(sql`verified = 1 AND confirmed_at IS NULL AND records.id IN (
          SELECT value ->> 'id' FROM json_each(${keysOf(meant)}))`),
    }),
  });
}

function keysOf(verified: Verified): string {
  return JSON.stringify(verified.map(({ record, requestId }) => ({ request: requestId, id: record.id })));
}

/** The statements that clear the verification of records. The database allows it only after a `disowned` event. */
function clearStatements(db: Db, verified: Verified) {
  const all = verified.map(({ kind, record }) => ({ id: record.id, search: kind.search(record) }));
  const statements = inChunks(all).map((chunk, index) => {
    const rows = JSON.stringify(chunk);
    const cleared = db
      .update(records)
      .set({
        verified: false,
        verifiedBy: null,
        verifiedAt: null,
        verifiedVia: null,
        confirmedAt: null,
        search: sql`(SELECT value ->> 'search' FROM json_each(${rows}) WHERE value ->> 'id' = records.id)`,
      })
      .where(sql`verified = 1 AND records.id IN (SELECT value ->> 'id' FROM json_each(${rows}))`);
    return [`chunk${index}`, cleared] as const;
  });
  return Object.fromEntries(statements);
}

function forEachOwner<Result>(verified: Verified, work: (userId: number, requestId: number) => Result) {
  const requests = new Map(verified.map(({ owner, requestId }) => [owner.id, requestId]));
  return Object.fromEntries([...requests].map(([userId, requestId]) => [`user${userId}`, work(userId, requestId)]));
}
