import { type FormEvent, useEffect, useState } from "react";
import { showToast } from "#app/client/toast.client.ts";
import type { FormName } from "#app/db/enumerations.ts";
import { EXPORTED, EXPORTED_WITHOUT_CODE, FAILED, WITHOUT_CODE } from "#app/pdf/forms.ts";
import type { Choice } from "./forms.ts";
import { FORMS } from "./forms.ts";
import { prepareExport, type SavedPdf, savePdf } from "./save-pdf.client.ts";

interface ExportButtonProps {
  /** The form of the button; on the page that chooses one, the one that is chosen there first. */
  form: FormName;
  /** The user's, for the name of the file. */
  name: string | null;
  /** The hidden key of the HTML form. */
  formKey: string;
  /** Whether there are no verified hours. */
  disabled: boolean;
  /** The id of the HTML form whose fields choose the records of the export, where the page has one. */
  id?: string;
}

/** Saves the verified hours as a PDF. Without script, the button makes an export and opens its page to print. */
export default function ExportButton({ form, name, formKey, disabled, id }: ExportButtonProps) {
  const [state, setState] = useState<"idle" | "busy" | "failed" | Exclude<SavedPdf, object>>("idle");
  const [progress, setProgress] = useState("");
  const [printHref, setPrintHref] = useState("");
  const { log } = FORMS[form];
  const busy = state === "busy";
  // The island loads when the user is about to press the button (`when="intent"`).
  useEffect(() => {
    if (!disabled) prepareExport();
  }, [disabled]);

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const { key: _, ...chosen } = Object.fromEntries(new FormData(event.currentTarget));
    const choice: Choice = { form, ...chosen };
    setState("busy");
    setPrintHref(
      `${FORMS[choice.form].log}/print?${new URLSearchParams(Object.entries(choice).filter(([, value]) => value))}`,
    );
    const result = await savePdf(choice, name, (page, pages) => setProgress(`Page ${page} of ${pages}`)).catch(
      (error) => {
        console.error(error);
        return "failed" as const;
      },
    );
    const toasts = { coded: EXPORTED, uncoded: EXPORTED_WITHOUT_CODE, failed: FAILED };
    showToast(typeof result === "string" ? toasts[result] : result);
    setState(typeof result === "string" ? result : "idle");
    setProgress("");
  }

  return (
    <form id={id} className="export" action={`${log}/exports`} method="post" onSubmit={onSubmit}>
      <input type="hidden" name="key" value={formKey} />
      {!id && <a href={`${log}/exports`}>Other forms and dates</a>}
      <button
        type="submit"
        className="second"
        disabled={disabled}
        aria-disabled={busy || undefined}
        aria-busy={busy || undefined}
      >
        {busy ? "Exporting..." : "Export Verified Hours as PDF"}
      </button>
      <p className="progress" aria-live="polite">
        {state === "uncoded" ? WITHOUT_CODE : progress}
      </p>
      {state === "failed" && <a href={printHref}>Print the form instead</a>}
    </form>
  );
}
