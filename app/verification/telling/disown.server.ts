import { timingSafeEqual } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { asc, type SQL, sql } from "drizzle-orm";
import { appendEvents, lastEvents, retryOnConflict, timeAfter } from "#app/audit-log/log.server.ts";
import { batch, type Db, type Queries, type Rows } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import type { FormList } from "#app/forms/read-form.server.ts";
import { recordsById, selectAnyRecords } from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { records } from "#app/records/records.table.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { queueDigest } from "#app/verification/digest.server.ts";
import { domainOf } from "#app/verification/link-view.ts";
import { itemKey, recordJson, type VerifiableRecord, verifiableRecord } from "#app/verification/record.ts";
import {
  ITEM_KIND,
  supervisorNotices,
  verificationAnswers,
  verificationItems,
  verificationRequests,
} from "#app/verification/requests.table.ts";
import { BOXES_MAX } from "#app/verification/verification.schema.ts";
import { type NoticeUse, noticeToken } from "./notices.server.ts";

/** The boxes by which the records are chosen in a form. */
export const BOXES: FormList = { name: "records", columns: ["key"], rowsMax: BOXES_MAX };

const UNKNOWN: Record<NoticeUse, string> = {
  disown: "This link is not valid, or it has expired: records can be disowned for 90 days.",
  confirm: "This link is not valid, or it has expired: records can be confirmed for 90 days.",
};

/** What was verified in a supervisor's name, as their notice says. */
export interface Notice {
  /** The supervisor's name as the technician typed it. */
  supervisor: { name: string | null };
  /** The records that are still verified by it; of a link to confirm, those that came by the link alone. */
  records: VerifiableRecord[];
  /** How many of them were disowned already. */
  disowned: number;
  /** The domain of the supervisor's address. */
  domain: string | null;
}

/** The queries for the records of a notice, with their owners and last events. `which` selects its id. */
export function noticeQueries(db: Db, which: SQL) {
  const items = sql`${verificationItems} WHERE answer_id IN (SELECT id FROM ${verificationAnswers} WHERE notice_id = ${which})`;
  const ids = sql`(SELECT record_id FROM ${items})`;
  const requests = sql`(SELECT request_id FROM ${items})`;
  return {
    items: db
      .select({
        requestId: verificationItems.requestId,
        recordId: verificationItems.recordId,
        state: verificationItems.state,
        cause: verificationItems.cause,
        decidedAt: verificationItems.decidedAt,
        kind: ITEM_KIND,
      })
      .from(verificationItems)
      .where(sql`answer_id IN (SELECT id FROM ${verificationAnswers} WHERE notice_id = ${which})`)
      .orderBy(asc(verificationItems.requestId), asc(verificationItems.position)),
    requests: db
      .select({
        id: verificationRequests.id,
        name: verificationRequests.supervisorName,
        email: verificationRequests.supervisorEmail,
      })
      .from(verificationRequests)
      .where(sql`id IN ${requests}`),
    owners: db
      .select({ id: users.id, name: users.name, employeeNumber: users.employeeNumber })
      .from(users)
      .where(sql`id IN (SELECT user_id FROM ${verificationRequests} WHERE id IN ${requests})`),
    records: selectAnyRecords(db, sql`id IN ${ids}`),
    last: lastEvents(db, ids),
  };
}

type NoticeRows = Rows<ReturnType<typeof noticeQueries>>;

/** The records of a notice that are still verified by it, with their owners. */
export function verifiedOf({ items, owners, records }: NoticeRows) {
  const byId = recordsById(records);
  return items.flatMap(({ recordId, requestId, state }) => {
    const found = byId.get(recordId);
    const owner = owners.find(({ id }) => id === found?.record.userId);
    if (!found?.record.verified || !owner || state !== "verified") return [];
    return [{ ...found, owner, requestId }];
  });
}

/** A notice by the token of one of its links, with the records that the link is about. */
async function find({ db, secret, now }: AppLoadContext, use: NoticeUse, token: string) {
  const id = Number(token.match(/^(\d{1,15})\.[\w-]{43}$/)?.[1] ?? 0);
  const { notice, ...rows } = await batch(db, {
    notice: db.select().from(supervisorNotices).where(sql`id = ${id}`),
    ...noticeQueries(db, sql`${id}`),
  });
  const [row] = notice;
  const right = row ? noticeToken(secret, use, row) : "";
  const isRight = right.length === token.length && timingSafeEqual(Buffer.from(right), Buffer.from(token));
  if (!row || !isRight || row.expiresAt <= now) throw new AppError("not_found", UNKNOWN[use]);
  const verified = verifiedOf(rows).filter(({ record }) => use === "disown" || record.verifiedVia === "link");
  return { id, rows, verified };
}

