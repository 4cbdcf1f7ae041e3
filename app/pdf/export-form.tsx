import { Island } from "#app/client/island.tsx";
import ExportButton from "./export-button.island.tsx";
import { FORM_KINDS } from "./form-kinds.ts";

interface ExportFormProps {
  kind: "entries" | "rope_hours";
  name: string | null;
  formKey: string;
  hasVerified: boolean;
  /** Whether the user is asked for their name first. */
  isNameless: boolean;
}

/** The button under a log that saves its verified hours as a PDF. It leads a user without a name to the page that asks for it. */
export function ExportForm({ kind, name, formKey, hasVerified, isNameless }: ExportFormProps) {
  if (isNameless) {
    return (
      <form className="export" action="/account/name">
        <input type="hidden" name="next" value={FORM_KINDS[kind].log} />
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
      props={{ kind, name, formKey, disabled: !hasVerified }}
    />
  );
}
