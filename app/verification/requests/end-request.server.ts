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
 * The statements that end a record's open link, for a reason; they do nothing where it has none, or is not as it was
 * read (`isUnchanged`) any more. An edit is noted with the record's messages even where there is no link: another may follow. They go in front of the statement that takes the token out of the record, in one batch:
 * whoever opens the link is then told why it has ended, no message with it goes out any more, and the record's log
 * has a line more. `last` is the last of its lines as read with the record; the whole belongs into `retryOnConflict`.
 */
export function endRequest(
  { db, now, client }: Pick<AppLoadContext, "db" | "now" | "client">,
  kind: Kind,
  record: RecordWithToken,
  last: LastEvent | undefined,
  cause: LinkEnd,
) {
  const { id, userId, verificationToken: token } = record;
  const isThere = existsRecord(kind, isUnchanged(kind, record));
  const isOpen = existsRecord(kind, sql`${isUnchanged(kind, record)} AND verification_token IS NOT NULL`);
  const mails = sql`user_id = ${userId} AND record_kind = ${kind.name} AND record_id = ${id}`;
  return {
    noted: db
      .update(outbox)
      .set({ linkEnded: cause })
      .where(
        sql`${mails} AND kind = 'verification_requested' AND ${isThere}
          AND ${cause === "edited" ? sql`link_ended IS NOT 'edited'` : sql`link_ended IS NULL`}`,
      ),
    ended: db
      .insert(endedLinks)
      .select(sql`SELECT ${token}, ${userId}, ${kind.name}, ${id}, ${cause}, ${now.getTime()} WHERE ${isOpen}`),
    // Also one that is just being handed over: if it arrives its link is dead, and a new request mails anew.
    moot: cancelMessages({ db, now }, sql`${mails} AND ${isOpen}`),
    line: appendEvent(
      db,
      { kind: kind.name, id, last },
      { event: "withdrawn", at: now, client, cause, recordHash: recordHash(kind, record) },
      sql`WHERE ${isOpen}`,
    ),
  };
}
