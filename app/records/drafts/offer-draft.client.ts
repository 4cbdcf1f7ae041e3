import { formatInstant } from "#app/ui/calendar-date.ts";
import { type Draft, draftForm, keyOf } from "./draft.client.ts";

/** A request to see the form with these values again, with none of them judged yet. */
const SHOW_AGAIN: [string, string] = ["__intent__", JSON.stringify({ type: "validate", payload: { name: "" } })];

/** What was typed into another copy of the page's form. */
interface OtherDraft extends Draft {
  /** Where the browser keeps it. */
  key: string;
  /** That form's own address: sending the draft to it again saves nothing twice. */
  action: string;
}

/** Offers what was typed into other copies of the page's form, newest first, and forgets the one that was just saved. */
export function offerDrafts(): void {
  const form = draftForm();
  if (!form) return;
  const drafts = otherDrafts(form).sort((one, other) => other.at - one.at);
  for (const draft of drafts) {
    if (draft.action === form.dataset.saved) localStorage.removeItem(draft.key);
    else offer(form, draft);
  }
}

/** The same user's drafts of the same kind of form. */
function otherDrafts(form: HTMLFormElement): OtherDraft[] {
  const prefix = `draft:${form.dataset.draft}:`; // with its colon: user 7 is not user 71
  const others = Object.keys(localStorage).filter((key) => `${key}:`.startsWith(prefix) && key !== keyOf(form));
  return others.flatMap((key) => {
    try {
      // Before each copy had its draft, the key ended with the user, and the draft had its action in it.
      return [{ action: key.slice(prefix.length), key, ...JSON.parse(localStorage.getItem(key) ?? "") }];
    } catch {
      return []; // not written by us
    }
  });
}

/** Says what there is, and brings it back by the form's own address, which shows a form with whatever it is sent. */
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
  // Not inside the island, whose HTML React expects as the server made it.
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
