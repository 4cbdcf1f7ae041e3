import type { Row, RowState, TypedRecord } from "./row.ts";

/** The page's form for new records of a kind. `data-draft` is the id of its user. */
export function recordForm(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>("form[data-draft]");
}

/** The key of a form: the last part of its own address, which no other copy of it has. */
export function keyOf({ action }: HTMLFormElement): string {
  return action.slice(action.lastIndexOf("/") + 1);
}

/** The form's values as a row of the store. */
export function rowOf(form: HTMLFormElement, state: RowState): Row {
  const body: TypedRecord[] = [];
  for (const [name, value] of new FormData(form)) {
    // `entries[1].date` is a field of a row; the form of one record has fields such as `hours`.
    const [, index = 0, field = ""] = /(?:(\d+)\]\.)?(\w+)$/.exec(name) ?? [];
    body[Number(index)] = { ...body[Number(index)], [field]: String(value) };
  }
  return {
    key: keyOf(form),
    userId: Number(form.dataset.draft),
    kind: form.id === "rope" ? "rope_hour" : "entry",
    body,
    at: Date.now(),
    state,
  };
}

/** Whether anything is typed. A date alone does not count: new forms have one. */
export function isTyped({ body }: Row): boolean {
  return body.some((record) => Object.entries(record).some(([name, value]) => !/date$/i.test(name) && value));
}
