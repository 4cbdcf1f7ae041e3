import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { isIntact, type Line } from "#app/audit-log/chain.server.ts";
import { firstEvent, listEvents } from "#app/audit-log/log.server.ts";
import type { AskedSupervisor, ShownEvent } from "#app/audit-log/shown-event.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import type { Kind, RecordWithToken } from "#app/records/kinds.ts";
import { findRecord, requireRecord } from "#app/records/queries.server.ts";
import { perRequest } from "#app/server/per-request.server.ts";
import { findRequestMail, type RequestMail } from "#app/verification/queue-email.server.ts";
import { type VerifiableRecord, verifiableRecord } from "#app/verification/record.ts";
import { type MailNotice, mailNotice } from "#app/verification/requests/mail-notice.ts";

/** The last request of a record, as long as it was not withdrawn. */
export interface LastRequest {
  at: Date | null;
  /** Null where it was made before there was a log. */
  supervisor: AskedSupervisor | null;
  /** What became of the message to them. */
  mail: "waiting" | "sent" | "failed" | "unknown" | "moot" | null;
  notice: MailNotice | null;
}

/** What there is to know of a record on its way to a verification: *How this was verified*. */
export interface History {
  record: VerifiableRecord;
  request: LastRequest | null;
  /** Whether the request's link can be used. */
  isOpen: boolean;
  /** The oldest line first. */
  log: ShownEvent[];
  /** Whether the log is as it was written, and the record what it says. */
  intact: boolean;
}

/** The statements that find what has happened to the record that `id` selects, whose owner `owner` selects. */
export function historyQueries(db: Db, kind: Kind, id: number | SQL<number>, owner: Owner) {
  return { log: listEvents(db, kind.name, id), began: firstEvent(db), mails: findRequestMail(db, owner, kind, id) };
}

interface Events {
  log: Line[];
  began: { at: Date }[];
  mails: RequestMail[];
}

/**
 * What has happened to one of somebody's own records.
 * @throws {AppError} 404 where there is no such record, or it is somebody else's
 */
export const findHistory = perRequest(
  async (context: AppLoadContext, kind: Kind, id: number): Promise<{ user: User; history: History }> => {
    const { user, found, ...events } = await requireUser(context, (owner, db) => ({
      found: findRecord(db, owner, kind, id),
      ...historyQueries(db, kind, sql`(SELECT id FROM ${kind.table} WHERE id = ${id} AND user_id = ${owner})`, owner),
    }));
    return { user, history: historyFromRows(kind, requireRecord(kind, found), user, events) };
  },
);

/** A record's history, from what the statements have found. */
export function historyFromRows(
  kind: Kind,
  record: RecordWithToken,
  user: VerifiableRecord["user"],
  { log, began, mails }: Events,
): History {
  const isOpen = record.verificationToken !== null && !record.verified;
  const lines = log.map(({ recordKind: _kind, recordId: _id, supervisor, ...line }) => ({
    ...line,
    supervisor: supervisor ? (JSON.parse(supervisor) as AskedSupervisor) : null, // written by `appendEvent`
  }));
  return {
    record: verifiableRecord(kind, user, record),
    isOpen,
    request: isOpen || record.verified ? lastRequest(lines, mails[0], isOpen) : null,
    log: lines,
    intact: isIntact(log, kind, record, began[0]?.at ?? null),
  };
}

function lastRequest(lines: ShownEvent[], mail: RequestMail | undefined, isOpen: boolean): LastRequest | null {
  const line = lines.findLast(({ event }) => event === "requested");
  if (!line && !mail && !isOpen) return null;
  const asked = line?.supervisor ?? null;
  // As they were saved when they were asked, and not as they may have been edited since.
  const whom = asked && mail?.supervisorId ? [{ id: mail.supervisorId, ...asked }] : [];
  return {
    at: line?.at ?? mail?.createdAt ?? null,
    supervisor: asked,
    mail: !mail ? null : mail.state === "claimed" || mail.state === "sending" ? "waiting" : mail.state,
    notice: mailNotice(mail, whom),
  };
}

/** A history as the JSON calls answer it; the record itself has calls of its own. */
export function historyJson({ request, isOpen, log, intact }: History) {
  return {
    request: request && {
      requestedAt: request.at,
      supervisor: request.supervisor,
      mail: request.mail,
      open: isOpen,
    },
    log,
    intact,
  };
}
