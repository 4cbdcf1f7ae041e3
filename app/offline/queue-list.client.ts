import { formatDate, formatInstant, formatPeriod } from "#app/calendar-date.ts";
import type { Method } from "#app/db/enumerations.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { isWhole } from "./queue.client.ts";
import type { Row, TypedRecord } from "./row.ts";
import type { Sending } from "./send.client.ts";

/** Adds content at the end of an element. The types of Workers, which this project has too, hide the page's `append`. */
export function add(parent: Node, ...content: (Node | string)[]): void {
  for (const part of content) parent.appendChild(typeof part === "string" ? document.createTextNode(part) : part);
}

/** Creates an element with these properties and content. Text is never parsed as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  add(made, ...content);
  return made;
}

interface QueueActions {
  /** Opens one record of a row in the form, or a whole row of several. */
  edit(row: Row, index: number | null): void;
  /** Deletes one record of a row, or a whole row of which nobody knows whether it was saved. */
  remove(row: Row, index: number | null): void;
  /** Sends what waits, now. */
  send(): void;
  /** The most records of a row that the page's form can take. */
  mostInForm: number;
  /** Downloads a row that was refused. A page without a signal has none: the log, to which it leads then, has it. */
  save?(row: Row): void;
}

/** One line of the list. `index` is null for a row that the server may have. */
interface Item {
  row: Row;
  index: number | null;
  records: TypedRecord[];
}

function itemsOf(row: Row): Item[] {
  if (isWhole(row)) return [{ row, index: null, records: row.body }];
  return row.body.map((record, index) => ({ row, index, records: [record] }));
}

/** The number of records in these rows. */
export function countOf(rows: Row[]): number {
  return rows.reduce((sum, { body }) => sum + body.length, 0);
}

/** What the user can do about a round of sending that ended early: a title and a text; null if there is nothing to say. */
export function adviceOn({ reason }: Partial<Sending>): [title: string, text: string] | null {
  if (reason === "network") {
    return [
      "This network asks you to sign in",
      "Open another website to do so. These hours are kept, and sent after that.",
    ];
  }
  return reason === "server" ? ["The server is not ready", "These hours are kept, and sent later."] : null;
}

/** Makes the list *3 not sent yet* of these rows, with what can be done with each of them. */
export function queueList(rows: Row[], { edit, remove, send, mostInForm, save }: QueueActions): HTMLElement {
  const lines = rows.flatMap(itemsOf).map((item) => {
    const { row, index, records } = item;
    const name = records.map(nameOf).join(", ");
    const erase = element(
      "button",
      { type: "button", className: "quiet", onclick: () => remove(row, index) },
      "Delete",
    );
    erase.ariaLabel = `Delete ${name}`;
    const buttons = element("div", { className: "row" });
    if (row.state !== "sent" && (index !== null || records.length <= mostInForm)) {
      const open = element("button", { type: "button", className: "second", onclick: () => edit(row, index) }, "Edit");
      open.ariaLabel = `Edit ${name}`;
      add(buttons, open);
    }
    if (save && row.errors) {
      const onclick = () => save({ ...row, body: records });
      const file = element("button", { type: "button", className: "quiet", onclick }, "Save as a file");
      file.ariaLabel = `Save ${name} as a file`;
      add(buttons, file);
    }
    add(buttons, erase);
    return element(
      "tr",
      {},
      element("td", { className: "full" }, ...records.map((record) => element("div", {}, ...descriptionOf(record)))),
      element("td", { className: "sign" }, element("div", { className: "apart" }, stateOf(item), buttons)),
    );
  });
  return element(
    "section",
    { className: "not-sent" },
    element("h2", {}, `${countOf(rows)} not sent yet`),
    element("table", { className: "list" }, element("tbody", {}, ...lines)),
    element(
      "p",
      { className: "row" },
      element("button", { type: "button", className: "second", onclick: send }, "Send now"),
    ),
  );
}

function nameOf({ date, startDate = "", location }: TypedRecord): string {
  return `${formatDate(date ?? startDate)}, ${location}`;
}

function descriptionOf({ date, startDate, endDate, location = "", method, hours }: TypedRecord): (Node | string)[] {
  const from = date ?? startDate ?? "";
  const days = formatPeriod(from, date ?? endDate ?? "");
  const label = method && methodLabel(method as Method); // or what an older page had; then it is shown as it is
  const what = [label, `${hours} h`].filter(Boolean).join(" ");
  return [element("strong", {}, days), ` ${location}, ${what}`];
}

/** An instant by this device's clock and time zone: `21 Nov 2026, 14:05`. */
export function formatNow(at: number): string {
  return formatInstant(Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(at));
}

const STATES = {
  typed: "Typed, not saved,",
  saved: "Saved on this device",
  sent: "Sent, no answer yet,",
  rejected: "",
};

const MAY_BE_SAVED = "An earlier try may have saved them: look at your log first.";

function stateOf({ row: { state, errors = [], at, isUnsure }, index }: Item): HTMLElement {
  // Errors without a field are those of the whole row.
  const own = errors.filter(({ path }) => index === null || !/^\d/.test(path) || path.startsWith(`${index}.`));
  const refused = own.map(({ message }) => message).join(" ") || "Refused together with hours that were wrong.";
  return state === "rejected"
    ? element("span", { className: "declined state" }, isUnsure ? `${refused} ${MAY_BE_SAVED}` : refused)
    : element(
        "span",
        { className: "requested state" },
        [`${STATES[state]} ${formatNow(at)}`, ...own.map(({ message }) => message)].join(". "),
      );
}
