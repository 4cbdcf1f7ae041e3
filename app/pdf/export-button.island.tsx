import { type FormEvent, useEffect, useState } from "react";
import { showToast } from "#app/client/toast.client.ts";
import type { Toast } from "#app/server/flash.ts";
import { exportForm, prepareExport } from "./export-form.client.ts";
import { EXPORTED, FAILED, NOTHING_VERIFIED } from "./export-toasts.ts";
import type { FormUser } from "./form.ts";

interface ExportButtonProps {
  user: FormUser;
  /** Nothing is verified yet. */
  disabled: boolean;
}

/** Saves the verified hours as a PDF. Without script the same button opens the same form as a page to print. */
export default function ExportButton({ user, disabled }: ExportButtonProps) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const [progress, setProgress] = useState("");
  const busy = state === "busy";
  // It comes to life when somebody is about to press it (`when="intent"`).
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

/** The export from beginning to end, and the toast that says how it went. */
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
