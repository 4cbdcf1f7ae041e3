import { formatInstant } from "#app/ui/calendar-date.ts";
import { type Draft, draftForm, keyOf } from "./draft.client.ts";

/** Conform's intent that returns the form with these values and without validation messages. */
const SHOW_AGAIN: [string, string] = ["__intent__", JSON.stringify({ type: "validate", payload: { name: "" } })];

/** The draft of another copy of the page's form. */
interface OtherDraft extends Draft {
  key: string;
  /** The URL of that form: sending the draft to it again saves nothing twice. */
  action: string;
}

/** Offers the drafts of other copies of the page's form, newest first, and removes the draft that was just saved. */
export function offerDrafts(): void {
  const form = draftForm();
  if (!form) return;
  const drafts = otherDrafts(form).sort((one, other) => other.at - one.at);
  for (const draft of drafts) {
    if (draft.action === form.dataset.saved) localStorage.removeItem(draft.key);
    else offer(form, draft);
  }
}

function otherDrafts(form: HTMLFormElement): OtherDraft[] {
  const prefix = `draft:${form.dataset.draft}:`; // with the colon, so that user 7 does not match user 71
  const others = Object.keys(localStorage).filter((key) => `${key}:`.startsWith(prefix) && key !== keyOf(form));
  return others.flatMap((key) => {
    try {
      // Older drafts have a key that ends with the user's id, and contain their `action`.
      return [{ action: key.slice(prefix.length), key, ...JSON.parse(localStorage.getItem(key) ?? "") }];
    } catch {
      return []; // not one of our drafts
    }
  });
}

/** Shows a message with two buttons. "Bring back" posts the draft to the URL of its form, which then shows it. */
function offer(form: HTMLFormElement, { key, action, at, fields }: OtherDraft): void {
  // `entries[1].date` is a field of a row; a form of one record has fields such as `hours`.
  const rows = new Set(fields.map(([name]) => name.slice(0, name.lastIndexOf(".") + 1))).size;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const box = document.createElement("form");
  box.className = "warnings";
  box.method = "post";
  box.action = action;
  box.ariaLive = "polite";
  const text = document.createElement("p");
  const count = rows === 1 ? "One entry" : `${rows} entries`;
  text.textContent = `${count} typed on ${formatInstant(timeZone, new Date(at))} did not reach the server.`;
  const buttons = document.createElement("p");
  buttons.className = "row";
  const again = document.createElement("button");
  again.textContent = "Bring back";
  const discard = document.createElement("button");
  discard.type = "button";
  discard.className = "second";
  discard.textContent = "Discard";
  discard.addEventListener("click", () => {
    localStorage.removeItem(key);
    box.remove();
  });
  for (const button of [again, discard]) buttons.appendChild(button);
  for (const part of [text, buttons, ...[...fields, SHOW_AGAIN].map(hidden)]) box.appendChild(part);
  // Outside the island, because React expects the HTML that the server rendered.
  const island = form.closest("[data-island]") ?? form;
  island.parentNode?.insertBefore(box, island);
}

function hidden([name, value]: [string, string]): HTMLInputElement {
  const input = document.createElement("input");
  input.type = "hidden";
  input.name = name;
  input.value = value;
  return input;
}
