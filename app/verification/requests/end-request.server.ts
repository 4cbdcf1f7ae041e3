import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { appendEvent, type LastEvent } from "#app/audit-log/log.server.ts";
import type { LinkEnd } from "#app/db/enumerations.ts";
import { endedLinks, outbox } from "#app/db/schema.ts";
import { cancelMessages } from "#app/mail/outbox.server.ts";
import type { Kind, RecordWithToken } from "#app/records/kinds.ts";
import { existsRecord, isUnchanged } from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";

/**
 * The statements that end a record's open link: they store the cause for the link's page, cancel its emails and append an
 * event. They do nothing without a link or if the record has changed (`isUnchanged`); an edit is stored with the record's
 * messages even without a link, for the email limits. They come before the statement that removes the token, in one batch
 * inside `retryOnConflict`. `last` is the last event of the log, read with the record.
 */
export function endRequest(
  { db, now, client }: Pick<AppLoadContext, "db" | "now" | "client">,
  kind: Kind,
  record: RecordWithToken,
  last: LastEvent | undefined,
  cause: LinkEnd,
) {
  const { id, userId, verificationToken: token } = record;
  const isCurrent = existsRecord(kind, isUnchanged(kind, record));
  const isOpen = existsRecord(kind, sql`${isUnchanged(kind, record)} AND verification_token IS NOT NULL`);
  const mails = sql`user_id = ${userId} AND record_kind = ${kind.name} AND record_id = ${id}`;
  return {
    marked: db
      .update(outbox)
      .set({ linkEnded: cause })
      .where(
        sql`${mails} AND kind = 'verification_requested' AND ${isCurrent}
          AND ${cause === "edited" ? sql`link_ended IS NOT 'edited'` : sql`link_ended IS NULL`}`,
      ),
    ended: db
      .insert(endedLinks)
      .select(sql`SELECT ${token}, ${userId}, ${kind.name}, ${id}, ${cause}, ${now.getTime()} WHERE ${isOpen}`),
    // Also a message that is being sent: if it arrives, its link has ended, and a new request sends another email.
    cancelled: cancelMessages({ db, now }, sql`${mails} AND ${isOpen}`),
    event: appendEvent(
      db,
      { kind: kind.name, id, userId, last },
      { event: "withdrawn", at: now, client, cause, recordHash: recordHash(kind, record) },
      sql`WHERE ${isOpen}`,
    ),
  };
}
