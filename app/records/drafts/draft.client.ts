/** The values of a form for new records that the server has not confirmed yet. */
export interface Draft {
  /** The time of the last change, in milliseconds since 1970. */
  at: number;
  fields: [string, string][];
}

export function draftForm(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>("form[data-draft]");
}

/**
 * The storage key of a form's draft. It contains the user's id, so that no other user is offered the draft, and the
 * form's own URL, so that two copies of the form do not overwrite each other's draft. `forgetDrafts`
 * (forget-drafts.client.ts) relies on this format.
 */
export function keyOf(form: HTMLFormElement): string {
  return `draft:${form.dataset.draft}:${new URL(form.action).pathname}`;
}

/** Stores the form's values, or removes an empty draft. If the storage is full or blocked, nothing is stored. */
export function writeDraft(form: HTMLFormElement): void {
  const fields = [...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]);
  try {
    const draft: Draft = { at: Date.now(), fields };
    if (isTyped(fields)) localStorage.setItem(keyOf(form), JSON.stringify(draft));
    else localStorage.removeItem(keyOf(form));
  } catch {
    // The values are still in the form.
  }
}

/** Whether this browser holds a draft of any form and user. Drafts are all that the app keeps in `localStorage`. */
export function hasDrafts(): boolean {
  try {
    return localStorage.length > 0;
  } catch {
    return false; // the storage is blocked
  }
}

/** A date alone does not count: new forms have one. */
function isTyped(fields: Draft["fields"]): boolean {
  return fields.some(([name, value]) => !/date$/i.test(name) && value);
}
