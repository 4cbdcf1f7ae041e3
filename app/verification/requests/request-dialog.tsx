import { Island } from "#app/client/island.tsx";
import { type AnyRecord, type Kind, kindNamed } from "#app/records/kinds.ts";
import { logHref } from "#app/records/log-filter.ts";
import { RecordBrief } from "#app/records/record-brief.tsx";
import { LogParamFields } from "#app/records/record-log.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import type { DialogFacts } from "./dialog.server.ts";
import { CopyLinkButton, LinkField } from "./link-field.tsx";
import type { MailNotice } from "./mail-notice.ts";
import RequestForm, { type RequestFormProps } from "./request-form.island.tsx";

/** The verification dialog (spec section 2): the choice of a supervisor, then the link. */
export function VerificationDialog({ dialog, formKey }: { dialog: DialogFacts; formKey: string }) {
  const { kind: name, url, isConfirmation, ...facts } = dialog;
  const kind = kindNamed(name);
  if (isConfirmation) return <SentDialog kind={kind} params={dialog.params} />;
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
}

export function RequestDialog({ kind, record, params, supervisors, formKey, rules, reply }: RequestDialogProps) {
  return (
    <Dialog title="Request Verification" closeHref={logHref(kind.path, params)}>
      <RecordBrief kind={kind} record={record} />
      <Island
        of={RequestForm}
        name="verification/requests/request-form"
        when="interaction"
        props={{ action: logHref(`${kind.path}/request/${record.id}/${formKey}`, params), supervisors, rules, reply }}
      />
    </Dialog>
  );
}

interface LinkDialogProps extends DialogProps {
  url: string;
  /** The state of the email to the supervisor; null without an email. */
  notice: MailNotice | null;
}

/** The second step, after the request: the state of the email, and always the link. */
function LinkDialog({ kind, record, params, url, notice }: LinkDialogProps) {
  return (
    <Dialog title="Request Verification" closeHref={logHref(kind.path, params)}>
      <RecordBrief kind={kind} record={record} />
      {notice && <p className={`notice ${notice.tone}`}>{notice.text}</p>}
      <p>Anyone with this link can verify {kind.texts.thisOne}. They need no account.</p>
      <LinkField url={url} />
      <form action={kind.path} className="row">
        <LogParamFields params={params} />
        {notice?.mayArrive && <input type="hidden" name="mailed" value={record.id} />}
        <CopyLinkButton />
        <button type="submit">Done</button>
      </form>
    </Dialog>
  );
}

/** The confirmation after *Done* (spec section 2). */
function SentDialog({ kind, params }: Pick<DialogProps, "kind" | "params">) {
  return (
    <Dialog title="Verification Email Sent" closeHref={logHref(kind.path, params)}>
      <p>An email has been sent to the supervisor for verification. You'll be notified once the hours are verified.</p>
      <form action={kind.path}>
        <LogParamFields params={params} />
        <button type="submit">Close</button>
      </form>
    </Dialog>
  );
}
