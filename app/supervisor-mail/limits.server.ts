import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "#app/calendar-date.ts";
import { attempts, knownRecipients, outbox, users } from "#app/db/schema.ts";
import { hasConfirmedAddress, mayHaveArrived, type RequestMail } from "#app/mail/outbox.server.ts";
import { isNotSuppressed } from "#app/mail/suppression.server.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import {
  attemptAtLimit,
  countAttempt,
  hashSubject,
  latest,
  recipientLimit,
} from "#app/server/attempt-limits.server.ts";
import { verificationItems } from "#app/verification/requests.table.ts";
import { isKnownTechnician } from "#app/verification/unknown-technicians.server.ts";

/*
 * Limits the emails that technicians can cause to supervisors, who have no account. Three limits, each over the last
 * 24 hours: one email for records and an address (unless one of them is new to it, or was edited, declined or disowned, or
 * its request expired, since), five to an address from all technicians together, twenty addresses that are new to a technician. The second
 * holds when they arrive, too. The first and the third count messages in the outbox, which are deleted with the
 * account, and the third also the recipients of messages that were swept. The second counts rows of `attempts`, which
 * stay. The limits are conditions of the statement that queues the email, so parallel requests cannot exceed them.
 */

/** The most new addresses for each technician in that time. */
const NEW_ADDRESSES = 20;

/** How long an address is not new to a technician after their last email to it. */
export const KNOWN_MS = 365 * DAY_MS;

/**
 * For how long an answer is news, in milliseconds: mail was off, or the mail service did not work. No email notifies anyone of an
 * older one.
 */
export const NEWS_MS = 30 * DAY_MS;

type LimitContext = Pick<AppLoadContext, "db" | "now" | "secret">;

/** The cause of an email to a supervisor: the technician, the records that it is about, and the address. */
export interface EmailCause {
  userId: number;
  /** Their ids. */
  records: number[];
  address: string;
}

type EmailLimit = "record" | "address" | "newAddresses";

/** The recipient of a message as the outbox stores it: an HMAC that differs for each technician. */
export function recipientOf(
  { secret }: Pick<LimitContext, "secret">,
  { userId, address }: Omit<EmailCause, "records">,
): string {
  return hashSubject(secret, "supervisor", String(userId), normalizeMailbox(address));
}

/**
 * Whom an email is for, as its limits see it: a technician, and their address as `recipientOf` hashes it. Values, or expressions
 * of a query.
 */
interface Reader {
  userId: SQL | number;
  recipient: SQL | string;
}

/**
 * Returns an expression for each limit: when the email was queued that must be 24 hours old before the next; or NULL.
 */
function blockingTimes(context: LimitContext, cause: EmailCause): Record<EmailLimit, SQL<number | null>> {
  const { userId, records, address } = cause;
  const recipient = recipientOf(context, cause);
  const since = context.now.getTime() - DAY_MS;
  const until = latest(context.now).getTime();
  return {
    record: sql`(SELECT iif(count(*) = count(last), min(last), NULL) FROM (SELECT (
        SELECT max(created_at) FROM ${outbox} WHERE user_id = ${userId} AND recipient = ${recipient}
          AND kind <> 'supervisor_notice' AND created_at > ${since} AND created_at <= ${until} AND ${mayHaveArrived} AND request_id IN (
            SELECT request_id FROM ${verificationItems}
            WHERE record_id = asked.value AND edited = 0 AND state <> 'declined' AND coalesce(cause NOT IN ('expired', 'disowned'), 1))
      ) AS last FROM json_each(${JSON.stringify(records)}) AS asked))`,
    address: sql`(SELECT at FROM ${attempts}
      WHERE id = ${attemptAtLimit(context, recipientLimit(context, normalizeMailbox(address)))})`,
    newAddresses: newAddressTime(context, { userId, recipient }),
  };
}

/** `blockingTimes` of new addresses. */
function newAddressTime({ now }: Pick<LimitContext, "now">, { userId, recipient }: Reader): SQL<number | null> {
  const since = now.getTime() - DAY_MS;
  const until = latest(now).getTime();
  return sql`(SELECT min(created_at) FROM ${outbox}
      WHERE user_id = ${userId} AND recipient IS NOT NULL AND ${mayHaveArrived}
      AND NOT EXISTS (SELECT 1 FROM ${outbox} WHERE user_id = ${userId} AND recipient = ${recipient}
        AND ${mayHaveArrived})
      AND NOT EXISTS (SELECT 1 FROM ${knownRecipients} WHERE user_id = ${userId} AND recipient = ${recipient})
      AND recipient NOT IN (SELECT recipient FROM ${knownRecipients} WHERE user_id = ${userId})
      GROUP BY recipient HAVING min(created_at) > ${since} AND min(created_at) <= ${until}
      ORDER BY min(created_at) DESC LIMIT 1 OFFSET ${NEW_ADDRESSES - 1})`;
}

