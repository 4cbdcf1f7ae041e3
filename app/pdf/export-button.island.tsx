import { type FormEvent, useEffect, useState } from "react";
import { showToast } from "#app/client/toast.client.ts";
import type { Toast } from "#app/server/flash.ts";
import { exportForm, prepareExport } from "./export-form.client.ts";
import { EXPORTED, FAILED, NOTHING_VERIFIED } from "./export-toasts.ts";
import type { FormUser } from "./form.ts";

interface ExportButtonProps {
  user: FormUser;
  /** Whether there are no verified hours. */
  disabled: boolean;
}

/** Saves the verified hours as a PDF. Without script, the button opens the print page. */
export default function ExportButton({ user, disabled }: ExportButtonProps) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const [progress, setProgress] = useState("");
  const busy = state === "busy";
  // The island loads when the user is about to press the button (`when="intent"`).
  useEffect(() => {
    if (!disabled) prepareExport();
  }, [disabled]);

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setState("busy");
    const toast = await run(user, (page, pages) => setProgress(`Page ${page} of ${pages}`));
    setState(toast === FAILED ? "failed" : "idle");
    setProgress("");
  }

  return (
    <form className="export" action="/profile/print" method="get" onSubmit={onSubmit}>
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
        {progress}
      </p>
      {state === "failed" && <a href="/profile/print">Print the form instead</a>}
    </form>
  );
}

/** Exports the form and returns the toast with the result. */
async function run(user: FormUser, onPage: (page: number, pages: number) => void): Promise<Toast> {
  let toast = FAILED;
  try {
    toast = (await exportForm(user, onPage)) ? EXPORTED : NOTHING_VERIFIED;
  } catch (error) {
    console.error(error);
  }
  showToast(toast);
  return toast;
}
