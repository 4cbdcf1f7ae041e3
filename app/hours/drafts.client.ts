import { showToast } from "#app/islands/toast.client.ts";
import { formatInstant } from "./calendar-date.ts";

/** What was typed into a form of new hours and not yet acknowledged by the server. */
interface Draft {
  /** The form's own address: sending the draft to it again saves nothing twice. */
  action: string;
  /** When it was last typed in, in milliseconds since 1970. */
  at: number;
  /** The form's fields as they would be sent. */
  fields: [string, string][];
}

/** A request to see the form with these values again, with none of them judged yet. */
const SHOW_AGAIN: [string, string] = ["__intent__", JSON.stringify({ type: "validate", payload: { name: "" } })];

/**
 * Keeps what is typed until the server says that it has it, through a crash, a dead battery, a failed send or an
 * expired session, and offers it back. Kept per user, so nobody is offered another's; a logout clears it.
 */
export function startDrafts(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-draft]");
  if (!form) return;
  const place = `draft:${form.dataset.draft}`;
  const draft = read(place);
  if (draft?.action === form.dataset.saved) localStorage.removeItem(place);
  else if (draft && draft.action !== pathOf(form)) offer(form, place, draft);

  const keep = () => write(place, form);
  // The first letters may have come before this script.
  if (isTyped(fieldsOf(form))) keep();
  form.addEventListener("input", keep);
  form.addEventListener("submit", (event) => {
    keep();
    if (navigator.onLine || event.defaultPrevented) return;
    event.preventDefault();
    const text = "Your entries are kept on this device. Save them when there is a signal.";
    showToast({ kind: "error", title: "You are offline", text });
  });
  document.querySelector('form[action="/logout"]')?.addEventListener("submit", () => localStorage.removeItem(place));
}

function pathOf(form: HTMLFormElement): string {
  return new URL(form.action).pathname;
}

function fieldsOf(form: HTMLFormElement): Draft["fields"] {
  return [...new FormData(form)].map(([name, value]) => [name, String(value)]);
}

/** A date alone is no work: it is there from the beginning. */
function isTyped(fields: Draft["fields"]): boolean {
  return fields.some(([name, value]) => /\b(location|method|hours|skills)$/.test(name) && value !== "");
}

/** Stores the form, or forgets it once nothing is in it. A full or forbidden storage must not disturb the typing. */
function write(place: string, form: HTMLFormElement): void {
  const fields = fieldsOf(form);
  try {
    if (!isTyped(fields)) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify({ action: pathOf(form), at: Date.now(), fields } satisfies Draft));
  } catch {
    // The form itself still holds everything.
  }
}

function read(place: string): Draft | null {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "null");
  } catch {
    return null;
  }
}

/** Says what there is, and brings it back by the form's own address, which shows a form with whatever it is sent. */
function offer(form: HTMLFormElement, place: string, { action, at, fields }: Draft): void {
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
    localStorage.removeItem(place);
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
