import { formatInstant } from "#app/ui/calendar-date.ts";
import { add, element } from "./element.client.ts";
import type { Row } from "./row.ts";
import { remove } from "./rows.client.ts";

/** Conform's intent that returns the form with these values and without validation messages. */
const SHOW_AGAIN: [string, string] = ["__intent__", JSON.stringify({ type: "validate", payload: { name: "" } })];

/** The address that a form with this key posts to. */
export function addressOf({ kind, key }: Row): string {
  return kind === "rope_hour" ? `/rope-hours/new/${key}` : `/profile/entries/${key}`;
}

/** A form that posts a row to its own address: the server answers with the page of the form, or saves the row. */
export function formOf(row: Row, isShown: boolean): HTMLFormElement {
  const fields = row.body.flatMap((record, index) =>
    Object.entries(record).map(([name, value]): [string, string] => [
      row.kind === "rope_hour" ? name : `entries[${index}].${name}`,
      value,
    ]),
  );
  if (isShown) fields.push(SHOW_AGAIN);
  const hidden = fields.map(([name, value]) => element("input", { type: "hidden", name, value }));
  return element("form", { method: "post", action: addressOf(row) }, ...hidden);
}

/** A message with two buttons about a row that was typed and not saved. "Bring back" opens it in its form. */
export function offerOf(row: Row): HTMLElement {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const count = row.body.length === 1 ? "One entry" : `${row.body.length} entries`;
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
    element("p", {}, `${count} typed on ${formatInstant(timeZone, new Date(row.at))} did not reach the server.`),
    element("p", { className: "row" }, element("button", {}, "Bring back"), discard),
  );
  return box;
}
