import { Island } from "#app/client/island.tsx";
import { FORM_NAMES, type FormName } from "#app/db/enumerations.ts";
import { formatHours } from "#app/records/hours.ts";
import ExportButton from "./export-button.island.tsx";
import type { Choice } from "./forms.ts";
import { FORMS } from "./forms.ts";

/*
 * Here and in the whole module a form is the paper form (forms.ts): what `<form>` sends is called an HTML form.
 */

interface ExportUnderLogProps {
  /** The form of this log. */
  form: FormName;
  name: string | null;
  formKey: string;
  hasVerified: boolean;
  /** Whether the user must enter their name first. */
  isNameless: boolean;
  /** The verified hours for which the form has no column, in hundredths. */
  leftOut?: number;
}

/** The button under a log that saves its verified hours as a PDF. It leads a user without a name to the page that asks for it. */
export function ExportUnderLog({ leftOut = 0, ...props }: ExportUnderLogProps) {
  return (
    <>
      <ExportOfLog {...props} />
      {leftOut > 0 && (
        <p className="hint">
          {`${formatHours(leftOut)} verified hours of other methods are not on this form. The `}
          <a href={`${FORMS[props.form].log}/exports?form=detailed-log`}>Detailed Log</a> has them.
        </p>
      )}
    </>
  );
}

function ExportOfLog({ form, name, formKey, hasVerified, isNameless }: Omit<ExportUnderLogProps, "leftOut">) {
  if (isNameless) {
    return (
      <form className="export" action="/account/name">
        <input type="hidden" name="next" value={FORMS[form].log} />
        <button type="submit" className="second" disabled={!hasVerified}>
          Export Verified Hours as PDF
        </button>
      </form>
    );
  }
  return (
    <Island
      of={ExportButton}
      name="pdf/export-button"
      when={hasVerified ? "intent" : "interaction"}
      props={{ form, name, formKey, disabled: !hasVerified }}
    />
  );
}

interface ChoiceScreenProps {
  /** The choice at first: after a refusal, the choice before. */
  choice: Choice;
  /** The log that it is of. */
  path: string;
  name: string | null;
  formKey: string;
  supervisors: { id: number; name: string; company: string | null }[];
}

/** The id of the button's HTML form, to which the fields above it belong. */
const BUTTON = "export";

/**
 * The page that chooses the form, the dates and the supervisor of an export. The fields belong to the button's HTML form, which works
 * without script.
 */
export function ChoiceScreen({ choice, path, name, formKey, supervisors }: ChoiceScreenProps) {
  const { form, from, to, supervisorId } = choice;
  return (
    <>
      <h1>Export a form</h1>
      <p>
        The form lists verified records only, with a code that anyone can check. <a href={path}>Back to the log</a>
      </p>
      <div className="form">
        <fieldset>
          <legend>Form</legend>
          <div className="choices">
            {FORM_NAMES.map((one) => (
              <label key={one} className="choice">
                <input type="radio" name="form" value={one} form={BUTTON} defaultChecked={one === form} />
                <span>
                  <b>{[FORMS[one].title, FORMS[one].code].filter(Boolean).join(", ")}</b>{" "}
                  <span className="hint">{FORMS[one].hint}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <div className="pair">
          <div className="field">
            <label htmlFor="from">From</label>
            <input id="from" type="date" name="from" form={BUTTON} defaultValue={from ?? ""} />
          </div>
          <div className="field">
            <label htmlFor="to">To</label>
            <input id="to" type="date" name="to" form={BUTTON} defaultValue={to ?? ""} />
          </div>
        </div>
        <p className="hint">Records of several days are placed by their first day. The form says so.</p>
        {supervisors.length > 0 && (
          <div className="field">
            <label htmlFor="supervisorId">Verified by</label>
            <select id="supervisorId" name="supervisorId" form={BUTTON} defaultValue={supervisorId ?? ""}>
              <option value="">All supervisors</option>
              {supervisors.map(({ id, name, company }) => (
                <option key={id} value={id}>
                  {[name, company].filter(Boolean).join(", ")}
                </option>
              ))}
            </select>
          </div>
        )}
        <Island
          of={ExportButton}
          name="pdf/export-button"
          when="intent"
          props={{ form, name, formKey, disabled: false, id: BUTTON }}
        />
      </div>
    </>
  );
}
