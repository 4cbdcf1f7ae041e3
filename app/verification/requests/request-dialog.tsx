import { Island } from "#app/client/island.tsx";
import type { Entry } from "#app/records/entry/entries.server.ts";
import { type Kind, SCREENS } from "#app/records/kinds.ts";
import type { RopeHours } from "#app/records/rope-hours/rope-hours.server.ts";
import { summaryOf } from "#app/records/summary.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import type { DialogFacts } from "./dialog.server.ts";
import type { MailNotice } from "./mail-notice.ts";
import RequestForm, { type RequestFormProps } from "./request-form.island.tsx";

/** The verification dialog of a page (spec section 2): who is asked, and once somebody was, the link. */
export function VerificationDialog({ dialog, formKey }: { dialog: DialogFacts; formKey: string }) {
  const { kind, record, supervisors, rules, url, notice, isMailed } = dialog;
  if (isMailed) return <SentDialog kind={kind} />;
  if (url) return <LinkDialog kind={kind} record={record} url={url} notice={notice} />;
  return (
    <RequestDialog kind={kind} record={record} supervisors={supervisors} formKey={formKey} rules={rules} reply={null} />
  );
}

interface RequestDialogProps extends Omit<RequestFormProps, "action"> {
  kind: Kind;
  record: Entry | RopeHours;
  /** Names this sending (see `submissionOf`); it is part of the address that the form is sent to. */
  formKey: string;
}

/** The first half of the verification dialog: who is asked. */
export function RequestDialog({ kind, record, supervisors, formKey, rules, reply }: RequestDialogProps) {
  const { path } = SCREENS[kind];
  return (
    <Dialog title="Request Verification" closeHref={path}>
      <p>{summaryOf(record)}</p>
      <Island
        of={RequestForm}
        name="verification/requests/request-form"
        when="interaction"
        props={{ action: `${path}/request/${record.id}/${formKey}`, supervisors, rules, reply }}
      />
    </Dialog>
  );
}

interface LinkDialogProps {
  kind: Kind;
  record: Entry | RopeHours;
  url: string;
  /** What became of the message to the supervisor; null where none was asked for. */
  notice: MailNotice | null;
}

/** The second half, after the request: what became of the message, and always the link, to pass on by hand. */
function LinkDialog({ kind, record, url, notice }: LinkDialogProps) {
  const { path } = SCREENS[kind];
  const what = kind === "entry" ? "this entry" : "these hours";
  return (
    <Dialog title="Request Verification" closeHref={path}>
      <p>{summaryOf(record)}</p>
      {notice && <p className={`notice ${notice.tone}`}>{notice.text}</p>}
      <p>Whoever opens this link can verify {what}, without an account.</p>
      <div className="field">
        <label htmlFor="link">Verification link</label>
        <input id="link" type="url" readOnly value={url} />
      </div>
      <form action={path} className="row">
        {notice?.isUnderWay && <input type="hidden" name="mailed" value={record.id} />}
        {/* Only script can copy; it shows the button. */}
        <button type="button" className="second" data-copy="link" hidden>
          Copy link
        </button>
        <button type="submit">Done</button>
      </form>
    </Dialog>
  );
}

/** What *Done* ends with, in the spec's words (section 2), where the message was not known to have failed. */
function SentDialog({ kind }: { kind: Kind }) {
  const { path } = SCREENS[kind];
  return (
    <Dialog title="Verification Email Sent" closeHref={path}>
      <p>An email has been sent to the supervisor for verification. You'll be notified once the hours are verified.</p>
      <form action={path}>
        <button type="submit">Close</button>
      </form>
    </Dialog>
  );
}
