import { formatDate, formatInstant } from "#app/ui/calendar-date.ts";
import { add, element } from "./element.client.ts";
import type { Row, TypedRecord } from "./row.ts";

export interface QueueActions {
  /** Opens one record of a row in the form. */
  edit(row: Row, index: number): void;
  /** Deletes one record of a row, or a whole row of which nobody knows whether it was saved. */
  remove(row: Row, index: number | null): void;
  sendNow(): void;
}

/** One line of the list. `index` is null for a row that stays as it was sent. */
interface Item {
  row: Row;
  index: number | null;
  records: TypedRecord[];
}

function itemsOf(row: Row): Item[] {
  if (row.state === "sent") return [{ row, index: null, records: row.body }];
  return row.body.map((record, index) => ({ row, index, records: [record] }));
}

/** The number of records in these rows. */
export function countOf(rows: Row[]): number {
  return rows.reduce((sum, { body }) => sum + body.length, 0);
}

/** Makes the list *3 not sent yet* of saved rows, with what can be done with each of them. */
export function queueList(rows: Row[], hint: Node | string, { edit, remove, sendNow }: QueueActions): HTMLElement {
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
    if (index !== null) {
      const open = element("button", { type: "button", className: "second", onclick: () => edit(row, index) }, "Edit");
      open.ariaLabel = `Edit ${name}`;
      add(buttons, open);
    }
    add(buttons, erase);
    return element(
      "tr",
      {},
      element("td", { className: "full" }, ...records.map((record) => element("div", {}, ...descriptionOf(record)))),
      element("td", { className: "sign" }, element("div", {}, stateOf(item), buttons)),
    );
  });
  return element(
    "section",
    { className: "not-sent" },
    element("h2", {}, `${countOf(rows)} not sent yet`),
    element("p", { className: "hint" }, hint),
    element("table", { className: "list" }, element("tbody", {}, ...lines)),
    element(
      "p",
      { className: "row" },
      element("button", { type: "button", className: "second", onclick: sendNow }, "Send now"),
    ),
  );
}

function nameOf({ date, startDate = "", location }: TypedRecord): string {
  return `${formatDate(date ?? startDate)}, ${location}`;
}

function descriptionOf({ date, startDate, endDate, location = "", method, hours }: TypedRecord): (Node | string)[] {
  const from = date ?? startDate ?? "";
  const days = date ? formatDate(from) : `${formatDate(from)} to ${formatDate(endDate ?? "")}`;
  // The form beside the list has the labels of methods.
  const label = document.querySelector(`option[value="${CSS.escape(method ?? "")}"]`)?.textContent ?? method;
  const what = [method && label, `${hours} h`].filter(Boolean).join(" ");
  return [element("strong", {}, days), ` ${location}, ${what}`];
}

function stateOf({ row: { state, errors = [], at }, index }: Item): HTMLElement {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const when = formatInstant(timeZone, new Date(at));
  if (state === "rejected") {
    // Errors without a field are those of the whole row.
    const own = errors.filter(({ path }) => !/^\d/.test(path) || path.startsWith(`${index}.`));
    const text = own.map(({ message }) => message).join(" ") || "Saved on this device with hours that were refused.";
    return element("span", { className: "declined state" }, text);
  }
  const text = state === "sent" ? `Sent, no answer yet. ${when}` : `Saved on this device ${when}`;
  return element("span", { className: "requested state" }, text);
}