/**
 * What a link to disown or to confirm is about.
 * @throws {AppError} 404 for an unknown or expired link
 */
export async function findNotice(context: AppLoadContext, use: NoticeUse, token: string): Promise<Notice> {
  const { rows, verified } = await find(context, use, token);
  const [request] = rows.requests;
  return {
    supervisor: { name: request?.name ?? null },
    domain: domainOf(request?.email ?? null),
    records: verified.map(({ kind, owner, record }) => verifiableRecord(kind, owner, record)),
    disowned: rows.items.filter(({ cause }) => cause === "disowned").length,
  };
}

/** A notice in JSON. */
export function noticeJson({ supervisor, records }: Notice) {
  return {
    supervisor,
    records: records.map((record) => ({ type: record.kind, user: record.user, ...recordJson(record) })),
  };
}

/** What a supervisor sends to such a link: the records that they mean, or all; and why they disown them. */
export interface NoticeAnswer {
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
 * are; sent again, none.
 * @throws {AppError} 404 for an unknown or expired link; 400 for a record that is not in it
 */
async function answerNotice(
  context: AppLoadContext,
  use: NoticeUse,
  token: string,
  { records: named, reason = null }: NoticeAnswer,
  { event, statements }: Work,
): Promise<number> {
  const { db, now, client } = context;
  return retryOnConflict(async () => {
    const { rows, verified } = await find(context, use, token);
    const keys = named && new Set(named.map(({ type, id }) => itemKey(type, id)));
    const known = new Set(rows.items.map(({ kind, recordId }) => itemKey(kind, recordId)));
    if (keys && [...keys].some((key) => !known.has(key))) throw new AppError("invalid", NOT_IN_LINK);
    const meant = verified.filter(
      ({ kind, record }) =>
        (!keys || keys.has(itemKey(kind.name, record.id))) && (use === "disown" || record.confirmedAt === null),
    );
    if (meant.length === 0) return 0;
    const at = timeAfter(now, rows.last);
    const log = appendEvents(
      db,
      meant.map(({ kind, record, owner, requestId }) => ({
        position: { id: record.id, userId: owner.id, last: rows.last.find(({ recordId }) => recordId === record.id) },
        event: {
          event,
          at,
          client,
          recordHash: recordHash(kind, record),
          ...(use === "disown"
            ? { reason }
            : { mailbox: rows.requests.find(({ id }) => id === requestId)?.email ?? null }),
        },
      })),
    );
    await batch(db, { log, ...statements(meant, at) });
    for (const { kind, record } of meant) {
      const facts = { kind: kind.name, record: record.id };
      if (use === "disown") securityEvent(context, "disowned", facts);
      else securityEvent(context, "confirmed", facts);
    }
    return meant.length;
  });
}

const NOT_IN_LINK = "A record is not among those of this link. Nothing was changed.";

/**
 * Disowns records that a notice names and that are still verified by it: they are unverified again at once, the log keeps
 * both events, and their technicians are told.
 * @throws {AppError} as `answerNotice`
 */
export function disown(context: AppLoadContext, token: string, answer: NoticeAnswer): Promise<number> {
  const { db } = context;
  return answerNotice(context, "disown", token, answer, {
    event: "disowned",
    statements: (meant, at) => ({
      records: clearStatement(db, meant),
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

type Verified = ReturnType<typeof verifiedOf>;

function keysOf(verified: Verified): string {
  return JSON.stringify(verified.map(({ record, requestId }) => ({ request: requestId, id: record.id })));
}

/** The statement that clears the verification of records. The database allows it only after a `disowned` event. */
function clearStatement(db: Db, verified: Verified) {
  const rows = JSON.stringify(verified.map(({ kind, record }) => ({ id: record.id, search: kind.search(record) })));
  return db
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
}

function forEachOwner<Result>(verified: Verified, work: (userId: number, requestId: number) => Result) {
  const requests = new Map(verified.map(({ owner, requestId }) => [owner.id, requestId]));
  return Object.fromEntries([...requests].map(([userId, requestId]) => [`user${userId}`, work(userId, requestId)]));
}
