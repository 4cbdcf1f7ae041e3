import { Island } from "#app/client/island.tsx";
import { kindNamed } from "#app/records/all-kinds.ts";
import { type AnyRecord, type Kind, logHref } from "#app/records/kind.ts";
import { RecordBrief } from "#app/records/record-facts.tsx";
import { LogParamFields } from "#app/records/record-log.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import type { DialogFacts } from "./dialog.server.ts";
import type { MailStatus, NotifiedBy } from "./mail-status.ts";
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

/** How the technician hears of the answer, and when: one email an hour at most (app/supervisor-mail/digest.server.ts). */
export function NotifiedHint({ notifiedBy }: { notifiedBy: NotifiedBy }) {
  return (
    <p className="hint">
      {notifiedBy === "email" && "You are told of answers by email: of the first at once, of others within an hour."}
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
  /** What the supervisor will be told to look at. */
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
 * The second step, after the request: the confirmation (spec section 2) or why there is no email, and always the link. The
 * two stand in one dialog, so that a success is said once.
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
