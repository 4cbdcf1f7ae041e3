import { Fragment } from "react";
import { formatDate } from "#app/ui/calendar-date.ts";
import type { Form, FormRow } from "./form.ts";
import { markLabel } from "./form-words.ts";
import type { LaidRow } from "./sheets.ts";
import { hoursOf, type Sums, shownSums } from "./sums.ts";

/** A row of a record, or the next part of a very long one. */
export function PrintRow({ form, laid, isShaded }: { form: Form; laid: LaidRow; isShaded: boolean }) {
  const { row, isFirst, texts } = laid;
  return (
    <tr className={[isShaded && "shaded", !isFirst && "more"].filter(Boolean).join(" ") || undefined}>
      <td className="date">{isFirst && <Dates row={row} />}</td>
      {texts.map((lines, index) => (
        <td key={form.texts[index]} className="place">
          {lines.join("")}
        </td>
      ))}
      <HoursCells form={form} hours={isFirst ? hoursOf(row, form) : []} />
      <td className="supervisor">
        <Supervisor laid={laid} />
        {laid.notes.length > 0 && <p className="noted">{laid.notes.join(" ")}</p>}
      </td>
    </tr>
  );
}

function Dates({ row }: { row: FormRow }) {
  return row.days.map((day, index) => (
    <Fragment key={day}>
      {index > 0 && " to "}
      <time dateTime={day}>{formatDate(day)}</time>
    </Fragment>
  ));
}

/** The name, and how the verification came. */
function Supervisor({ laid: { row, isFirst, supervisor, domain } }: { laid: LaidRow }) {
  const name = supervisor.join("");
  if (!name && domain.length === 0) return null;
  const isMarked = isFirst && !row.via;
  return (
    <div className={isMarked ? "verifier marked" : "verifier"}>
      <span>
        {isFirst && <span className="by">Verified by </span>}
        {name}
      </span>
      {row.via && (
        <span className="how">
          {isFirst && <i className={`${row.via} via`} role="img" aria-label={markLabel(row.via)} />}{" "}
          <span>{domain.join("")}</span>
        </span>
      )}
    </div>
  );
}

interface SumsRowProps {
  form: Form;
  className: string;
  label: string;
  sums: Sums;
  /** The totals of the whole form show a column without hours too. */
  isTotal?: boolean;
}

export function SumsRow({ form, className, label, sums, isTotal = false }: SumsRowProps) {
  const { hours, total } = shownSums(sums);
  return (
    <tr className={className}>
      <th scope="row" colSpan={1 + form.texts.length}>
        {label}
      </th>
      <HoursCells form={form} hours={hours.map((text, index) => (sums.columns[index] || isTotal ? text : ""))} />
      <td className="total">{form.columns.length > 1 && total}</td>
    </tr>
  );
}

/** Hours of more characters are set smaller, so that they stay in their column. */
const DIGITS = 6;

/** Each names its column, for a narrow screen, where the column heads are gone. */
function HoursCells({ form: { columns }, hours }: { form: Form; hours: string[] }) {
  return columns.map((column, index) => {
    const text = hours[index] ?? "";
    const size = text.length > 2 * DIGITS - 3 ? " longer" : text.length > DIGITS ? " long" : "";
    return (
      <td key={column} className={`hours${size}`} data-column={column}>
        {text}
      </td>
    );
  });
}
