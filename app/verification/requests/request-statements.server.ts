import { type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "#app/calendar-date.ts";
import { type Db, insertSelect } from "#app/db/client.server.ts";
import { records } from "#app/records/records.table.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";

/** How long a request can be answered after it was made or renewed. */
const EXPIRY_MS = 90 * DAY_MS;

/** On which days after a request its reminders go out. */
export const REMINDER_DAYS = [5, 12, 19] as const;

/**
 * In SQL: when the reminder after `reminded` earlier ones is due, of a request that was sent at `asked`, in milliseconds; NULL
 * after the last.
 */
export function reminderAt(reminded: SQL, asked: SQL): SQL {
  const cases = REMINDER_DAYS.map((day, earlier) => sql`WHEN ${earlier} THEN ${asked} + ${day * DAY_MS}`);
  return sql`CASE ${reminded} ${sql.join(cases, sql` `)} END`;
}

/**
 * The columns of a request that is renewed: when it was, when it expires and when its next reminder is due, after `reminded`
 * earlier ones.
 */
export function renewal(now: Date, reminded = sql`reminded`) {
  return {
    requestedAt: now,
    remindAt: reminderAt(reminded, sql`${now.getTime()}`),
    expiresAt: new Date(now.getTime() + EXPIRY_MS),
  };
}

/** The supervisor of a request as they are when it is made. */
export interface RequestedSupervisor {
  name: string;
  email: string;
}

/** Why a request is not renewed once more: `renewalLimit` is reached. */
export const RENEWED =
  "You renewed this request 20 times in 24 hours, which is the most. Its link still works, so you can send it yourself.";

interface NewRequest {
  userId: number;
  token: string;
  /** The record whose own request it is, or null. */
  ownRecordId: number | null;
  /** The id of a saved supervisor, or an expression that finds the one that the same batch saves. */
  supervisorId: SQL;
  supervisor: RequestedSupervisor;
  submission: string | null;
  /** The ids of the records, in the order in which they are requested. */
  records: number[];
  now: Date;
  /** The time of the events in the logs of the records (`timeAfter`). */
  at: Date;
  /** The technician's. */
  timeZone: string;
}

/**
 * The statements that store a request with its items if `onlyIf` is true. `request` returns the stored row. A trigger marks
 * the records as requested.
 */
export function insertRequest(
  db: Db,
  { userId, token, ownRecordId, supervisorId, supervisor, submission, records, now, at, timeZone }: NewRequest,
  onlyIf: SQL = sql`true`,
) {
  return {
    request: insertSelect(
      db,
      verificationRequests,
      {
        userId,
        token,
        ownRecordId,
        supervisorId,
        supervisorName: supervisor.name,
        supervisorEmail: supervisor.email,
        submission,
        createdAt: at,
        requestedAt: now,
        expiresAt: new Date(now.getTime() + EXPIRY_MS),
        remindAt: new Date(now.getTime() + REMINDER_DAYS[0] * DAY_MS),
        timeZone,
      },
      sql`WHERE ${onlyIf}`,
    ).returning({ id: verificationRequests.id }),
    rest: {
      items: insertSelect(
        db,
        verificationItems,
        { requestId: sql`request.id`, recordId: sql`value`, position: sql`key` },
        sql`FROM ${verificationRequests} AS request, json_each(${JSON.stringify(records)}) WHERE token = ${token}`,
      ),
    },
  };
}

/** The condition that a request with this token is stored. */
export function isRequestStored(token: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${verificationRequests} WHERE token = ${token})`;
}

/**
 * The statements that renew an open request and its records if `onlyIf` is true. `request` returns the renewed row. If the
 * supervisor's address changes, so does the nonce: the secret that was mailed before is void. What is known of the supervisor
 * who was asked before is cleared: the new one has opened nothing, and gets all reminders, in their own day.
 */
export function renewRequest(
  db: Db,
  { token, supervisorId, supervisor, now }: Pick<NewRequest, "token" | "supervisorId" | "supervisor" | "now">,
  onlyIf: SQL = sql`true`,
) {
  const isSame = sql`supervisor_email IS ${supervisor.email}`;
  const reminded = sql`iif(${isSame}, reminded, 0)`;
  return {
    request: db
      .update(verificationRequests)
      .set({
        supervisorId: sql`${supervisorId}`,
        supervisorName: supervisor.name,
        supervisorEmail: supervisor.email,
        nonce: sql`iif(${isSame}, nonce, lower(hex(randomblob(16))))`,
        openedAt: sql`iif(${isSame}, opened_at, NULL)`,
        supervisorTimeZone: sql`iif(${isSame}, supervisor_time_zone, NULL)`,
        reminded,
        ...renewal(now, reminded),
      })
      .where(sql`token = ${token} AND ended_at IS NULL AND ${onlyIf}`)
      .returning({ id: verificationRequests.id }),
    rest: {
      records: db
        .update(records)
        .set({ requestedAt: now })
        .where(
          sql`verified = 0 AND id IN (SELECT record_id FROM ${verificationItems} WHERE state = 'waiting'
            AND request_id = (SELECT id FROM ${verificationRequests} WHERE token = ${token})) AND ${onlyIf}`,
        ),
    },
  };
}
