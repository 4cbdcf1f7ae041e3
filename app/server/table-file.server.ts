import type { AppLoadContext } from "@remix-run/cloudflare";
import { CSV_BOM, csvLine } from "./csv.ts";
import { download } from "./stream.server.ts";
import { type Cell, xlsxOf } from "./xlsx.ts";

/** The files that a table is downloaded as. */
export const TABLE_TYPES = ["csv", "xlsx"] as const;
export type TableType = (typeof TABLE_TYPES)[number];

/** A table that is made while it is sent. */
export interface TableFile {
  columns: readonly string[];
  /** The positions of the columns of days, `YYYY-MM-DD`. */
  dates: ReadonlySet<number>;
  pages: AsyncIterable<readonly (readonly Cell[])[]>;
}

/** The response that a browser saves as a CSV file or as a workbook, with the same cells. `download` says what `name` is. */
export function downloadTable(context: AppLoadContext, name: string, type: TableType, table: TableFile): Response {
  const { columns, dates, pages } = table;
  return type === "csv"
    ? download(context, name, type, linesOf(table))
    : download(context, name, type, xlsxOf(columns, dates, pages));
}

async function* linesOf({ columns, pages }: TableFile): AsyncGenerator<string> {
  yield CSV_BOM + csvLine(columns);
  for await (const page of pages) yield page.map(csvLine).join("");
}
