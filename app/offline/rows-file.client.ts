import { CSV_BOM, csvLine } from "#app/server/csv.ts";
import type { Row } from "./row.ts";

/** The fields of each kind under the headings that the import knows (app/transfer/columns.ts). */
const COLUMNS = {
  entry: { Date: "date", Location: "location", Method: "method", Hours: "hours" },
  rope_hour: {
    "Start date": "startDate",
    "End date": "endDate",
    Location: "location",
    Skills: "skills",
    Hours: "hours",
  },
};

/** The records of one kind as CSV that the import reads. */
export function csvOf(rows: Row[], kind: Row["kind"]): string {
  const columns = Object.entries(COLUMNS[kind]);
  const records = rows.filter((row) => row.kind === kind).flatMap(({ body }) => body);
  const lines = records.map((record) => columns.map(([, field]) => record[field] ?? ""));
  return CSV_BOM + [columns.map(([heading]) => heading), ...lines].map(csvLine).join("");
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
