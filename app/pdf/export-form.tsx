import { Island } from "#app/client/island.tsx";
import type { FormName } from "#app/db/enumerations.ts";
import ExportButton from "./export-button.island.tsx";
import { FORMS } from "./forms.ts";

interface ExportFormProps {
  form: FormName;
  name: string | null;
  formKey: string;
  hasVerified: boolean;
  /** Whether the user is asked for their name first. */
  isNameless: boolean;
}

/** The button under a log that saves its verified hours as a PDF. It leads a user without a name to the page that asks for it. */
export function ExportForm({ form, name, formKey, hasVerified, isNameless }: ExportFormProps) {
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
