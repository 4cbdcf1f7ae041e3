import { formatInstant } from "#app/calendar-date.ts";
import { showToast } from "#app/client/toast.client.ts";
import { startInstalling } from "#app/install/install.client.ts";
import { add, adviceOn, countOf, element, queueList } from "#app/offline/queue-list.client.ts";
import { CSV_BOM, csvLine, headingOf } from "#app/server/csv.ts";
import { forgetRows } from "./forget-rows.client.ts";
import { removeRecord, takeOut } from "./queue.client.ts";
import { OFFLINE_KINDS, type OfflineKind, type Row, recordsOf } from "./row.ts";
import { isTyped, readStore, remove, replace } from "./rows.client.ts";
import type { Sending } from "./send.client.ts";
import { keepSending } from "./try-sending.client.ts";
import { keyOf, recordForm, rowOf } from "./typed.client.ts";

/** The records of one kind as CSV that the import reads, a column for each field that one of them has. */
export function csvOf(rows: Row[], kind: Row["kind"]): string {
  const records = rows.filter((row) => row.kind === kind).flatMap(({ body }) => body);
  const fields = [...new Set(records.flatMap(Object.keys))];
  const lines = records.map((record) => fields.map((field) => record[field] ?? ""));
  return CSV_BOM + [fields.map((field) => headingOf(field.replace("details.", ""))), ...lines].map(csvLine).join("");
}

