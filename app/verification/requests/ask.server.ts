import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { DailyQuota } from "#app/server/quotas.server.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";

export const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a request can be answered after it was made or renewed (product, "Verification requests"). */
export const EXPIRY_MS = 90 * DAY_MS;

/** On which days after a request its reminders go out. */
export const REMINDER_DAYS = [5, 12, 19] as const;

/** When the next reminder of a request is due that is renewed now; NULL after the last one. */
export function remindAtAfter(now: Date): SQL {
  const at = now.getTime();
  const [first, second, third] = REMINDER_DAYS.map((day) => at + day * DAY_MS);
  return sql`CASE reminded WHEN 0 THEN ${first} WHEN 1 THEN ${second} WHEN 2 THEN ${third} END`;
}

/** New requests: those that were withdrawn since count, those that were renewed do not. */
export const REQUESTS_OF_A_DAY: DailyQuota = {
  table: verificationRequests,
  at: verificationRequests.createdAt,
  max: 100,
  why: "You made 100 new requests in 24 hours, which is the most. One request can ask for up to 100 records.",
};

/** The supervisor of a request as they are when asked. */
export interface AskedSupervisor {
  name: string;
  email: string;
}

interface NewRequest {
  userId: number;
  token: string;
  /** The id of a saved supervisor, or an expression that finds the one that the same batch saves. */
  supervisorId: SQL;
  supervisor: AskedSupervisor;
  submission: string | null;
  /** The ids of the records, in the order in which they are asked for. */
  records: number[];
  now: Date;
  /** The time of the events in the logs of the records (`timeAfter`). */
  at: Date;
  /** The technician's. */
  timeZone: string;
  /** `WHERE …`: without it the request is stored in any case. */
  where: SQL;
}

/** The statements that store a request with its items. A trigger marks their records as requested. */
export function insertRequest(
  db: Db,
  { userId, token, supervisorId, supervisor, submission, records, now, at, timeZone, where }: NewRequest,
) {
  const askedAt = now.getTime();
  return {
    request: db.insert(verificationRequests).select(
      sql`SELECT NULL, ${userId}, ${token}, ${supervisorId}, ${supervisor.name}, ${supervisor.email},
        lower(hex(randomblob(16))), 1, ${submission}, ${at.getTime()}, ${askedAt}, ${askedAt + EXPIRY_MS}, NULL, NULL,
        0, ${askedAt + REMINDER_DAYS[0] * DAY_MS}, ${timeZone}, NULL, NULL ${where}`,
    ),
    items: db.insert(verificationItems).select(
      sql`SELECT request.id, value, key, 'waiting', NULL, NULL, NULL, 0, NULL
        FROM ${verificationRequests} AS request, json_each(${JSON.stringify(records)}) WHERE token = ${token}`,
    ),
  };
}

/** The condition that a request with this token is stored. */
export function isRequestStored(token: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${verificationRequests} WHERE token = ${token})`;
}

/**
 * The statement that renews a request. If the supervisor's address changes, so does the nonce: the secret that was mailed
 * before is void. If `onlyIf` is false, nothing changes.
 */
export function renewRequest(
  db: Db,
  { token, supervisorId, supervisor, now }: Pick<NewRequest, "token" | "supervisorId" | "supervisor" | "now">,
  onlyIf: SQL = sql`true`,
) {
  return db
    .update(verificationRequests)
    .set({
      supervisorId: sql`${supervisorId}`,
      supervisorName: supervisor.name,
      supervisorEmail: supervisor.email,
      nonce: sql`iif(supervisor_email IS ${supervisor.email}, nonce, lower(hex(randomblob(16))))`,
      askedAt: now,
      remindAt: remindAtAfter(now),
      expiresAt: new Date(now.getTime() + EXPIRY_MS),
    })
    .where(sql`token = ${token} AND ended_at IS NULL AND ${onlyIf}`);
}
