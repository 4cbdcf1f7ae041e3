import { addDays } from "#app/calendar-date.ts";
import { localToday } from "#app/client/local-today.client.ts";
import { newFormKey } from "#app/forms/form-key.ts";
import { add, element } from "#app/offline/queue-list.client.ts";
import { typedHours, UNCLEAR_HOURS } from "#app/records/hours.ts";
import { followStart } from "#app/records/rope-hours/rope-rules.ts";
import { fillCard } from "./fill-card.client.ts";
import { forgetRows } from "./forget-rows.client.ts";
import { removeRecord, takeOut } from "./queue.client.ts";
import { adviceOn, formatNow, queueList } from "./queue-list.client.ts";
import type { FieldError, Row } from "./row.ts";
import { readStore } from "./rows.client.ts";
import type { Sending } from "./send.client.ts";
import { put } from "./store.client.ts";
import { keepSending } from "./try-sending.client.ts";
import { keyOf, rowOf } from "./typed.client.ts";

/** Shows each message beside its field, or at the end of the form, and removes earlier ones. The first field gets the focus. */
function showErrors(form: HTMLFormElement, errors: FieldError[]): void {
  for (const old of form.querySelectorAll(".wrong,.alert")) old.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  const shown = new Set<string>();
  for (const { path, message } of errors) {
    const name = path.replace(/^\d+\./, "");
    const field = name && form.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`);
    if (field) {
      field.ariaInvalid = "true";
      if (shown.size === 0) field.focus();
    }
    // Empty rope hours have one message for all fields.
    if (!shown.has(message)) {
      const text = element("p", { className: field ? "wrong" : "alert", role: "alert", id: `wrong-${name}` }, message);
      (field || form.lastElementChild)?.insertAdjacentElement("afterend", text);
    }
    if (field) field.setAttribute("aria-describedby", `wrong-${name}`);
    shown.add(message);
  }
}

/* The script of the forms without a signal. The service worker keeps it with them, as one file. */

type Control = HTMLInputElement | HTMLTextAreaElement;

const [form] = document.forms as unknown as [HTMLFormElement];
const controls = [...form.querySelectorAll<Control>("[name]")];
const [signal, queue, section] = ["signal", "queue", "form"].map((id) => document.getElementById(id)) as [
  HTMLElement,
  HTMLElement,
  HTMLElement,
]; // the page has all three
const { home = "", after = "" } = form.dataset;
const otherHome = home === "/profile" ? "/rope-hours" : "/profile";
const { action } = form;

/** The day that an empty form has. */
let day = localToday();

/** What an empty form begins with: its day. */
const preset = ({ type }: Control) => (type === "date" ? day : "");

/** Fills the form with a record under a key, or empties it under a new one. */
function fill(row?: Row): void {
  form.action = action + (row?.key ?? newFormKey(form.dataset.draft ?? ""));
  day = localToday();
  for (const kept of form.querySelectorAll("[type=hidden]")) kept.remove();
  // The details of a job have no fields here, where every byte is kept twice: they stay as they were typed.
  for (const [name, value] of Object.entries(row?.body[0] ?? {})) {
    if (name.includes(".")) add(form, element("input", { type: "hidden", name, value }));
  }
  for (const control of controls) {
    control.value = row ? (row.body[0]?.[control.name] ?? "") : preset(control);
    if (!row) control.dataset.preset = control.value;
  }
  showErrors(form, row?.errors ?? []);
}

/** A form that nobody has touched takes the new day when the page comes back after midnight. */
function followDay(): void {
  if (controls.every((control) => control.value === preset(control))) fill();
}

/** The messages of the server's schema (app/routes/offline.tsx), where the browser can tell that it would refuse a value. */
function check(): FieldError[] {
  const errors = controls.flatMap((control) => {
    const message = messageFor(control);
    return message === null ? [] : [{ path: control.name, message }];
  });
  const [start, end] = controls;
  // ISO dates compare correctly as text.
  return after && errors.length === 0 && start && end && end.value < start.value
    ? [{ path: end.name, message: after }]
    : errors;
}

function messageFor({ value, validity, dataset: { min, wrong = "" } }: Control): string | null {
  if (!validity.valid || !value.trim()) return wrong;
  if (min === undefined) return null;
  const number = typedHours(value);
  if (number === null) return UNCLEAR_HOURS;
  return Number(number) >= Number(min) ? null : wrong;
}

function notKept(): void {
  section.hidden = false;
  const message =
    "This browser could not keep these hours: its storage is full or blocked. Write them down before you leave.";
  showErrors(form, [{ path: "", message }]);
}

function say(title: string, text: string, href: string, link: string): HTMLElement {
  const next = element("a", { href }, link);
  signal.textContent = "";
  add(signal, element("h1", {}, title), element("p", {}, `${text} `, next));
  return next;
}

/** The key of the form that was sent to this address, if this page is shown in place of its answer. */
const [sentKey] = /[\w-]{36,}$/.exec(location.pathname) ?? [];

/**
 * Whether that form may be unsent. After Back it was sent long ago, and the browser's history has no answer of a POST, unless this
 * page has said before that it has the only copy.
 */
function mayBeUnsent(): boolean {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[]; // of that type
  return sentKey !== undefined && (navigation?.type !== "back_forward" || sessionStorage.onlyCopy === sentKey);
}

/** Whether the store has no row of that form. Then only this page has it: a reload sends it once more. */
let isOnlyCopy: boolean | undefined;

function sayOnlyCopy(): void {
  sessionStorage.onlyCopy = sentKey;
  const text =
    "The hours that you just saved did not reach the server, and this browser could not keep them: its storage is full " +
    "or blocked. Leave this page open, and when there is a signal";
  say("Do not close this page", text, "", "send them again").onclick = () => {
    location.reload();
    return false;
  };
}

/** Whether the server can be reached. Nothing was sent that would have shown it. */
function hasSignal(): Promise<boolean> {
  return fetch("/robots.txt", { method: "HEAD", cache: "no-store" }).then(
    // A network that asks its users to sign in answers with a page of its own.
    ({ ok, headers }) => ok && /plain/.test(headers.get("Content-Type") ?? ""),
    () => false,
  );
}

/** Whether all that waited here was sent. A page can hear of it more than once: from another tab, and of its own attempt. */
let isAllSent = false;

/** Shows what waits, and whether there is a signal. */
async function show(sending?: Sending): Promise<void> {
  const { visit, rows } = await readStore();
  const userId = visit?.userId ?? "";
  isOnlyCopy ??= mayBeUnsent() && !rows.some(({ key }) => key === sentKey);
  if (form.dataset.draft !== userId) {
    // What somebody else has typed here waits in the store for them.
    form.dataset.draft = userId;
    fill();
  }
  const own = rows.filter((row) => row.userId === userId && row.key !== keyOf(form));
  isAllSent = own.length === 0 && (isAllSent || (sending !== undefined && queue.childElementCount > 0));
  section.hidden = !visit || isOnlyCopy;
  queue.hidden = own.length === 0;
  queue.textContent = "";
  if (own.length > 0) add(queue, queueList(own, { edit, remove, send: () => send(), mostInForm: 1 }));
  if (isOnlyCopy) {
    sayOnlyCopy();
    return;
  }
  if (!visit) {
    say("No signal", "No user is signed in on this device. Save hours here after the next", "/auth", "sign-in");
    return;
  }
  const advice = adviceOn(sending ?? {});
  if (advice) {
    say(...advice, home, "Open the log");
  } else if (sending?.result === "signIn") {
    say("You are signed out", "There is a signal again.", "/auth", "Sign in to send them");
  } else if (sending?.sent || (sending?.result === "done" && isAllSent)) {
    // Sent by this page, or by the service worker or another tab.
    say("Sent", "There is a signal again.", home, "Open the log");
  } else if (sending?.result === "done" && (await hasSignal())) {
    say("There is a signal again", "This page is for hours without one.", home, "Open the log");
  } else if (location.pathname === "/logout") {
    say("You are still signed in", "Logging out needs a signal. Nothing was deleted.", home, "Try again");
  } else {
    const date = formatNow(visit.at);
    const text =
      "Save hours here: this device keeps them and sends them when there is a signal. Your log is not shown. ";
    say("No signal", `${text}It was last opened ${date}.`, home, "Try again");
  }
}

async function edit(row: Row, index: number | null): Promise<void> {
  const taken = await takeOut(row.key, index);
  // Hours of the other kind have the other page's form.
  if (taken && taken.kind !== form.id) location.href = `${otherHome}#${taken.key}`;
  else if (taken) open(taken);
  await show();
}

function open(row: Row): void {
  fill(row);
  controls[0]?.focus();
}

/** Opens the row that the other form's page has named in the address. */
async function openNamed(): Promise<void> {
  const { visit, rows } = await readStore();
  const row = rows.find(({ key, userId }) => `#${key}` === location.hash && userId === visit?.userId);
  if (row?.state !== "typed" || row.kind !== form.id) return;
  open(row);
  await show();
}

/** Fills the form in with the card of a shift, if this page is shown in place of its page (app/routes/shift.tsx). */
function openCard(): void {
  const text = (location.hash || location.search).slice(1);
  if (location.pathname !== "/shift" || !text) return;
  // A detail of the job has no field here, as in `fill`.
  add(form, element("input", { type: "hidden", name: "details.jobNumber" }));
  for (const control of controls) if (control.value === preset(control)) control.defaultValue = control.value;
  const [, left] = fillCard(form, text, "", addDays(day, 1));
  if (left.size > 0)
    showErrors(form, [{ path: "", message: `Left out, as it cannot be used: ${[...left].join(", ")}.` }]);
  controls.at(-1)?.focus();
}

async function remove(row: Row, index: number | null): Promise<void> {
  await removeRecord(row.key, index);
  await show();
}

await forgetRows();
// First of all, while the form is hidden: hours without a user would never be sent.
await show().catch(mayBeUnsent() ? sayOnlyCopy : notKept);
await openNamed().catch(() => {});
openCard();

form.addEventListener("input", ({ target }) => {
  followStart(form, target as HTMLInputElement); // the target is a field
  if (form.dataset.draft) put(rowOf(form, "typed")).catch(() => {});
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const wrong = check();
  showErrors(form, wrong);
  if (wrong.length > 0) return;
  const row = rowOf(form, "saved");
  const storing = row.userId ? put(row) : Promise.reject(new Error("it is not known whose hours these are"));
  // At once: what is typed from now on must not make this row a typed one again.
  fill();
  try {
    await storing;
  } catch {
    fill({ ...row, body: [Object.fromEntries(row.body)] });
    notKept();
    return;
  }
  navigator.storage?.persist?.();
  await send();
});

addEventListener("visibilitychange", followDay);
addEventListener("pageshow", followDay);

const send = keepSending((sending) => show(sending));
