import type { Kind } from "#app/records/kinds.ts";
import { withoutMark } from "#app/server/csv.ts";
import { isMethod, methodNamed, missingTargets, type Target, targetLabel } from "./columns.ts";
import type { Table, TableRow } from "./parse-table.ts";
import { type DateOrder, orderOf, readDate } from "./read-date.ts";
import { decimalMarkOf, readHours } from "./read-hours.ts";

/** What is wrong with a cell: its row as a spreadsheet numbers it, and its column's name in the file. */
export interface Problem {
  row: number;
  column: string;
  message: string;
}

/** A record that a row describes, valid for its kind. A row of a wide log describes one for each method. */
export interface ImportRecord {
  row: number;
  values: object;
}

export interface ReadTable {
  /** The order of the dates; null if the technician must choose it first. Then there are no records. */
  dateOrder: DateOrder | null;
  /** A date that can be read in two ways, if the order is not chosen yet. */
  ambiguous: string | null;
  /** Whether rows could be read: every field has its column, and the order of the dates is known. */
  isReadable: boolean;
  records: ImportRecord[];
  problems: Problem[];
}

/** The longest part of a cell in a message. */
const SHOWN_MAX = 40;

const DATES: readonly Target[] = ["date", "startDate", "endDate"];

/** The records in the rows of a file, checked by the schema that new records have, and every problem. */
export function readTable(
  kind: Kind,
  { columns, header, rows }: Table,
  mapping: readonly (Target | null)[],
  chosenOrder: DateOrder | null,
): ReadTable {
  const at = new Map(mapping.flatMap((target, index): [Target, number][] => (target ? [[target, index]] : [])));
  const cellsOf = (target: Target) => rows.map(({ cells }) => cells[at.get(target) ?? -1] ?? "");
  const dateTargets = DATES.filter((target) => at.has(target));
  const found = orderOf(dateTargets.flatMap(cellsOf));
  const dateOrder = chosenOrder ?? found.order;
  const ambiguous = chosenOrder ? null : found.ambiguous;
  const missing = missingTargets(kind.name, mapping);
  if (missing.length > 0) {
    const problems = missing.map((target) => ({
      row: header,
      column: targetLabel(target),
      message: `Choose the column of the ${targetLabel(target).toLowerCase()}.`,
    }));
    return { dateOrder, ambiguous, isReadable: false, records: [], problems };
  }
  if (!dateOrder) {
    const row = rows.find(({ cells }) => dateTargets.some((target) => cells[at.get(target) ?? -1] === ambiguous));
    const column = columns[at.get(dateTargets[0] ?? "date") ?? -1] ?? "";
    const message = `Choose the order of day, month and year: “${shorten(ambiguous ?? "")}” can be read in several ways.`;
    return {
      dateOrder,
      ambiguous,
      isReadable: false,
      records: [],
      problems: [{ row: row?.number ?? header, column, message }],
    };
  }
  const methods = [...at.keys()].filter(isMethod);
  const mark = decimalMarkOf([...(methods.length > 0 ? methods : (["hours"] as const))].flatMap(cellsOf));
  const reader = {
    kind,
    columns,
    at,
    methods,
    read: (target: Target, cell: string) => read(target, cell, dateOrder, mark),
  };
  const results = rows.map((row) => readRow(reader, row));
  return {
    dateOrder,
    ambiguous,
    isReadable: true,
    records: results.flatMap(({ records }) => records),
    problems: results.flatMap(({ problems }) => problems),
  };
}

/** A cell's value for the schema, or why it has none. */
type Cell = { value: unknown } | { message: string };

function read(target: Target, cell: string, order: DateOrder, mark: ReturnType<typeof decimalMarkOf>): Cell {
  if (cell.trim() === "") return { value: target === "broughtForward" ? undefined : "" };
  const shown = `“${shorten(cell)}”`;
  if (DATES.includes(target)) {
    const date = readDate(cell, order);
    return date ? { value: date } : { message: `${shown} cannot be read as a date.` };
  }
  if (target === "hours" || isMethod(target)) {
    const hours = readHours(cell, mark);
    if (hours !== null) return { value: hours };
    return { message: `${shown} cannot be read as hours. Write it as 7.5 or 7:30.` };
  }
  if (target === "method") return { value: methodNamed(cell) ?? cell };
  if (target === "broughtForward") {
    const text = cell.trim().toLowerCase();
    if (["yes", "y", "true", "1", "x"].includes(text)) return { value: true };
    return ["no", "n", "false", "0", "-"].includes(text)
      ? { value: undefined }
      : { message: `${shown} is not yes or no.` };
  }
  return { value: withoutMark(cell) };
}

interface Reader {
  kind: Kind;
  columns: string[];
  at: Map<Target, number>;
  methods: Target[];
  read: (target: Target, cell: string) => Cell;
}

function readRow(reader: Reader, row: TableRow): { records: ImportRecord[]; problems: Problem[] } {
  const { columns, at, methods } = reader;
  const { number, cells } = row;
  const more = cells.slice(columns.length).find((cell) => cell.trim() !== "");
  if (more !== undefined) {
    const message = `This row has more cells than the header: “${shorten(more)}” belongs to no column.`;
    return { records: [], problems: [{ row: number, column: "", message }] };
  }
  // In a wide log an empty cell, or 0, is no entry.
  const wide = methods.filter((method) => !/^[\s0.,:-]*$/.test(cells[at.get(method) ?? -1] ?? ""));
  if (methods.length > 0 && wide.length === 0) {
    return { records: [], problems: [{ row: number, column: "", message: "This row has no hours." }] };
  }
  const one =
    methods.length > 0 ? wide.map((method) => readRecord(reader, row, method)) : [readRecord(reader, row, null)];
  const problems = one.flatMap((result) => ("problems" in result ? result.problems : []));
  // Several methods report the same problem of their date.
  const unique = [...new Map(problems.map((problem) => [`${problem.column}\n${problem.message}`, problem])).values()];
  if (unique.length > 0) return { records: [], problems: unique };
  return {
    records: one.flatMap((result) => ("values" in result ? [{ row: number, values: result.values }] : [])),
    problems: [],
  };
}

/** The record of a row, or of one method's hours in a row of a wide log. */
function readRecord(
  { kind, columns, at, read }: Reader,
  { number, cells }: TableRow,
  method: Target | null,
): { values: object } | { problems: Problem[] } {
  const columnOf = (target: Target) => (method && target === "hours" ? method : target);
  const sent: Record<string, unknown> = method ? { method } : {};
  const wrong = new Map<Target, string>();
  for (const field of [...at.keys(), ...(method ? (["hours"] as const) : [])]) {
    if (isMethod(field) || (method && field === "method")) continue;
    const cell = read(columnOf(field), cells[at.get(columnOf(field)) ?? -1] ?? "");
    if ("message" in cell) wrong.set(field, cell.message);
    else if (cell.value !== undefined) sent[field] = cell.value;
  }
  const result = kind.schema.safeParse(sent);
  for (const { path, message } of result.error?.issues ?? []) {
    const field = path[0] as Target; // the schema's fields are targets
    if (!wrong.has(field)) wrong.set(field, message);
  }
  if (result.success && wrong.size === 0) return { values: result.data };
  const nameOf = (field: Target) => columns[at.get(columnOf(field)) ?? -1] || targetLabel(field);
  return { problems: [...wrong].map(([field, message]) => ({ row: number, column: nameOf(field), message })) };
}

function shorten(cell: string): string {
  const text = cell.replace(/\s+/g, " ").trim();
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
