import { formatHours } from "#app/records/hours.ts";
import type { Form, FormRow } from "./form.ts";

/** Sums of hours in hundredths, so that they are exact: of each column of hours, and of all. */
export interface Sums {
  columns: number[];
  all: number;
}

/** Adds rows to sums of the rows before, or to nothing. */
export function sumsOf(rows: readonly FormRow[], { columns }: Pick<Form, "columns">, before?: Sums): Sums {
  const sums = { columns: before?.columns.slice() ?? columns.map(() => 0), all: before?.all ?? 0 };
  for (const { column, hundredths } of rows) {
    sums.columns[column] = (sums.columns[column] ?? 0) + hundredths;
    sums.all += hundredths;
  }
  return sums;
}

/** The sums as they are shown, rounded once: a cell for each column, and the whole. */
export function shownSums({ columns, all }: Sums): { hours: string[]; total: string } {
  return { hours: columns.map(formatHours), total: `${formatHours(all)} h` };
}

/** The cells of a row's hours: empty but for its own column. */
export function hoursOf({ column, hundredths }: FormRow, { columns }: Pick<Form, "columns">): string[] {
  return columns.map((_, index) => (index === column ? formatHours(hundredths) : ""));
}
