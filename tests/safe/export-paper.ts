import { methodLabel } from "#app/records/entry/methods.ts";
import { formatHours } from "#app/records/hours.ts";
import type { MadeExport } from "#tests/worker/exports.ts";

/** The texts on the printed pages of a form, and in the QR codes. */
export interface Paper {
  code: string;
  url: string;
  statement: string;
  /** Its date. */
  day: string;
  name: string;
  number: string;
  /** The sums as printed, below the heads of their columns, without those of 0 hours. */
  sums: Record<string, string>;
  total: string;
  rows: PaperRow[];
}

export interface PaperRow {
  days: string[];
  /** The place, and the skills of rope hours. */
  texts: string[];
  /** The head of the column of its hours. */
  head: string;
  /** Printed with one decimal or two. */
  hundredths: number;
  supervisor: string;
  via: string;
  domain: string;
}

/** The paper that the browser makes of an export. */
export function paperOf({ code, url, statement, form }: MadeExport): Paper {
  const rows = form.rows.map(
    ({ days, texts, column, hundredths, supervisor, via = "", domain = "" }): PaperRow => ({
      days,
      texts,
      head: form.columns[column] ?? "",
      hundredths: hundredths ?? 0,
      supervisor,
      via,
      domain,
    }),
  );
  return {
    code,
    url,
    statement: statement ?? "",
    day: form.day,
    name: form.employeeName,
    number: form.employeeNumber,
    rows,
    ...sumsOf(rows),
  };
}

/** The sums that are printed below these rows. */
export function sumsOf(rows: readonly PaperRow[]): Pick<Paper, "sums" | "total"> {
  const sum = (list: readonly PaperRow[]) =>
    formatHours(list.reduce((hundredths, row) => hundredths + row.hundredths, 0));
  const heads = [...new Set(rows.map(({ head }) => head))];
  return {
    sums: Object.fromEntries(heads.map((head) => [head, sum(rows.filter((row) => row.head === head))])),
    total: sum(rows),
  };
}

/** A row as it reads. */
export function readRow({ days, texts, head, hundredths, supervisor, via, domain }: PaperRow): string {
  return [...days, ...texts, `${head} ${formatHours(hundredths)}`, supervisor, via, domain].join(" | ");
}

/** The head of a method's column of an entry's hours, and of rope hours. */
export function headOf(method: unknown): string {
  return typeof method === "string" ? methodLabel(method as Parameters<typeof methodLabel>[0]) : "Hours"; // as stored
}
