/** What was typed into a form of new hours and not yet acknowledged by the server. */
export interface Draft {
  /** When it was last typed in, in milliseconds since 1970. */
  at: number;
  /** The form's fields as they would be sent. */
  fields: [string, string][];
}

/** The form whose typing is kept, where the page has one. */
export function draftForm(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>("form[data-draft]");
}

/**
 * The storage key of what is typed into a form: the user, so that nobody is offered another's, and the form's own
 * address, so that no copy takes another's place, not an offered one and not another tab's. `forgetDrafts`
 * (forget-drafts.client.ts) knows these keys.
 */
export function keyOf(form: HTMLFormElement): string {
  return `draft:${form.dataset.draft}:${new URL(form.action).pathname}`;
}

/** Stores what is in the form, or forgets it once nothing is. A full or forbidden storage must not disturb the typing. */
export function writeDraft(form: HTMLFormElement): void {
  const fields = [...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]);
  try {
    const draft: Draft = { at: Date.now(), fields };
    if (isTyped(fields)) localStorage.setItem(keyOf(form), JSON.stringify(draft));
    else localStorage.removeItem(keyOf(form));
  } catch {
    // The form itself still holds everything.
  }
}

/** Whether the browser keeps anything: drafts are all that it keeps, of whatever form and user. */
export function hasDrafts(): boolean {
  try {
    return localStorage.length > 0;
  } catch {
    return false; // storage is forbidden
  }
}

/** A date alone is no work: it is there from the beginning. */
function isTyped(fields: Draft["fields"]): boolean {
  return fields.some(([name, value]) => !/date$/i.test(name) && value);
}
