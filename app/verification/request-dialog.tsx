import { type SubmissionResult, useForm } from "@conform-to/react";
import { CERTIFICATION_LEVELS } from "#app/db/enumerations.ts";
import { formatDate } from "#app/hours/calendar-date.ts";
import type { Entry } from "#app/hours/entries.server.ts";
import { formatHours, toHundredths } from "#app/hours/hours.ts";
import { methodLabel } from "#app/hours/methods.ts";
import { TEXT_MAX } from "#app/http/fields.ts";
import type { Supervisor } from "#app/supervisors/supervisors.server.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { asText, Field } from "#app/ui/field.tsx";

interface RequestDialogProps {
  entry: Entry;
  supervisors: Supervisor[];
  /** Names this sending; see `submissionOf`. */
  formKey: string;
  /** What the server said of the last sending. */
  reply?: SubmissionResult<string[]> | undefined;
}

type FormValue = {
  /** The id of a saved supervisor, or `new`. */
  supervisor: string;
  name: string;
  email: string;
  phone: string;
  certificationLevel: string;
  company: string;
};

/** Who shall verify an entry: a saved supervisor, or a new one, in one form with one button (product, "Screens"). */
export function RequestDialog({ entry, supervisors, formKey, reply }: RequestDialogProps) {
  const [form, fields] = useForm<FormValue>({
    id: "request",
    lastResult: reply,
    defaultValue: { supervisor: String(supervisors[0]?.id ?? "new") },
  });
  const chosen = asText(fields.supervisor.initialValue);
  const firstWrong = reply?.error && Object.keys(reply.error)[0];
  const focus = (field: { name: string }) => ({ autoFocus: field.name === firstWrong });
  return (
    <Dialog title="Request Verification" closeHref="/profile">
      <p>{summaryOf(entry)}</p>
      <form method="post" action={`/profile/request/${entry.id}/${formKey}`} id={form.id} noValidate>
        <fieldset aria-describedby={fields.supervisor.errors && fields.supervisor.errorId}>
          <legend>Supervisor</legend>
          {supervisors.map(({ id, name, company, email }) => (
            <label key={id} className="choice">
              <input type="radio" name={fields.supervisor.name} value={id} defaultChecked={chosen === String(id)} />
              <span>
                <b>{name}</b> {company}, {email}
              </span>
            </label>
          ))}
          <label className="choice">
            <input type="radio" name={fields.supervisor.name} value="new" defaultChecked={chosen === "new"} />
            <span>New supervisor</span>
          </label>
          {fields.supervisor.errors && (
            <p className="wrong" id={fields.supervisor.errorId}>
              {fields.supervisor.errors[0]}
            </p>
          )}
          <div className="new-supervisor">
            <Field field={fields.name} label="Name" autoComplete="off" maxLength={TEXT_MAX} {...focus(fields.name)} />
            <Field field={fields.email} label="Email" type="email" autoComplete="off" {...focus(fields.email)} />
            <Field field={fields.phone} label="Phone" type="tel" autoComplete="off" {...focus(fields.phone)} />
            <Field
              field={fields.certificationLevel}
              label="Certification Level"
              control={(attributes) => (
                <select {...attributes} defaultValue={asText(fields.certificationLevel.initialValue)}>
                  <option value="">Select level</option>
                  {CERTIFICATION_LEVELS.map((level) => (
                    <option key={level}>{level}</option>
                  ))}
                </select>
              )}
            />
            <Field field={fields.company} label="Company" autoComplete="off" {...focus(fields.company)} />
          </div>
        </fieldset>
        <button type="submit">Send Request</button>
      </form>
    </Dialog>
  );
}

/** After the request: the link, for the technician to pass on. */
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
