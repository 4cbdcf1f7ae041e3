import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, sql } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { type LongDay, longDayIn, longDays } from "#app/records/entry/entries.server.ts";
import { type AnyRecord, isAskable, type Kind, logHref, type RecordWithOwner } from "#app/records/kind.ts";
import { logQueryFrom } from "#app/records/log-page.server.ts";
import { findRecord, withoutOwner } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { LastEmail } from "#app/supervisor-mail/request.server.ts";
import type { SupervisorToAsk } from "#app/supervisors/supervisor-choice.tsx";
import { type SupervisorRules, supervisorRules } from "#app/supervisors/supervisor-rules.server.ts";
import type { Supervisor } from "#app/supervisors/supervisors.server.ts";
import { notedOf } from "#app/verification/link.server.ts";
import { doubtsAmong } from "#app/verification/link-view.server.ts";
import type { ClosedMailbox } from "#app/verification/unknown-technicians.server.ts";
import { type MailStatus, mailStatus, type NotifiedBy, notifiedBy } from "./mail-status.ts";
import {
  choiceQueries,
  noEmailsTo,
  openSharedRequest,
  type RecordRequest,
  recordRequestQueries,
  supervisorsToAsk,
  verificationUrl,
} from "./own-requests.server.ts";

export interface DialogFacts {
  kind: string;
  record: AnyRecord;
  supervisors: SupervisorToAsk[];
  rules: SupervisorRules;
  /** Whether a role is enough of a new supervisor. */
  isRoleEnough: boolean;
  /** Who is asked already, and what the supervisor will be told to look at. */
  notes: string[];
  /** The link, if it exists and the URL has `&link=1`: the dialog then shows its second step. */
  url: string | null;
  /** The state of the last email to a supervisor about the record. */
  mailStatus: MailStatus | null;
  /** How the technician hears of the answer. */
  notifiedBy: NotifiedBy;
  /** The parameters of the page of the log behind the dialog. */
  params: Record<string, string>;
}

/** What the dialog needs to know of a new supervisor of records of a kind. */
export function newSupervisorFacts({ supervisorNeeds }: Kind): Pick<DialogFacts, "rules" | "isRoleEnough"> {
  return { rules: supervisorRules(supervisorNeeds), isRoleEnough: supervisorNeeds.includes("role") };
}

/** Whether a URL opens the dialog before its record is requested, and not only its link. */
export function asksToRequest({ searchParams }: URL): boolean {
  return searchParams.has("request") && !searchParams.has("link");
}

/** The queries for the dialog, if the URL asks for one: `?request={id}`. Otherwise none. */
export function dialogQueries(db: Db, owner: Owner, kind: Kind, { searchParams }: URL) {
  const id = searchParams.get("request");
  return id === null ? ({} as ReturnType<typeof recordQueries>) : recordQueries(db, owner, kind, parseId(id));
}

function recordQueries(db: Db, owner: Owner, kind: Kind, id: number) {
  return {
    found: findRecord(db, owner, kind, id),
    ...choiceQueries(db, owner),
    days: longDays(db, owner, sql`date = (SELECT date FROM ${records} WHERE id = ${id})`),
    technician: db.select({ emailConfirmedAt: users.emailConfirmedAt }).from(users).where(eq(users.id, owner)),
    ...recordRequestQueries(db, owner, id),
    shared: openSharedRequest(db, owner, id),
  };
}

/**
 * The dialog from the rows of `dialogQueries`; null if the URL asks for none.
 * @throws {Response} a redirect to the page without the dialog, which says why the record cannot be requested
 */
export async function dialogFromRows(
  context: AppLoadContext,
  kind: Kind,
  requestUrl: URL,
  rows: {
    found: RecordWithOwner[];
    supervisors: Supervisor[];
    lastAsked: Parameters<typeof supervisorsToAsk>[1]["lastAsked"];
    closed: ClosedMailbox[];
    days: LongDay[];
    technician: { emailConfirmedAt: Date | null }[];
    request: RecordRequest[];
    shared: Pick<RecordRequest, "supervisorId" | "requestedName" | "supervisorEmail">[];
    mails: LastEmail[];
  },
): Promise<DialogFacts | null> {
  const { searchParams } = requestUrl;
  const isRequested = searchParams.has("link");
  if (!searchParams.has("request")) return null;
  const [record] = rows.found ?? [];
  const { params } = logQueryFrom(kind, requestUrl);
  const path = logHref(kind.path, params);
  // A request that was verified since needs no dialog.
  if (record?.verified && isRequested) throw await redirectTo(context, path);
  const unasked = record && !isAskable(kind, record) ? kind.unasked?.message : undefined;
  if (!record || record.verified || unasked) {
    const text = unasked ?? (record ? kind.texts.alreadyVerified : kind.texts.missing);
    throw await redirectTo(context, path, { toast: { kind: "error", title: "Error", text } });
  }
  const [request] = rows.request;
  const open = request?.endedAt === null ? request : rows.shared[0];
  const url = isRequested && request ? verificationUrl(context, request.token) : null;
  const heldBack = context.flash?.heldBack;
  const shownStatus: MailStatus | null = heldBack
    ? { tone: "waiting", text: heldBack, mayArrive: false }
    : mailStatus(rows.mails[0], request, request && noEmailsTo(context, request, rows.closed));
  return {
    kind: kind.name,
    record: withoutOwner(record),
    supervisors: supervisorsToAsk(context, rows, { needs: kind.supervisorNeeds, asked: open }),
    notes: [
      ...(open?.requestedName
        ? [`${open.requestedName} is asked already. Ask again, or choose who is asked instead.`]
        : []),
      ...doubtsAmong([])({ kind, record, ...notedOf({ kind, record }, context.now, longDayIn(rows.days)) }),
    ],
    ...newSupervisorFacts(kind),
    url,
    params,
    mailStatus: shownStatus,
    notifiedBy: notifiedBy(context.mail, rows.technician[0]?.emailConfirmedAt),
  };
}
