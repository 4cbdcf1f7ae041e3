import { type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "#app/calendar-date.ts";
import { type Db, insertSelect } from "#app/db/client.server.ts";
import { linkBytes, rowBytes, storing } from "#app/db/stored-bytes.server.ts";
import { REMINDER_DAYS } from "#app/supervisor-mail/reminder.server.ts";
import { EXPIRY_MS, renewal, renewRecords } from "#app/supervisor-mail/request.server.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";

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
  supervisorId: SQL<number> | number;
  supervisor: RequestedSupervisor;
  /** Whether an open request goes to another address. */
  isReaddressed: boolean;
  submission: string | null;
  /** The ids of the records, in the order in which they are requested. */
  records: number[];
  now: Date;
  /** The time of the events in the logs of the records (`timeAfter`). */
  at: Date;
  /** The technician's. */
  timeZone: string;
}

/** The statements that store a request with its items, for `commit`. A trigger marks the records as requested. */
export function insertRequest(
  db: Db,
  {
    userId,
    token,
    ownRecordId,
    supervisorId,
    supervisor,
    submission,
    records,
    now,
    at,
    timeZone,
  }: Omit<NewRequest, "isReaddressed">,
) {
  const request = db.insert(verificationRequests).values({
    userId,
    token,
    ownRecordId,
    supervisorId,
    requestedName: supervisor.name,
    supervisorEmail: supervisor.email,
    submission,
    createdAt: at,
    requestedAt: now,
    expiresAt: new Date(now.getTime() + EXPIRY_MS),
    remindAt: new Date(now.getTime() + REMINDER_DAYS[0] * DAY_MS),
    timeZone,
  });
  storing(request, userId, rowBytes(supervisor.name, supervisor.email) + linkBytes(records.length));
  return {
    request,
    items: insertSelect(
      db,
      verificationItems,
      { requestId: sql`request.id`, recordId: sql`value`, position: sql`key` },
      sql`FROM ${verificationRequests} AS request, json_each(${JSON.stringify(records)}) WHERE token = ${token}`,
    ),
  };
}

/**
 * The statements that renew an open request and its records, for `commit`. If the supervisor's address changes, so does
 * the nonce: the secret that was mailed before is void. The facts about the supervisor of the request before are
 * cleared: the new one has opened nothing, and gets all reminders, in their own day.
 */
export function renewRequest(
  db: Db,
  {
    userId,
    token,
    supervisorId,
    supervisor,
    isReaddressed,
    now,
  }: Pick<NewRequest, "userId" | "token" | "supervisorId" | "supervisor" | "isReaddressed" | "now">,
) {
  const asNew = { nonce: sql`lower(hex(randomblob(16)))`, openedAt: null, supervisorTimeZone: null, reminded: 0 };
  const request = db
    .update(verificationRequests)
    .set({
      supervisorId,
      requestedName: supervisor.name,
      supervisorEmail: supervisor.email,
      ...(isReaddressed && asNew),
      ...renewal(now, isReaddressed ? sql`0` : sql`reminded`),
    })
    .where(sql`token = ${token}`);
  storing(request, userId, linkBytes(0, supervisor.name, supervisor.email));
  return {
    request,
    records: renewRecords(db, sql`token = ${token}`, now),
  };
}
