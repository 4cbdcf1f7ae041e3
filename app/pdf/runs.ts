import { VIAS, type Via } from "#app/db/enumerations.ts";
import { formatHours } from "#app/records/hours.ts";
import type { Form, FormRow } from "./form.ts";

/*
 * The rows of a form by answer, and their sums. A supervisor verifies many records by pressing a button once: the paper says
 * once when and how, and who they are.
 */

/** The facts of one answer about all its rows. */
type Answer = Pick<
  FormRow,
  "type" | "supervisor" | "via" | "domain" | "verifiedOn" | "verificationId" | "stated" | "entered" | "notes"
>;

/** The rows of one answer, oldest first. */
export interface FormRun extends Answer {
  rows: FormRow[];
  /** The level as which all of them were worked, if it is one. */
  workedAs: string | null;
}

/** A level of more characters is said by each row, where it may have several lines. */
const SHORT = 24;

/** The rows of a form by answer, in the order of the first row of each. */
export function runsOf({ rows }: Pick<Form, "rows">): FormRun[] {
  const runs = new Map<string, FormRun>();
  for (const row of rows) {
    const answer = answerOf(row);
    const key = JSON.stringify(answer);
    const workedAs = row.workedAs && row.workedAs.length <= SHORT ? row.workedAs : null;
    const run = runs.get(key) ?? { ...answer, rows: [], workedAs };
    run.rows.push(row);
    if (workedAs !== run.workedAs) run.workedAs = null;
    runs.set(key, run);
  }
  return [...runs.values()];
}

function answerOf(row: FormRow): Answer {
  const { type, supervisor, via, domain, verifiedOn, verificationId, stated, entered, notes } = row;
  return {
    ...{ supervisor, via },
    ...(type && { type }),
    ...(domain && { domain }),
    ...(verifiedOn && { verifiedOn }),
    ...(verificationId && { verificationId }),
    ...(stated && { stated }),
    ...(entered && { entered }),
    ...(notes && { notes }),
  };
}

/**
 * Returns the text beside the first text of a row: the level as which it was worked, if its run does not say it, and
 * its remarks.
 */
export function besideOf(row: FormRow, { workedAs }: Pick<FormRun, "workedAs">): string {
  return [...(row.workedAs && !workedAs ? [`worked as ${row.workedAs}`] : []), ...(row.remarks ?? [])].join(" · ");
}

/** Sums of hours in hundredths, so that they are exact: of each column of hours, and of all. */
export interface Sums {
  columns: number[];
  all: number;
}

/** Adds rows to sums of the rows before, or to nothing. */
export function sumsOf(rows: readonly FormRow[], { columns }: Pick<Form, "columns">, before?: Sums): Sums {
  const sums = { columns: before?.columns.slice() ?? columns.map(() => 0), all: before?.all ?? 0 };
  for (const { column, hundredths } of rows) {
    sums.columns[column] = (sums.columns[column] ?? 0) + (hundredths ?? 0);
    sums.all += hundredths ?? 0;
  }
  return sums;
}

/** The sums of a form by how its verifications came: only of those that it has. */
export function sumsByVia(form: Pick<Form, "rows" | "columns">): { via: Via; count: number; sums: Sums }[] {
  return VIAS.flatMap((via) => {
    const rows = form.rows.filter((row) => row.via === via);
    return rows.length > 0 ? [{ via, count: rows.length, sums: sumsOf(rows, form) }] : [];
  });
}

/** The sums as they are shown, rounded once: a cell for each column, and the whole. */
export function shownSums({ columns, all }: Sums): { hours: string[]; total: string } {
  return { hours: columns.map(formatHours), total: `${formatHours(all)} h` };
}

/** The cells of a row's hours: empty but for its own column. */
export function hoursOf({ column, hundredths }: FormRow, { columns }: Pick<Form, "columns">): string[] {
  return columns.map((_, index) => (index === column && hundredths !== null ? formatHours(hundredths) : ""));
}
