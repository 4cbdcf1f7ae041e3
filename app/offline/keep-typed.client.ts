import type { RowState } from "./row.ts";
import { put } from "./store.client.ts";
import { recordForm, rowOf } from "./typed.client.ts";

/** The markup of a toast, as in `ui/toast.tsx`. */
const OFFLINE =
  '<div class="toast error" role="alert"><strong>You are offline</strong>' +
  "Your entries are kept. Save them when there is a signal.</div>";

/** Stores the form's values. If the storage is blocked, they are still in the form. */
function keep(form: HTMLFormElement, state: RowState): void {
  put(rowOf(form, state)).catch(() => {});
}

/**
 * Keeps a form's values in the browser until the server confirms them, so that they survive a crash, an empty battery,
 * a failed request or an expired session. It is part of the inline script, because it must not miss the first key
 * press.
 */
export function keepTyped(): void {
  // The user may have typed before this script ran, and React may replace the form later.
  const form = recordForm();
  if (form?.matches(":focus-within")) keep(form, "typed");
  addEventListener("input", ({ target }) => {
    const typed = (target as HTMLInputElement).form; // the target is a field
    if (typed?.dataset.draft) keep(typed, "typed");
  });
  addEventListener("submit", (event) => {
    const sent = event.target as HTMLFormElement; // the target of a submit event is a form
    if (!sent.dataset.draft || event.defaultPrevented) return;
    // With a service worker the page that follows has the list of what is not sent yet, and a new form.
    const { onLine, serviceWorker } = navigator;
    const isSent = onLine || serviceWorker?.controller;
    // The button that saves has no name; those that add or remove a row have one.
    const isSaved = isSent && !(event.submitter as HTMLButtonElement | null)?.name;
    keep(sent, isSaved ? (onLine ? "sent" : "saved") : "typed");
    if (isSent) return;
    event.preventDefault();
    document.querySelector(".toast")?.remove();
    document.body.insertAdjacentHTML("afterbegin", OFFLINE);
  });
}
