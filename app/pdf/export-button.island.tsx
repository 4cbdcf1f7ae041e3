import { type FormEvent, useEffect, useState } from "react";
import { showToast } from "#app/client/toast.client.ts";
import type { ListName } from "#app/db/enumerations.ts";
import { type Exported, exportForm, prepareExport } from "./export-form.client.ts";
import { EXPORTED, EXPORTED_WITHOUT_CODE, FAILED, WITHOUT_CODE } from "./export-toasts.ts";
import { FORM_KINDS } from "./form-kinds.ts";

interface ExportButtonProps {
  kind: ListName;
  /** The user's, for the name of the file. */
  name: string | null;
  formKey: string;
  /** Whether there are no verified hours. */
  disabled: boolean;
}

/** Saves the verified hours as a PDF. Without script, the button makes an export and opens its page to print. */
export default function ExportButton({ kind, name, formKey, disabled }: ExportButtonProps) {
  const [state, setState] = useState<"idle" | "busy" | "failed" | Exported>("idle");
  const [progress, setProgress] = useState("");
  const { log, nothingVerified } = FORM_KINDS[kind];
  const busy = state === "busy";
  // The island loads when the user is about to press the button (`when="intent"`).
  useEffect(() => {
    if (!disabled) prepareExport();
  }, [disabled]);

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setState("busy");
    const result = await exportForm(kind, name, (page, pages) => setProgress(`Page ${page} of ${pages}`)).catch(
      (error) => {
        console.error(error);
        return "failed" as const;
      },
    );
    const toasts = { coded: EXPORTED, uncoded: EXPORTED_WITHOUT_CODE, "nothing verified": nothingVerified };
    showToast(result === "failed" ? FAILED : toasts[result]);
    setState(result);
    setProgress("");
  }

  return (
    <form className="export" action={`${log}/exports`} method="post" onSubmit={onSubmit}>
      <input type="hidden" name="key" value={formKey} />
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
      {state === "failed" && <a href={`${log}/print`}>Print the form instead</a>}
    </form>
  );
}
