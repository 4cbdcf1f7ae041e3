import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { ownAddressQueries } from "#app/accounts/own-addresses.server.ts";
import { changeOwn, countOwnEvent } from "#app/audit-log/log.server.ts";
import { DAY_MS } from "#app/calendar-date.ts";
import { batch } from "#app/db/client.server.ts";
import { commit } from "#app/db/commit.server.ts";
import { outbox } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { mayHaveArrived } from "#app/mail/outbox.server.ts";
import { countAttempt, fullLimits, renewalLimit, requireBelowLimit } from "#app/server/attempt-limits.server.ts";
import {
  emailOutcome,
  queueRequestEmail,
  renewal,
  renewRecords,
  type Wait,
} from "#app/supervisor-mail/request.server.ts";
import { refuseOwnMailbox } from "#app/supervisors/supervisors.server.ts";
import { appendRequestEvent } from "#app/verification/request-events.server.ts";
import { type RequestRow, verificationRequests } from "#app/verification/requests.table.ts";
import {
  findOwnRequest,
  type OwnRequest,
  ownRequestsFromRows,
  ownRequestsQueries,
  requireRequest,
} from "./own-requests.server.ts";
import { RENEWED, type RequestedSupervisor } from "./request-statements.server.ts";

/** How long after a request, or after it was last renewed, its technician can send its email again. */
const PAUSE_MS = DAY_MS;

/** How many emails of one request are tried in that time, if they fail: each try is a row, and a call of the mail service. */
const MAX_FAILED = 5;

/** A request whose email was sent again, if `emailed`, or else the limit that was reached. */
interface Reminded extends OwnRequest {
  supervisor: RequestedSupervisor;
  limit: Wait | null;
}

/** Returns when the technician can send a request's email again. */
export function nextReminder({ requestedAt }: Pick<RequestRow, "requestedAt">): Date {
  return new Date(requestedAt.getTime() + PAUSE_MS);
}

/**
 * SQL condition for a row of `verification_requests`: the email of its last request or reminder has failed, so the next
 * one need not wait. Not if it may have arrived, nor where mail is not configured. Emails that this HTTP request queues
 * do not count.
 */
export function hasFailedEmail({ now, mail }: Pick<AppLoadContext, "now" | "mail">): SQL {
  const own = sql`SELECT count(*) FROM ${outbox} AS message WHERE message.request_id = coalesce(${verificationRequests}.mailed_with, ${verificationRequests}.id)
    AND kind = 'verification_requested' AND lease IS NOT ${mail.lease}`;
  return sql`(${own} AND created_at >= requested_at AND ${mayHaveArrived}) = 0
    AND (${own} AND created_at >= requested_at AND reason IN ('refused', 'gave_up')) > 0
    AND (${own} AND created_at > ${now.getTime() - PAUSE_MS}) < ${MAX_FAILED}`;
}

/**
 * Turns the reminders of one of the user's requests on or off.
 * @throws {AppError} 404 for an unknown request or another user's
 */
export async function setReminders(context: AppLoadContext, id: number, reminders: boolean): Promise<OwnRequest> {
  const { user } = await findOwnRequest(context, id);
  const { stored } = await batch(context.db, {
    changed: context.db.update(verificationRequests).set({ reminders }).where(sql`id = ${id} AND user_id = ${user.id}`),
    stored: ownRequestsQueries(context.db, user.id, sql`id = ${id}`),
  });
  return requireRequest(ownRequestsFromRows(stored));
}

/**
 * Sends the email of one of the user's requests again, and renews the request: it expires 90 days from now. Over a limit
 * on emails it is renewed all the same, and `emailed` is false.
 * @throws {AppError} 404 for an unknown request or another user's; 409 for one that has ended; 429 within 24 hours, unless
 *   the email failed, and for more renewals than a day has; 400 if its address reaches a mailbox of the technician
 */
export async function remind(context: AppLoadContext, id: number): Promise<Reminded> {
  const { db, now } = context;
  const limit = renewalLimit(context, id);
  return changeOwn(context, "remind", async () => {
    const { account, addresses, failed, full, ...found } = await requireUser(context, (owner, db) => ({
      own: ownRequestsQueries(db, owner, sql`id = ${id}`),
      addresses: ownAddressQueries(context, owner, db),
      failed: db
        .select({ id: verificationRequests.id })
        .from(verificationRequests)
        .where(sql`id = ${id} AND user_id = ${owner} AND ${hasFailedEmail(context)}`),
      full: fullLimits(context, [limit]),
    }));
    const { request, items } = requireRequest(ownRequestsFromRows(found.own));
    const supervisor = requireOpen(context, request);
    refuseOwnMailbox(context, addresses, supervisor);
    requireBelowLimit(context, limit, full, RENEWED);
    // An email that waits is not sent again.
    if (failed.length === 0 && request.emailWithheld !== "limit") requirePause(context, request);
    const records = items.filter(({ state }) => state === "waiting").map(({ recordId }) => recordId);
    const { token } = request;
    const rows = await commit(db, [account], {
      email: queueRequestEmail(context, {
        userId: account.id,
        token,
        records,
        address: supervisor.email,
        submission: null,
        mayJoin: false,
      }),
      records: renewRecords(db, sql`id = ${id}`, now),
      event: appendRequestEvent(db, id, { event: "asked", at: now, client: context.client }),
      renewed: db.update(verificationRequests).set(renewal(now)).where(sql`id = ${id}`),
      counts: countOwnEvent(db, now, account.id),
      counted: countAttempt(context, limit).counted,
      stored: ownRequestsQueries(db, account.id, sql`id = ${id}`),
    });
    return { ...requireRequest(ownRequestsFromRows(rows.stored)), ...emailOutcome(rows.email), supervisor };
  });
}

function requireOpen(context: AppLoadContext, request: RequestRow): RequestedSupervisor {
  const { endedAt, expiresAt, requestedName: name, supervisorEmail: email } = request;
  if (endedAt)
    throw new AppError("request_ended", "This request has ended. Make a new one for what is still unverified.");
  if (expiresAt <= context.now) throw new AppError("request_ended", "This request has expired. Make a new one.");
  if (name === null || email === null) {
    throw new AppError("no_address", "We do not know the supervisor's address. Send them the link yourself.");
  }
  return { name, email };
}

function requirePause(context: AppLoadContext, request: RequestRow): void {
  const seconds = Math.ceil((nextReminder(request).getTime() - context.now.getTime()) / 1000);
  if (seconds <= 0) return;
  context.retryAfter = seconds;
  throw new AppError(
    "rate_limited",
    "The email can be sent again once in 24 hours. You can also send them the link yourself.",
  );
}
