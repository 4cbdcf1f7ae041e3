import { formatDate } from "#app/hours/calendar-date.ts";
import type { Entry } from "#app/hours/entries.server.ts";
import { formatHours, toHundredths } from "#app/hours/hours.ts";
import { methodLabel } from "#app/hours/methods.ts";
import { Island } from "#app/islands/island.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
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

/** The second half, after the request: the link, for the technician to pass on. */
export function LinkDialog({ entry, url }: { entry: Entry; url: string }) {
  return (
    <Dialog title="Request Verification" closeHref="/profile">
      <p>{summaryOf(entry)}</p>
      <p>Send this link to your supervisor. Whoever opens it can verify this entry, without an account.</p>
      <div className="field">
        <label htmlFor="link">Verification link</label>
        <input id="link" type="url" readOnly value={url} />
      </div>
      <form action="/profile" className="row">
        {/* Only script can copy; it shows the button. */}
        <button type="button" className="second" data-copy="link" hidden>
          Copy link
        </button>
        <button type="submit">Done</button>
      </form>
    </Dialog>
  );
}

function summaryOf({ date, location, method, hours }: Entry): string {
  return `${formatDate(date)}, ${location}: ${formatHours(toHundredths(hours))} hours ${methodLabel(method)}`;
}
