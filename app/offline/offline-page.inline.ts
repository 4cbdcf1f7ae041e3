import { localToday } from "#app/client/local-today.client.ts";
import { checkEntry, type EntryRules } from "#app/records/entry/entry-rules.ts";
import { checkRopeHours, type RopeHoursRules } from "#app/records/rope-hours/rope-rules.ts";
import { formatInstant } from "#app/ui/calendar-date.ts";
import { add, element } from "./element.client.ts";
import { showErrors } from "./field-errors.client.ts";
import { removeRecord, takeOut } from "./queue.client.ts";
import { queueList } from "./queue-list.client.ts";
import type { FieldError, Row, TypedRecord } from "./row.ts";
import { readStore } from "./rows.client.ts";
import type { Sending } from "./send.client.ts";
import { inStore, put } from "./store.client.ts";
import { keepSending } from "./try-sending.client.ts";
import { isTyped, keyOf, rowOf } from "./typed.client.ts";

/* The script of the forms without a signal. It is all that these pages have: no file of it can be missing. */

const form = document.forms[0] as HTMLFormElement; // the page has one
const { action } = form;
const signal = document.getElementById("signal") as HTMLElement;
const queue = document.getElementById("queue") as HTMLElement;
const home = form.id === "rope" ? "/rope-hours" : "/profile";
const NOT_KEPT: FieldError = {
  path: "",
  message: "This browser could not keep these hours: its storage is full or blocked. Write them down before you leave.",
};

/** Fills the form with a record under a key, or empties it under a new one. */
function fill({ key, body: [record] }: Pick<Row, "key" | "body">): void {
  form.reset();
  form.action = action + key;
  const values: TypedRecord = record ?? { date: localToday() };
  for (const field of form.querySelectorAll<HTMLInputElement>("[name]")) field.value = values[field.name] ?? "";
}

const empty = () => fill({ key: crypto.randomUUID(), body: [] });

/** What the server would answer. */
function check([record = {}]: TypedRecord[]): FieldError[] {
  const rules = JSON.parse(form.dataset.rules ?? "");
  const wrong =
    form.id === "rope" ? checkRopeHours(record, rules as RopeHoursRules) : checkEntry(record, rules as EntryRules);
  return Object.entries(wrong).map(([path, message]) => ({ path, message }));
}

function say(title: string, ...text: (Node | string)[]): void {
  signal.textContent = "";
  add(signal, element("h1", {}, title), element("p", {}, ...text));
}

const link = (href: string, text: string) => element("a", { href }, text);

/** Shows what waits, and whether there is a signal. */
async function show(sending?: Sending): Promise<void> {
  const { visit, rows } = await readStore();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const own = rows.filter(({ userId, key }) => userId === visit?.userId && key !== keyOf(form));
  (form.closest("section") as HTMLElement).hidden = !visit;
  queue.textContent = "";
  if (own.length > 0) add(queue, queueList(own, "Only this device has them.", { edit, remove, sendNow: () => send() }));
  if (!visit) {
    say("No signal", "Nobody is signed in on this device. ", link("/auth", "Sign in"), " where there is a signal.");
    return;
  }
  form.dataset.draft = String(visit.userId);
  const since = formatInstant(timeZone, new Date(visit.at));
  if (sending?.result === "signIn") {
    say("Sign in to send them", "There is a signal, but you are signed out. ", link("/auth", "Sign in to send them"));
  } else if (sending?.sent) {
    say("Sent", "There is a signal again. ", link(home, "Open the log"));
  } else if (location.pathname === "/logout") {
    say("You are still signed in", "There is no signal, so you could not be logged out. Nothing was deleted.");
  } else {
    const text = "Hours that you save here stay on this device and are sent when there is a signal. ";
    const date = `Your log is not shown: it was last opened on ${since}. `;
    say("No signal", text, date, link(home, "Try again"));
  }
}

async function edit(row: Row, index: number): Promise<void> {
  const taken = await takeOut(row.key, index);
  if (taken) {
    fill(taken);
    showErrors(form, taken.errors ?? []);
    form.querySelector<HTMLElement>("[name]")?.focus();
  }
  await show();
}

async function remove(row: Row, index: number | null): Promise<void> {
  await removeRecord(row.key, index);
  await show();
}

function keep(): Promise<unknown> {
  const row = rowOf(form, "typed");
  return isTyped(row) ? put(row) : inStore((rows) => rows.delete(row.key), true);
}

form.addEventListener("input", () => void keep().catch(() => {}));

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const row = rowOf(form, "saved");
  const wrong = check(row.body);
  showErrors(form, wrong);
  if (wrong.length > 0) return;
  try {
    await put(row);
  } catch {
    showErrors(form, [NOT_KEPT]);
    return;
  }
  empty();
  navigator.storage?.persist?.();
  await send();
});

empty();
const send = keepSending((sending) => show(sending).catch(() => {}));
show().catch(() => showErrors(form, [NOT_KEPT]));
