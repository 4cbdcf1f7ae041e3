/** What was typed into a form of new hours and not yet acknowledged by the server. */
export interface Draft {
  /** The form's own address: sending the draft to it again saves nothing twice. */
  action: string;
  /** When it was last typed in, in milliseconds since 1970. */
  at: number;
  /** The form's fields as they would be sent. */
  fields: [string, string][];
}

/** The form whose typing is kept, where the page has one. Kept per user, so nobody is offered another's. */
export function draftForm(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>("form[data-draft]");
}

/** What the browser kept of an earlier form, or null. */
export function readDraft(form: HTMLFormElement): Draft | null {
  try {
    return JSON.parse(localStorage.getItem(placeOf(form)) ?? "null");
  } catch {
    return null;
  }
}

/** Stores what is in the form, or forgets it once nothing is. A full or forbidden storage must not disturb the typing. */
export function writeDraft(form: HTMLFormElement): void {
  const fields = [...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]);
  try {
    if (!isTyped(fields)) forgetDraft(form);
    else {
      const draft: Draft = { action: pathOf(form), at: Date.now(), fields };
      localStorage.setItem(placeOf(form), JSON.stringify(draft));
    }
  } catch {
    // The form itself still holds everything.
  }
}

export function forgetDraft(form: HTMLFormElement): void {
  localStorage.removeItem(placeOf(form));
}

export function pathOf(form: HTMLFormElement): string {
  return new URL(form.action).pathname;
}

function placeOf(form: HTMLFormElement): string {
  return `draft:${form.dataset.draft}`;
}

/** A date alone is no work: it is there from the beginning. */
function isTyped(fields: Draft["fields"]): boolean {
  return fields.some(([name, value]) => /\b(location|method|hours|skills)$/.test(name) && value);
}