/** To how many supervisors a technician causes emails who has not confirmed their own address. */
const UNCONFIRMED_RECIPIENTS = 3;

/**
 * The condition that an email waits until its technician has confirmed their address: they have caused emails to three other
 * mailboxes already. Without mail there is nothing to confirm.
 */
export function waitsForConfirmation(context: LimitContext & { mail: RequestMail }, cause: EmailCause): SQL {
  if (!context.mail.isConfigured) return sql`FALSE`;
  return isOverUnconfirmed({ userId: cause.userId, recipient: recipientOf(context, cause) });
}

function isOverUnconfirmed({ userId, recipient }: Reader): SQL {
  const recipients = sql`SELECT recipient FROM ${outbox}
      WHERE user_id = ${userId} AND recipient IS NOT NULL AND ${mayHaveArrived}
    UNION SELECT recipient FROM ${knownRecipients} WHERE user_id = ${userId}`;
  return sql`(NOT ${hasConfirmedAddress(sql`${userId}`)}
    AND ${UNCONFIRMED_RECIPIENTS} <= (SELECT count(*) FROM (${recipients}))
    AND ${recipient} NOT IN (${recipients}))`;
}

/**
 * The condition that the timer may send an email to an address because of a technician: they wrote to it before, or may write
 * to a new one now. A reminder or a notice of a request whose email was withheld would otherwise be the email that was not sent.
 */
export function mayReach(context: Pick<LimitContext, "now">, reader: Reader): SQL {
  return sql`(NOT ${isOverUnconfirmed(reader)} AND ${newAddressTime(context, reader)} IS NULL)`;
}

/** The condition that no limit is reached. */
export function mayEmail(context: LimitContext, cause: EmailCause): SQL {
  const { record, address, newAddresses } = blockingTimes(context, cause);
  const isFree = sql`${isNotSuppressed(context.secret, cause.address)}
    AND ${isKnownTechnician(context.secret, cause.userId, cause.address)}`;
  return sql`${record} IS NULL AND ${address} IS NULL AND ${newAddresses} IS NULL AND ${isFree}`;
}

/**
 * Returns when the timer tries again to queue an email that a limit held back, in milliseconds: as soon as the limit
 * allows; or that its address stopped: a day later.
 */
export function nextTry(context: LimitContext, cause: EmailCause): SQL<Date | null> {
  const times = Object.values(blockingTimes(context, cause)).map((at) => sql`coalesce(${at}, 0)`);
  return sql`coalesce(nullif(max(${sql.join(times, sql`, `)}), 0), ${context.now.getTime()}) + ${DAY_MS}`;
}

/** The statement that counts an email to its address, after the one that queues it, if `isStored`. */
export function countEmail(context: LimitContext, { address }: EmailCause, isStored: SQL) {
  return countAttempt(context, recipientLimit(context, normalizeMailbox(address)), isStored).counted;
}

/** The query for the limits that an email has reached: a time for each limit, or null. */
export function findReachedLimits(context: LimitContext, cause: EmailCause) {
  const { record, address, newAddresses } = blockingTimes(context, cause);
  return context.db
    .select({
      record: record.as("record"),
      address: address.as("address"),
      newAddresses: newAddresses.as("new_addresses"),
    })
    .from(users)
    .where(eq(users.id, cause.userId));
}

export interface ReachedLimit {
  limit: EmailLimit;
  until: Date;
}

/** The reached limit that lasts longest, from the rows of `findReachedLimits`; null if none is reached. */
export function reachedLimit([found]: Record<EmailLimit, number | null>[]): ReachedLimit | null {
  const limits: EmailLimit[] = ["record", "address", "newAddresses"];
  const reached = limits.flatMap((limit) => {
    const at = found?.[limit];
    return at ? [{ limit, until: new Date(at + DAY_MS) }] : [];
  });
  const longest = Math.max(...reached.map(({ until }) => until.getTime()));
  return reached.find(({ until }) => until.getTime() === longest) ?? null;
}
