import type { RowState } from "./row.ts";
import { inStore, put } from "./store.client.ts";
import { isTyped, recordForm, rowOf } from "./typed.client.ts";

/** The markup of a toast, as in `ui/toast.tsx`. */
const OFFLINE =
  '<div class="toast error" role="alert"><strong>You are offline</strong>' +
  "<span>Your entries are kept on this device. Save them when there is a signal.</span></div>";

/** Stores the form's values, or removes an empty form's row. If the storage is blocked, they are still in the form. */
function keep(form: HTMLFormElement, state: RowState): void {
  const row = rowOf(form, state);
  (isTyped(row) ? put(row) : inStore((rows) => rows.delete(row.key), true)).catch(() => {});
}

/**
 * Keeps a form's values in the browser until the server confirms them, so that they survive a crash, an empty battery,
 * a failed request or an expired session. It is part of the inline script, because it must not miss the first key
 * press.
 */
export function keepTyped(): void {
  const form = recordForm();
  if (!form) return;
  keep(form, "typed"); // the user may have typed before this script ran
  // React may have replaced the form since, so the form comes from the event.
  addEventListener("input", ({ target }) => {
    const typed = (target as Element).closest<HTMLFormElement>("form[data-draft]"); // the target is an element
    if (typed) keep(typed, "typed");
  });
  addEventListener("submit", (event) => {
    const sent = event.target as HTMLFormElement; // the target of a submit event is a form
    if (!sent.dataset.draft) return;
    // The button that saves has no name; those that add or remove a row have one.
    const isSaved = !event.defaultPrevented && !(event.submitter as HTMLButtonElement | null)?.name;
    // With a service worker the page that follows has the list of what is not sent yet, and a new form.
    const isKept = navigator.onLine || navigator.serviceWorker?.controller;
    keep(sent, isSaved && isKept ? (navigator.onLine ? "sent" : "saved") : "typed");
    if (isKept || event.defaultPrevented) return;
    event.preventDefault();
    document.querySelector(".toast")?.remove();
    document.body.insertAdjacentHTML("afterbegin", OFFLINE);
  });
}
