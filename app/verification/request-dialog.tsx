import { formatDate } from "#app/hours/calendar-date.ts";
import type { Entry } from "#app/hours/entries.server.ts";
import { formatHours, toHundredths } from "#app/hours/hours.ts";
import { methodLabel } from "#app/hours/methods.ts";
import { Island } from "#app/islands/island.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import type { MailNotice } from "./mail-notice.ts";
import RequestForm, { type RequestFormProps } from "./request-form.island.tsx";

interface RequestDialogProps extends Omit<RequestFormProps, "entryId"> {
  entry: Entry;
}

/** The first half of the verification dialog: who is asked. */
export function RequestDialog({ entry, supervisors, formKey, rules, reply }: RequestDialogProps) {
  return (
    <Dialog title="Request Verification" closeHref="/profile">
      <p>{summaryOf(entry)}</p>
      <Island
        of={RequestForm}
        name="verification/request-form"
        when="interaction"
        props={{ entryId: entry.id, supervisors, formKey, rules, reply }}
      />
    </Dialog>
  );
}

interface LinkDialogProps {
  entry: Entry;
  url: string;
  /** What became of the message to the supervisor; null where none was asked for. */
  notice: MailNotice | null;
}

/** The second half, after the request: what became of the message, and always the link, to pass on by hand. */
export function LinkDialog({ entry, url, notice }: LinkDialogProps) {
  return (
    <Dialog title="Request Verification" closeHref="/profile">
      <p>{summaryOf(entry)}</p>
      {notice && <p className={`notice ${notice.tone}`}>{notice.text}</p>}
      <p>Whoever opens this link can verify this entry, without an account.</p>
      <div className="field">
        <label htmlFor="link">Verification link</label>
        <input id="link" type="url" readOnly value={url} />
      </div>
      <form action="/profile" className="row">
        {notice?.isUnderWay && <input type="hidden" name="mailed" value={entry.id} />}
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
export function SentDialog() {
  return (
    <Dialog title="Verification Email Sent" closeHref="/profile">
      <p>An email has been sent to the supervisor for verification. You'll be notified once the hours are verified.</p>
      <form action="/profile">
        <button type="submit">Close</button>
      </form>
    </Dialog>
  );
}

function summaryOf({ date, location, method, hours }: Entry): string {
  return `${formatDate(date)}, ${location}: ${formatHours(toHundredths(hours))} hours ${methodLabel(method)}`;
}
