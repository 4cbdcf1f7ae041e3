import type { FormRow, RowState } from "./row.ts";

/** The page's form for new records of a kind. `data-draft` is the id of its user, and its id the kind. */
export function recordForm(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>("[data-draft]");
}

/** The key of a form: the last part of its own address, which no other copy of it has. */
export function keyOf({ action }: HTMLFormElement): string {
  return action.split("/").pop() ?? "";
}

/** The form's values as a row of the store. */
export function rowOf(form: HTMLFormElement, state: RowState): FormRow {
  return {
    key: keyOf(form),
    userId: form.dataset.draft ?? "",
    kind: form.id as FormRow["kind"], // see recordForm
    body: [...new FormData(form)] as FormRow["body"], // no files
    at: Date.now(),
    state,
  };
}
