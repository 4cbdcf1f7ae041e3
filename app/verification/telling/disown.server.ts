import { timingSafeEqual } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { asc, type SQL, sql } from "drizzle-orm";
import { appendEvents, lastEvents, retryOnConflict, timeAfter } from "#app/audit-log/log.server.ts";
import { batch, type Db, type Rows } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { recordsById, selectAnyRecords } from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { records } from "#app/records/records.table.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { queueDigest } from "#app/verification/digest.server.ts";
import { type VerifiableRecord, verifiableRecord } from "#app/verification/record.ts";
import {
  supervisorNotices,
  verificationAnswers,
  verificationItems,
  verificationRequests,
} from "#app/verification/requests.table.ts";
import { disownToken } from "./notices.server.ts";

export const DISOWN_UNKNOWN = "This link is not valid, or it has expired: records can be disowned for 90 days.";

/** What was verified in a supervisor's name, as their notice says. */
export interface Notice {
  /** The supervisor's name as the technician typed it. */
  supervisor: { name: string | null };
  /** The records that are still verified by it. */
  records: VerifiableRecord[];
  /** How many of them were disowned already. */
  disowned: number;
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

async function find({ db, secret, now }: AppLoadContext, token: string) {
  const id = Number(token.match(/^(\d{1,15})\.[\w-]{43}$/)?.[1] ?? 0);
  const { notice, ...rows } = await batch(db, {
    notice: db.select().from(supervisorNotices).where(sql`id = ${id}`),
    ...noticeQueries(db, sql`${id}`),
  });
  const [row] = notice;
  const right = row ? disownToken(secret, row) : "";
  const isRight = right.length === token.length && timingSafeEqual(Buffer.from(right), Buffer.from(token));
  if (!row || !isRight || row.expiresAt <= now) throw new AppError(404, DISOWN_UNKNOWN);
  return { id, rows, verified: verifiedOf(rows) };
}

/**
 * What a disown link is about.
 * @throws {AppError} 404 for an unknown or expired link
 */
export async function findNotice(context: AppLoadContext, token: string): Promise<Notice> {
  const { rows, verified } = await find(context, token);
  return noticeFrom(rows, verified);
}

function noticeFrom(rows: NoticeRows, verified: ReturnType<typeof verifiedOf>): Notice {
  return {
    supervisor: { name: rows.requests[0]?.name ?? null },
    records: verified.map(({ kind, owner, record }) => verifiableRecord(kind, owner, record)),
    disowned: rows.items.filter(({ cause }) => cause === "disowned").length,
  };
}

/**
 * Disowns all records that a notice names and that are still verified by it: they are unverified again at once, the log
 * keeps both events, and their technicians are told. Returns how many it disowned; again it disowns none. `reasonOf` parses
 * the reason, after the 404, and may throw a 400.
 * @throws {AppError} 404 for an unknown or expired link
 */
export async function disown(
  context: AppLoadContext,
  token: string,
  reasonOf: () => Promise<string | null>,
): Promise<number> {
  const { db, now, client } = context;
  let read: Promise<string | null> | undefined;
  return retryOnConflict(async () => {
    const { rows, verified } = await find(context, token);
    read ??= reasonOf();
    const reason = await read;
    if (verified.length === 0) return 0;
    const at = timeAfter(now, rows.last);
    const log = appendEvents(
      db,
      verified.map(({ kind, record, owner }) => ({
        position: { id: record.id, userId: owner.id, last: rows.last.find(({ recordId }) => recordId === record.id) },
        event: { event: "disowned", at, client, reason, recordHash: recordHash(kind, record) },
      })),
    );
    await batch(db, {
      log,
      records: clearStatement(db, verified),
      items: db
        .update(verificationItems)
        .set({ state: "ended", cause: "disowned", decidedAt: at })
        .where(sql`(request_id, record_id) IN (SELECT value ->> 'request', value ->> 'id'
          FROM json_each(${keysOf(verified)}))`),
      mail: forEachOwner(verified, (userId, requestId) =>
        queueDigest(context, { userId, requestId, events: verified.length }),
      ),
    });
    for (const { kind, record } of verified) securityEvent(context, "disowned", { kind: kind.name, record: record.id });
    return verified.length;
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
      ...{ verified: false, verifiedBy: null, verifiedAt: null, verifiedVia: null },
      search: sql`(SELECT value ->> 'search' FROM json_each(${rows}) WHERE value ->> 'id' = records.id)`,
    })
    .where(sql`verified = 1 AND records.id IN (SELECT value ->> 'id' FROM json_each(${rows}))`);
}

function forEachOwner<Result>(verified: Verified, work: (userId: number, requestId: number) => Result) {
  const requests = new Map(verified.map(({ owner, requestId }) => [owner.id, requestId]));
  return Object.fromEntries([...requests].map(([userId, requestId]) => [`user${userId}`, work(userId, requestId)]));
}
