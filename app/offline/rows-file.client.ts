import { CSV_BOM, csvLine, headingOf } from "#app/server/csv.ts";
import type { Row } from "./row.ts";

/** The records of one kind as CSV that the import reads, a column for each field that one of them has. */
export function csvOf(rows: Row[], kind: Row["kind"]): string {
  const records = rows.filter((row) => row.kind === kind).flatMap(({ body }) => body);
  const fields = [...new Set(records.flatMap(Object.keys))];
  const lines = records.map((record) => fields.map((field) => record[field] ?? ""));
  return CSV_BOM + [fields.map((field) => headingOf(field.replace("details.", ""))), ...lines].map(csvLine).join("");
}

/** Downloads these rows as CSV, a file for each kind among them. */
export function downloadRows(rows: Row[]): void {
  for (const kind of ["entry", "rope_hour"] as const) {
    if (!rows.some((row) => row.kind === kind)) continue;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csvOf(rows, kind)], { type: "text/csv" }));
    link.download = `${kind === "entry" ? "entries" : "rope-hours"}-not-sent.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the download has begun by then
  }
}
