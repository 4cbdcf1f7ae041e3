import type { AppLoadContext } from "@remix-run/cloudflare";
import { asc, desc, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { browserName } from "#app/accounts/browser-name.ts";
import type { ItemState, LinkEnd, RequestEvent, Via } from "#app/db/enumerations.ts";
import { outbox, supervisors } from "#app/db/schema.ts";
import { recordsById } from "#app/records/any-record.server.ts";
import { type AnyRecord, countRecords } from "#app/records/kind.ts";
import { withoutOwner } from "#app/records/queries.server.ts";
import type { StateName } from "#app/ui/page.tsx";
import { qrPath } from "#app/ui/qr-path.server.ts";
import { requestQueries } from "#app/verification/link.server.ts";
import { endText } from "#app/verification/link-ends.ts";
import { listRequestEvents } from "#app/verification/request-events.server.ts";
import {
  type ItemRow,
  type RequestEventRow,
  type RequestRow,
  verificationAnswers,
  verificationRequests,
} from "#app/verification/requests.table.ts";
import { closedMailboxes } from "#app/verification/unknown-technicians.server.ts";
import { countAskable, countByState, NOTHING } from "./list-page.server.ts";
import { type MailStatus, mailStatus, notifiedBy, REQUEST_SENT } from "./mail-status.ts";
import { noEmailsTo, requireRequest, verificationUrl } from "./own-requests.server.ts";
import { hasFailedEmail, nextReminder } from "./remind.server.ts";

/** A record of a request on its page; null if it was deleted. */
export interface ShownItem {
  kind: string;
  id: number;
  state: ItemState;
  cause: LinkEnd | null;
  reason: string | null;
  record: AnyRecord | null;
}

/**
 * One of the signed-in user's requests with its records and what happened to it.
 * @throws {AppError} 404 for an unknown request or another user's
 */
export async function findRequestPage(context: AppLoadContext, id: number) {
  const { user, askable, ...rows } = await requireUser(context, (owner, db) => {
    const isMine = sql`id = ${id} AND user_id = ${owner}`;
    const mine = sql`SELECT id FROM ${verificationRequests} WHERE ${isMine}`;
    const { lastEvents: _, owner: _owner, longDays: _days, ...queries } = requestQueries(db, isMine);
    return {
      ...queries,
      askable: countAskable(db, owner),
      closed: closedMailboxes(db, owner),
      supervisors: db
        .select({ email: supervisors.email })
        .from(supervisors)
        .where(sql`user_id = ${owner} AND id = (SELECT supervisor_id FROM ${verificationRequests} WHERE ${isMine})`),
      events: listRequestEvents(db, mine),
      answers: db
        .select({
          id: verificationAnswers.id,
          name: verificationAnswers.name,
          via: verificationAnswers.via,
          at: verificationAnswers.at,
        })
        .from(verificationAnswers)
        .where(sql`request_id IN (${mine})`)
        .orderBy(asc(verificationAnswers.id)),
      mails: db
        .select({ state: outbox.state, reason: outbox.reason, attempts: outbox.attempts, createdAt: outbox.createdAt })
        .from(outbox)
        .where(sql`request_id IN (${mine}) AND kind = 'verification_requested'`)
        .orderBy(desc(outbox.id))
        .limit(1),
      failed: db
        .select({ id: verificationRequests.id })
        .from(verificationRequests)
        .where(sql`${isMine} AND ${hasFailedEmail(context)}`),
    };
  });
  const request = requireRequest(rows.request);
  const { reminders, requestedName, supervisorEmail, requestedAt, expiresAt, endedAt, token } = request;
  const isOpen = !endedAt && expiresAt > context.now;
  const records = recordsById(rows.records);
  const noEmails = isOpen ? noEmailsTo(context, request, rows.closed) : null;
  const email = rows.supervisors[0]?.email;
  const url = isOpen ? verificationUrl(context, token) : null;
  return {
    user,
    /** How many records no supervisor is asked to verify. */
    askable: askable[0] ?? NOTHING,
    request: { id, reminders, requestedName, supervisorEmail, requestedAt, expiresAt, endedAt },
    notifiedBy: notifiedBy(context.mail, user.emailConfirmedAt),
    link: url && { url, qr: qrPath(url) },
    counts: countByState(rows.items.map(({ state }) => ({ state, n: 1 }))),
    items: rows.items.map(({ kind, recordId, state, cause, reason }): ShownItem => {
      const record = records.get(recordId)?.record;
      return { kind, id: recordId, state, cause, reason, record: record ? withoutOwner(record) : null };
    }),
    mailStatus: shownStatus(context, mailStatus(rows.mails[0], request, noEmails)),
    /** The address that the supervisor got since the request was sent, if it waits. */
    newEmail: isOpen && supervisorEmail !== null && email && email !== supervisorEmail ? email : null,
    /** Why no email or reminder goes to the supervisor. */
    noEmails,
    /** Whether the email waits, so that it is not sent again. */
    emailWaits: request.emailWithheld === "limit",
    canRemind:
      isOpen &&
      !noEmails &&
      supervisorEmail !== null &&
      (rows.failed.length > 0 || nextReminder(request) <= context.now),
    nextReminder: nextReminder(request),
    steps: timelineOf(request, rows.items, rows.events, rows.answers),
  };
}

/**
 * Why the request that was just made or renewed sent no email; else the state of its last email, but for what the toast after
 * a request says already.
 */
function shownStatus({ flash }: AppLoadContext, status: MailStatus | null): MailStatus | null {
  if (flash?.toast?.title === REQUEST_SENT && status?.mayArrive) return null;
  return flash?.heldBack ? { tone: "waiting", text: flash.heldBack, mayArrive: false } : status;
}

type AnswerRow = Pick<typeof verificationAnswers.$inferSelect, "id" | "name" | "via" | "at">;

/** Something that happened to a request. */
export interface Step {
  at: Date;
  /** The state that it leads to. */
  state: StateName;
  /** Who did it, if the text goes on after a name that somebody typed. */
  name?: string;
  text: string;
  /** From where, for what an HTTP request caused. */
  from?: string;
}

const EVENTS: Record<RequestEvent, string> = {
  asked: "Sent again",
  mailed: "Email sent",
  opened: "Link opened",
  reminded: "Reminder sent",
};

const VIAS: Record<Via, string> = { mailbox: "by mailbox", link: "by link" };

/** What happened to a request, the first thing first. */
function timelineOf(request: RequestRow, items: ItemRow[], events: RequestEventRow[], answers: AnswerRow[]): Step[] {
  const { createdAt, requestedAt } = request;
  // The dialog of a record renews its request without an event here: the record's audit log has it.
  const isRenewed = requestedAt > createdAt && !events.some(({ event, at }) => event === "asked" && at >= requestedAt);
  const steps: Step[] = [
    { at: createdAt, state: "requested", text: `Requested for ${countRecords(items.length)}` },
    ...(isRenewed ? [{ at: requestedAt, state: "requested", text: "Requested again" } as const] : []),
    ...events.map(({ event, at, address, browser }): Step => {
      const from = [address, browserName(browser)].filter(Boolean).join(", ");
      return { at, state: "requested", text: EVENTS[event], ...(from && { from }) };
    }),
    ...answers.map((answer) => answerStep(answer, items)),
    ...endSteps(items),
  ];
  return steps.sort((one, other) => one.at.getTime() - other.at.getTime());
}

function answerStep({ id, name, via, at }: AnswerRow, items: ItemRow[]): Step {
  const answered = items.filter(({ answerId }) => answerId === id);
  const of = (state: ItemRow["state"]) => answered.filter((item) => item.state === state).length;
  // What was verified and is disowned since has a step of its own for that.
  const verified = of("verified") + answered.filter(({ cause }) => cause === "disowned").length;
  const declined = of("declined");
  const done = [
    ...(verified > 0 ? [`verified ${countRecords(verified)}`] : []),
    ...(declined > 0 ? [`declined ${countRecords(declined)}`] : []),
  ];
  const state = verified > 0 ? "verified" : "declined";
  return { at, state, name: name ?? "A supervisor", text: `${done.join(" and ") || "answered"}, ${VIAS[via]}` };
}

/** A step for each time and cause at which items ended. */
function endSteps(items: ItemRow[]): Step[] {
  const ended = new Map<string, { at: Date; cause: LinkEnd; n: number }>();
  for (const { state, cause, decidedAt: at } of items) {
    if (state !== "ended" || !cause || !at) continue;
    const key = `${at.getTime()} ${cause}`;
    ended.set(key, { at, cause, n: (ended.get(key)?.n ?? 0) + 1 });
  }
  return [...ended.values()].map(({ at, cause, n }) => ({
    at,
    state: "pending",
    text: endText(cause, n, "technician"),
  }));
}
