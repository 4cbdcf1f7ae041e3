import { formatInstant } from "./calendar-date.ts";
import { type Draft, draftForm, forgetDraft, pathOf, writeDraft } from "./draft.client.ts";

/** A request to see the form with these values again, with none of them judged yet. */
const SHOW_AGAIN: [string, string] = ["__intent__", JSON.stringify({ type: "validate", payload: { name: "" } })];

/** Offers a draft back, unless it is the one that was just saved or that stands in the form already. */
export function offerDraft(draft: Draft): void {
  const form = draftForm();
  if (!form) return;
  if (draft.action === form.dataset.saved) {
    forgetDraft(form);
    writeDraft(form); // what was typed since
  } else if (draft.action !== pathOf(form)) offer(form, draft);
}

/** Says what there is, and brings it back by the form's own address, which shows a form with whatever it is sent. */
function offer(form: HTMLFormElement, { action, at, fields }: Draft): void {
  const rows = fields.filter(([name]) => name.endsWith("location")).length;
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
    forgetDraft(form);
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
