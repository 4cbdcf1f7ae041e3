import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, type SQL, sql } from "drizzle-orm";
import { batch, type Db } from "#app/db/client.server.ts";
import type { LinkEnd } from "#app/db/enumerations.ts";
import { type MessageRow, outbox, users } from "#app/db/schema.ts";
import type { ComposeContext } from "#app/mail/deliver.server.ts";
import { normalizeMailbox } from "#app/mail/mailbox.ts";
import { mayHaveArrived } from "#app/mail/outbox.server.ts";
import {
  attemptAtLimit,
  countAttempt,
  hashSubject,
  latest,
  recipientLimit,
} from "#app/server/attempt-limits.server.ts";

/*
 * How many emails technicians can cause to supervisors, who are strangers to the product. Three limits, each over the
 * last 24 hours: one email for a record and an address, five to an address from all technicians together, twenty
 * addresses that are new to a technician. The first and the third count messages in the outbox, and go with the account; the
 * second counts rows of `tries`, which outlive it. The limits are conditions of the statement that stores the message,
 * so of requests at once no more pass than of requests in a row.
 */

const DAY_MS = 24 * 60 * 60 * 1000;

/** To how many new addresses a technician may write in that time. */
const NEW_ADDRESSES = 20;

/** For so long after an email to it an address is known to the technician who caused the email. */
const KNOWN_MS = 365 * DAY_MS;

/** Why a link can have ended so that another email about the record is in order at once. */
const ASKED_ANEW: LinkEnd[] = ["edited"];

/** What the limits are asked with: the moment, and the database for the queries among them. */
type Asker = Pick<AppLoadContext, "db" | "now" | "secret">;

/** An email that a technician causes: about which record, and to which address. */
export interface EmailCause {
  userId: number;
  /** The name of the record's kind. */
  kind: string;
  recordId: number;
  address: string;
}

/** Which limit holds an email back. */
export type EmailLimit = "record" | "address" | "newAddresses";

/** How the outbox keeps whom a message is for: an HMAC, another one for each technician. */
export function recipientOf({ secret }: Pick<Asker, "secret">, { userId, address }: EmailCause): string {
  return hashSubject(secret, "supervisor", String(userId), normalizeMailbox(address));
}

/** For each limit the moment of the email that must be 24 hours old before there is room, as an expression; or NULL. */
function inTheWayOf(context: Asker, caused: EmailCause): Record<EmailLimit, SQL<number | null>> {
  const { userId, kind, recordId, address } = caused;
  const recipient = recipientOf(context, caused);
  const since = context.now.getTime() - DAY_MS;
  const until = latest(context.now).getTime();
  return {
    // Only messages to supervisors have a recipient.
    record: sql`(SELECT max(created_at) FROM ${outbox} WHERE user_id = ${userId} AND record_kind = ${kind}
      AND record_id = ${recordId} AND recipient = ${recipient} AND ${mayHaveArrived}
      AND created_at > ${since} AND created_at <= ${until} AND coalesce(link_ended, '') NOT IN ${ASKED_ANEW})`,
    address: sql`${attemptAtLimit(context, recipientLimit(context, normalizeMailbox(address)))}`,
    newAddresses: sql`(SELECT min(created_at) FROM ${outbox}
      WHERE user_id = ${userId} AND recipient IS NOT NULL AND ${mayHaveArrived}
      AND NOT EXISTS (SELECT 1 FROM ${outbox} WHERE user_id = ${userId} AND recipient = ${recipient}
        AND ${mayHaveArrived})
      GROUP BY recipient HAVING min(created_at) > ${since} AND min(created_at) <= ${until}
      ORDER BY min(created_at) DESC LIMIT 1 OFFSET ${NEW_ADDRESSES - 1})`,
  };
}

/** The condition under which no limit holds an email back. */
export function mayEmail(context: Asker, caused: EmailCause): SQL {
  const { record, address, newAddresses } = inTheWayOf(context, caused);
  return sql`${record} IS NULL AND ${address} IS NULL AND ${newAddresses} IS NULL`;
}

/** The statement that counts an email to its address, behind the one that stores it, where `isStored`. */
export function countEmail(context: Asker, { address }: EmailCause, isStored: SQL) {
  return countAttempt(context, recipientLimit(context, normalizeMailbox(address)), isStored).counted;
}

/** The statement that finds what holds an email back that was not stored: a moment for each limit, or null. */
export function findReachedLimits(context: Asker, caused: EmailCause) {
  const { record, address, newAddresses } = inTheWayOf(context, caused);
  return context.db
    .select({
      record: record.as("record"),
      address: address.as("address"),
      newAddresses: newAddresses.as("new_addresses"),
    })
    .from(users)
    .where(eq(users.id, caused.userId));
}

/** Which limit holds an email back, and when it does no more. */
export interface ReachedLimit {
  limit: EmailLimit;
  until: Date;
}

/** The limit that holds an email back the longest, from the answer to `findReachedLimits`; null where none does. */
export function reachedLimit([found]: Record<EmailLimit, number | null>[]): ReachedLimit | null {
  const limits: EmailLimit[] = ["record", "address", "newAddresses"];
  const held = limits.flatMap((limit) => {
    const at = found?.[limit];
    return at ? [{ limit, until: new Date(at + DAY_MS) }] : [];
  });
  const longest = Math.max(...held.map(({ until }) => until.getTime()));
  return held.find(({ until }) => until.getTime() === longest) ?? null;
}

/**
 * Has a message that waited count for another address than it was queued for: its supervisor's has been changed since.
 * Returns false where a limit holds it back there, or somebody else has the message by now.
 */
export async function updateRecipient(
  desk: ComposeContext,
  { id, lease }: MessageRow,
  caused: EmailCause,
): Promise<boolean> {
  const recipient = recipientOf(desk, caused);
  const moved = sql`id = ${id} AND lease = ${lease ?? ""} AND state = 'claimed'`;
  const isMoved = sql`EXISTS (SELECT 1 FROM ${outbox} WHERE ${moved} AND recipient = ${recipient})`;
  const { readdressed } = await batch(desk.db, {
    readdressed: desk.db
      .update(outbox)
      .set({ recipient })
      .where(sql`${moved} AND ${mayEmail(desk, caused)}`)
      .returning({ id: outbox.id }),
    counted: countEmail(desk, caused, isMoved),
  });
  return readdressed.length > 0;
}

/** Forgets whom messages were for that no limit counts any more. */
export async function sweepRecipients(db: Db, now: Date): Promise<void> {
  const longAgo = now.getTime() - KNOWN_MS;
  await db.update(outbox).set({ recipient: null }).where(sql`recipient IS NOT NULL AND created_at <= ${longAgo}`);
}
