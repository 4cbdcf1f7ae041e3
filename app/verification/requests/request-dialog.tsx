import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, sql } from "drizzle-orm";
import { Island } from "#app/client/island.tsx";
import type { Db, Owner } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { type LongDay, longDayIn, longDays } from "#app/records/entry/entries.server.ts";
import { type AnyRecord, isAskable, type Kind, logHref, type RecordWithOwner } from "#app/records/kind.ts";
import { logQueryFrom } from "#app/records/log-page.server.ts";
import { findRecord, withoutOwner } from "#app/records/queries.server.ts";
import { RecordBrief } from "#app/records/record-facts.tsx";
import { LogParamFields } from "#app/records/record-log.tsx";
import { records } from "#app/records/records.table.ts";
import { redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { LastEmail } from "#app/supervisor-mail/request.server.ts";
import type { NamedSupervisor, SupervisorToAsk } from "#app/supervisors/supervisor-choice.tsx";
import { type SupervisorRules, supervisorRules } from "#app/supervisors/supervisor-rules.server.ts";
import type { Supervisor } from "#app/supervisors/supervisors.server.ts";
import { Dialog } from "#app/ui/dialog.tsx";
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
import RequestForm, { type RequestFormProps } from "./request-form.island.tsx";

/** The link of a request, to select and copy by hand. */
export function LinkField({ url }: { url: string }) {
  return (
    <div className="field">
      <label htmlFor="link">Verification link</label>
      <input id="link" type="url" readOnly value={url} />
    </div>
  );
}

/** Copies and shares the link. A script shows these buttons: without one they could do nothing. */
export function CopyLinkButtons() {
  return (
    <>
      <button type="button" className="second" data-copy="link" hidden>
        Copy link
      </button>
      <button type="button" className="second" data-share="link" hidden>
        Share
      </button>
    </>
  );
}

/**
 * Says how the technician hears of the answer, and when: one email an hour at most
 * (app/supervisor-mail/digest.server.ts).
 */
export function NotifiedHint({ notifiedBy }: { notifiedBy: NotifiedBy }) {
  return (
    <p className="hint">
      {notifiedBy === "email" && "We email you the first answer at once, and later answers within an hour."}
      {notifiedBy === "off" && "You see the answer here and in your log. This installation sends no emails."}
      {notifiedBy === "unconfirmed" && (
        <>
          You see the answer here and in your log. <a href="/account">Confirm your email</a> to be told by email too.
        </>
      )}
    </p>
  );
}

/** The verification dialog (spec section 2): the choice of a supervisor, then the link. */
export function VerificationDialog({ dialog, formKey }: { dialog: DialogFacts; formKey: string }) {
  const { kind: name, url, ...facts } = dialog;
  const kind = kindNamed(name);
  if (url) return <LinkDialog kind={kind} url={url} {...facts} />;
  return <RequestDialog kind={kind} formKey={formKey} reply={null} {...facts} />;
}

interface DialogProps {
  kind: Kind;
  record: AnyRecord;
  /** The parameters of the page of the log to which the dialog leads back. */
  params: Record<string, string>;
}

interface RequestDialogProps extends DialogProps, Omit<RequestFormProps, "action"> {
  /** The key of this submission (see `submissionOf`), part of the form's action. */
  formKey: string;
  /** The points that the supervisor's page will mention. */
  notes?: string[];
}

export function RequestDialog({ kind, record, params, formKey, reply, notes = [], ...facts }: RequestDialogProps) {
  return (
    <Dialog title="Request Verification" closeHref={closeHref(kind, record, params)} hasFocus={Boolean(reply?.error)}>
      <RecordBrief kind={kind} record={record} />
      {notes.map((note) => (
        <p key={note} className="notice waiting">
          {note}
        </p>
      ))}
      <Island
        of={RequestForm}
        name="verification/requests/request-form"
        when="interaction"
        props={{
          action: logHref(`${kind.path}/request/${record.id}/${formKey}`, params),
          reply,
          supervisors: facts.supervisors,
          ...(facts.named && { named: facts.named }),
          rules: facts.rules,
          isRoleEnough: facts.isRoleEnough,
        }}
      />
    </Dialog>
  );
}

interface LinkDialogProps extends DialogProps {
  url: string;
  /** The state of the email to the supervisor; null without an email. */
  mailStatus: MailStatus | null;
  notifiedBy: NotifiedBy;
}

/**
 * The second step, after the request: the confirmation (spec section 2) or why there is no email, and always the link.
 * One dialog has both, so that it confirms a success once.
 */
function LinkDialog({ kind, record, params, url, mailStatus, notifiedBy }: LinkDialogProps) {
  const isMailed = mailStatus?.mayArrive === true;
  return (
    <Dialog
      title={isMailed ? "Verification Email Sent" : "Request Verification"}
      closeHref={closeHref(kind, record, params)}
    >
      <RecordBrief kind={kind} record={record} />
      {mailStatus && (
        <div className={`notice ${mailStatus.tone}`}>
          {isMailed && (
            <p>
              An email has been sent to the supervisor for verification. You'll be notified once the hours are verified.
            </p>
          )}
          <p>{mailStatus.afterConfirmation ?? mailStatus.text}</p>
        </div>
      )}
      <p>Anyone with this link can verify {kind.texts.thisOne}. They need no account.</p>
      <LinkField url={url} />
      <NotifiedHint notifiedBy={notifiedBy} />
      <form action={kind.path} className="row">
        <LogParamFields params={params} />
        <input type="hidden" name="at" value={record.id} />
        <CopyLinkButtons />
        <button type="submit">Done</button>
      </form>
    </Dialog>
  );
}

/** The same page of the log without the dialog, where the record's row takes the focus back. */
function closeHref(kind: Kind, { id }: AnyRecord, params: Record<string, string>): string {
  return logHref(kind.path, { ...params, at: String(id) });
}

export interface DialogFacts {
  kind: string;
  record: AnyRecord;
  supervisors: SupervisorToAsk[];
  /** Whom the shift card of the record names. */
  named: NamedSupervisor | null;
  rules: SupervisorRules;
  /** Whether a role is enough of a new supervisor. */
  isRoleEnough: boolean;
  /** The supervisors who have a request already, and the points that the supervisor's page will mention. */
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

/** Returns the facts that the dialog needs about a new supervisor of records of a kind. */
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
    named: context.flash?.supervisor ?? null,
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
