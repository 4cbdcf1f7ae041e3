import { draftForm, writeDraft } from "./draft.client.ts";

/** A toast as `ui/toast.tsx` has it. */
const OFFLINE =
  '<div class="toast error" role="alert"><strong>You are offline</strong>' +
  "<span>Your entries are kept on this device. Save them when there is a signal.</span></div>";

/**
 * Keeps what is typed until the server says that it has it, through a crash, a dead battery, a failed send or an
 * expired session: from the first letter, so it is part of the page itself. The page after a logout forgets it
 * (forget-drafts.client.ts).
 */
export function keepDrafts(): void {
  const form = draftForm();
  if (!form) return;
  writeDraft(form); // the first letters may have come before this script
  // React may have put another element in the form's place, so the one of the event counts.
  addEventListener("input", ({ target }) => {
    const typed = (target as Element).closest<HTMLFormElement>("form[data-draft]"); // an element of the page
    if (typed) writeDraft(typed);
  });
  addEventListener("submit", (event) => {
    const sent = event.target as HTMLFormElement; // where submit events go
    if (!sent.dataset.draft) return;
    writeDraft(sent);
    if (navigator.onLine || event.defaultPrevented) return;
    event.preventDefault();
    document.querySelector(".toast")?.remove();
    document.body.insertAdjacentHTML("afterbegin", OFFLINE);
  });
}