/** Downloads these rows as CSV, a file for each kind among them. */
function downloadRows(rows: Row[]): void {
  for (const kind of Object.keys(OFFLINE_KINDS) as OfflineKind[]) {
    if (!rows.some((row) => row.kind === kind)) continue;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csvOf(rows, kind)], { type: "text/csv" }));
    link.download = `${OFFLINE_KINDS[kind].file}-not-sent.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the download has begun by then
  }
}

/** Conform's intent that returns the form with these values and without validation messages. */
const SHOW_AGAIN: [string, string] = ["__intent__", JSON.stringify({ type: "validate", payload: { name: "" } })];

/** The address that a form with this key posts to. */
function addressOf({ kind, key }: Row): string {
  return OFFLINE_KINDS[kind].form + key;
}

/** A form that posts a row to its own address: the server answers with the page of the form, or saves the row. */
function formOf(row: Row, isShown: boolean): HTMLFormElement {
  const { list } = OFFLINE_KINDS[row.kind];
  const fields = row.body.flatMap((record, index) =>
    Object.entries(record).map(([name, value]): [string, string] => [list ? `${list}[${index}].${name}` : name, value]),
  );
  if (isShown) fields.push(SHOW_AGAIN);
  const hidden = fields.map(([name, value]) => element("input", { type: "hidden", name, value }));
  return element("form", { method: "post", action: addressOf(row) }, ...hidden);
}

/** A message with two buttons about a row that was typed and not saved. "Restore" opens it in its form. */
function offerOf(row: Row): HTMLElement {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const count = row.body.length === 1 ? "an unsaved entry" : `${row.body.length} unsaved entries`;
  const box = formOf(row, true);
  const discard = element("button", { type: "button", className: "second" }, "Discard");
  discard.onclick = () => {
    remove(row.key);
    box.remove();
  };
  box.className = "warnings";
  box.ariaLive = "polite";
  add(
    box,
    element("p", {}, `You have ${count} from ${formatInstant(timeZone, new Date(row.at))}.`),
    element("p", { className: "row" }, element("button", {}, "Restore"), discard),
  );
  return box;
}

/** A logout deletes what the user has saved on this device and not sent, so it asks first, and offers a file. */
function askBeforeLogout(notSent: () => Row[]): void {
  addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement; // the target of a submit event is a form
    const rows = notSent();
    if (!form.action.endsWith("/logout") || rows.length === 0) return;
    event.preventDefault();
    document.querySelector(".log-out")?.remove();
    const count = countOf(rows);
    const what = count === 1 ? "1 record is" : `${count} records are`;
    const question = element(
      "div",
      { className: "warnings log-out", role: "alertdialog", ariaLabel: "Log out", tabIndex: -1 },
      element("p", {}, `${what} not sent yet, and only on this device. Logging out deletes them.`),
      element(
        "p",
        { className: "row" },
        element("button", { type: "button", onclick: () => downloadRows(rows) }, "Save as a file"),
        element(
          "button",
          { type: "button", className: "second", onclick: () => form.submit() },
          "Delete them and log out",
        ),
        element("button", { type: "button", className: "second", onclick: () => question.remove() }, "Stay signed in"),
      ),
    );
    document.querySelector("details[open]")?.removeAttribute("open"); // on a phone Logout is in a menu, which is above all
    document.querySelector("main")?.insertAdjacentElement("afterbegin", question);
    question.focus();
  });
}

/** The signed-in user's rows that are saved and not sent, as last read. */
let waiting: Row[] = [];

/** Shows and sends what this browser has and the server does not, on a page from the server. */
export async function showAndSend(): Promise<void> {
  askBeforeLogout(() => waiting);
  tellSentBefore();
  await forgetRows();
  const form = recordForm();
  if (form) {
    await settle(form);
    await offerTyped(form);
  }
  await showQueue(form);
  if (form?.dataset.saved) startInstalling(); // the moment after a save, for a phone, which points at nothing
  const attempt = keepSending(async (sending) => {
    await showQueue(form, sending, attempt);
    if (sending.sent > 0) await tellSent(form, sending.sent);
  });
}

/** Makes a row of the form on this page a typed one again. */
async function settle(form: HTMLFormElement): Promise<void> {
  const key = keyOf(form);
  // The server has answered with this form, so it has not saved it. If the form comes from the browser's history, it may
  // be saved, and only a new copy of it is safe to change.
  if (location.pathname.endsWith(key)) await replace(key, (row) => [{ ...row, state: "typed" }]);
  else if ((await readStore()).rows.some((row) => row.key === key && row.state !== "typed") && !form.ariaBusy) {
    location.replace(logOf(form)); // not while the form is being sent, which this would cancel
  }
}

function logOf({ id }: HTMLFormElement): string {
  return OFFLINE_KINDS[id as OfflineKind].log; // of a form for hours
}

/**
 * Offers the rows that other copies of the form have typed, newest first. The newest stands above the form, the others are folded
 * away with their number, so that the form stays in sight.
 */
async function offerTyped(form: HTMLFormElement): Promise<void> {
  const { rows } = await readStore();
  const own = rowOf(form, "typed");
  const others = rows.filter(
    ({ key, userId, kind, state }) =>
      state === "typed" && userId === own.userId && kind === own.kind && key !== own.key,
  );
  const offers: HTMLElement[] = [];
  for (const row of others.reverse()) {
    if (isTyped(row)) offers.push(offerOf(row));
    else await remove(row.key);
  }
  // Outside the island, because React expects the HTML that the server rendered.
  const island = form.closest("[data-island]") ?? form;
  const [newest, ...older] = offers;
  if (newest) island.insertAdjacentElement("beforebegin", newest);
  if (older.length === 0) return;
  const more = element("summary", {}, `${older.length} more, typed before`);
  island.insertAdjacentElement("beforebegin", element("details", {}, more, ...older));
}

/** Shows the list above the page's form. Other pages have no list. */
async function showQueue(
  form: HTMLFormElement | null,
  sending?: Sending,
  send: () => unknown = () => {},
): Promise<void> {
  const { visit, rows } = await readStore();
  waiting = rows.filter(({ userId, state }) => userId === visit?.userId && state !== "typed");
  document.querySelector(".not-sent")?.remove();
  const section = form?.closest("section");
  if (!section || waiting.length === 0) return;
  const again = () => showQueue(form, sending, send);
  const list = queueList(waiting, {
    send,
    edit: (row, index) => edit(row, index).then(again),
    remove: (row, index) => removeRecord(row.key, index).then(again),
    mostInForm: Number.POSITIVE_INFINITY,
    save: (row) => downloadRows([row]),
  });
  const advice = adviceOn(sending ?? {});
  if (advice) add(list, element("p", { role: "status" }, `${advice[0]}. ${advice[1]}`));
  if (sending?.result === "signIn") add(list, element("a", { href: "/auth" }, "Sign in to send them"));
  section.insertAdjacentElement("beforebegin", list);
}

/**
 * Opens the record in the page of its form. One that was refused for a field is sent again, and comes back with its
 * messages.
 */
async function edit(row: Row, index: number | null): Promise<void> {
  const taken = await takeOut(row.key, index);
  if (!taken) return;
  const box = formOf(taken, !taken.errors?.some(({ path }) => path));
  box.hidden = true;
  document.body.appendChild(box);
  box.submit();
}

/**
 * The log does not show yet what was sent, so it is opened again, unless something is typed in its form. An open dialog and
 * a filtered log have an address of their own, and stay as they are. The page that opens says what was sent.
 */
async function tellSent(form: HTMLFormElement | null, sent: number): Promise<void> {
  const stays = !form || waiting.length > 0 || (location.search && !form.dataset.saved);
  if (stays || isTyped({ body: recordsOf(rowOf(form, "typed").body) })) return showSent(sent);
  sessionStorage.sent = sent;
  location.replace(logOf(form));
}

function showSent(sent: number): void {
  showToast({ kind: "success", title: sent === 1 ? "1 sent" : `${sent} sent`, text: "They are in your log now." });
}

/**
 * Says on the log, opened again, how many rows were sent before: the tab's storage has it. Not after a form was saved, whose toast
 * says so already: the queue may have sent the same row.
 */
function tellSentBefore(): void {
  const sent = Number(sessionStorage.sent);
  sessionStorage.removeItem("sent");
  if (sent && !recordForm()?.dataset.saved) showSent(sent);
}
