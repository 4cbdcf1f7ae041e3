import { draftForm, writeDraft } from "./draft.client.ts";

/** The markup of a toast, as in `ui/toast.tsx`. */
const OFFLINE =
  '<div class="toast error" role="alert"><strong>You are offline</strong>' +
  "<span>Your entries are kept on this device. Save them when there is a signal.</span></div>";

/**
 * Keeps a form's values in the browser until the server confirms them, so that they survive a crash, an empty battery,
 * a failed request or an expired session. It is part of the inline script, because it must not miss the first key
 * press.
 */
export function keepDrafts(): void {
  const form = draftForm();
  if (!form) return;
  writeDraft(form); // the user may have typed before this script ran
  // React may have replaced the form since, so the form comes from the event.
  addEventListener("input", ({ target }) => {
    const typed = (target as Element).closest<HTMLFormElement>("form[data-draft]"); // the target is an element
    if (typed) writeDraft(typed);
  });
  addEventListener("submit", (event) => {
    const sent = event.target as HTMLFormElement; // the target of a submit event is a form
    if (!sent.dataset.draft) return;
    writeDraft(sent);
    if (navigator.onLine || event.defaultPrevented) return;
    event.preventDefault();
    document.querySelector(".toast")?.remove();
    document.body.insertAdjacentHTML("afterbegin", OFFLINE);
  });
}
