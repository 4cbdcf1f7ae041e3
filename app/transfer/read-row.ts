import { addDays } from "#app/calendar-date.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import type { Kind } from "#app/records/kind.ts";
import {
  BREAK,
  type ColumnMeaning,
  END_TIME,
  fieldOf,
  firstDayField,
  isMethod,
  isOfMethod,
  isTime,
  lastDayField,
  MINUTES,
  meaningLabel,
  PERSON,
  START_TIME,
} from "./columns.ts";
import {
  type ColumnsAt,
  cellsAt,
  columnOf,
  type MethodValues,
  meaningOf,
  type Notes,
  type Problem,
} from "./file-rows.ts";
import type { TableRow } from "./parse-table.ts";
import { type Cell, NO_HOURS, shorten } from "./read-hours.ts";
import { hoursOfTimes } from "./read-times.ts";

/* The records of one row. */

/** A record that a row describes, valid for its kind. A row of a wide log describes one for each method. */
export interface ImportRecord {
  row: number;
  values: object;
}

/** The meanings of a file's cells, and their places. */
export interface Reader {
  kind: Kind;
  columns: string[];
  at: ColumnsAt;
  methods: ColumnMeaning[];
  chosenMethods: MethodValues;
  notes: Notes;
  read: (target: ColumnMeaning, index: number, cell: string) => Cell;
}

/** The records that a row describes, or what is wrong with it. */
export function readRow(reader: Reader, row: TableRow): { records: ImportRecord[]; problems: Problem[] } {
  const { kind, columns, at, methods } = reader;
  const { number, cells } = row;
  const more = cells.slice(columns.length).find((cell) => cell.trim() !== "");
  if (more !== undefined) {
    const message = `This row has more cells than the header: “${shorten(more)}” belongs to no column.`;
    return { records: [], problems: [{ row: number, column: "", message }] };
  }
  // In a wide log an empty cell, or 0, is no entry.
  const wide = methods.filter((method) => cellsAt(at, row, method).some((cell) => !NO_HOURS.test(cell)));
  if (methods.length > 0 && wide.length === 0) {
    return { records: [], problems: [{ row: number, column: "", message: "This row has no hours." }] };
  }
  const isWide = methods.length > 0;
  const shared = new Map(
    [...at]
      .filter(
        ([field]) =>
          field !== PERSON &&
          field !== MINUTES &&
          !isMethod(field) &&
          !isTime(field) &&
          !(isWide && isOfMethod(kind, field)),
      )
      .map(([field, [index = -1]]): [ColumnMeaning, Cell] => [field, reader.read(field, index, cells[index] ?? "")]),
  );
  const [first, last] = [shared.get(firstDayField(kind)), lastDayField(kind)];
  if (first && last && !at.has(last)) shared.set(last, "to" in first ? { value: first.to } : { value: "" });
  const times = timesOf(reader, row, shared);
  const own = shared.get("hours");
  if (times && !isWide && (!own || ("value" in own && own.value === ""))) shared.set("hours", times);
  const minutes = cellsAt(at, row, MINUTES)[0]?.trim() ?? "";
  if (minutes !== "") shared.set("hours", withMinutes(isWide ? undefined : shared.get("hours"), minutes));
  const one = isWide
    ? wide.map((method) => readRecord(reader, row, shared, method))
    : partsOf(reader, row, shared).map((part) => readRecord(reader, row, part, null));
  const problems = one.flatMap((result) => ("problems" in result ? result.problems : []));
  // Several methods report the same problem of their date.
  const unique = [...new Map(problems.map((problem) => [`${problem.column}\n${problem.message}`, problem])).values()];
  if (unique.length > 0) return { records: [], problems: unique };
  const records = one.flatMap((result) => ("values" in result ? [{ row: number, values: result.values }] : []));
  if (times) sayTimes(reader, times, records);
  return { records, problems: [] };
}

/** The hours of a cell with the minutes beside it. */
function withMinutes(hours: Cell | undefined, cell: string): Cell {
  if (hours && "message" in hours) return hours;
  const minutes = /^\d{1,3}$/.test(cell) ? Number(cell) : null;
  const isEmpty = hours?.value === "";
  if (!hours || minutes === null || (minutes > 59 && !isEmpty))
    return { message: `“${shorten(cell)}” cannot be added to the hours as minutes.` };
  return { ...hours, value: (isEmpty ? 0 : Number(hours.value)) + minutes / 60 };
}

/** The hours from the start and the end in a row, in hundredths; null without both columns, or where their cells are empty. */
function timesOf(
  { kind, columns, at }: Reader,
  row: TableRow,
  shared: ReadonlyMap<ColumnMeaning, Cell>,
): TimesCell | { message: string } | null {
  const cellOf = (target: ColumnMeaning) => cellsAt(at, row, target)[0] ?? "";
  const cells = { start: cellOf(START_TIME), end: cellOf(END_TIME), break: cellOf(BREAK) };
  if (!at.has(START_TIME) || !at.has(END_TIME) || (cells.start + cells.end).trim() === "") return null;
  const times = hoursOfTimes({ ...cells, breakHeading: columnOf(columns, at, BREAK) });
  if ("message" in times) return times;
  const days = [firstDayField(kind), lastDayField(kind) ?? firstDayField(kind)].map((field) => {
    const cell = shared.get(field);
    return cell && "value" in cell ? String(cell.value) : "";
  });
  const [from = "", to = ""] = days;
  const isOneShift = from === to || (times.isOverMidnight && from !== "" && to === addDays(from, 1));
  return isOneShift
    ? { ...times, value: times.hundredths / 100 }
    : { message: "A start and an end make the hours of one day: write the hours of this period." };
}

type TimesCell = Extract<ReturnType<typeof hoursOfTimes>, { said: string }> & { value: number };

/** Says which hours the times of a row make, or that its own hours are kept because its times make others or none. */
function sayTimes(
  { columns, at, notes }: Reader,
  times: TimesCell | { message: string },
  records: readonly ImportRecord[],
): void {
  const hours = records.reduce((sum, { values }) => sum + toHundredths((values as { hours: number }).hours), 0);
  const column = columnOf(columns, at, START_TIME);
  if ("message" in times) notes.add(column, `${times.message} The hours of the row are kept.`, 1, "no times");
  else if (hours !== times.hundredths)
    notes.add(column, `${times.said}, but the row has ${formatHours(hours)} h, which is kept.`, 1, "other hours");
  else notes.add(column, `${times.said}.`, 1, times.isOverMidnight ? "over midnight" : "times");
}

/** The cells of a row; of two records that share its hours, if its word for a method was chosen to mean two. */
function partsOf(
  { kind, at, chosenMethods }: Reader,
  row: TableRow,
  cells: ReadonlyMap<ColumnMeaning, Cell>,
): ReadonlyMap<ColumnMeaning, Cell>[] {
  const field = kind.fields.find(({ type }) => type === "method")?.name ?? "";
  const meaning = meaningOf(chosenMethods, cellsAt(at, row, field)[0] ?? "");
  if (!meaning) return [cells];
  if (!Array.isArray(meaning)) return [new Map([...cells, [field, { value: meaning }]])];
  const hours = cells.get("hours");
  const isNumber = hours && "value" in hours && typeof hours.value === "number";
  const all = isNumber ? toHundredths(Number(hours.value)) : 0;
  const halves = [Math.ceil(all / 2), Math.floor(all / 2)];
  return meaning.map((method, index) => {
    const half: [ColumnMeaning, Cell][] = isNumber ? [["hours", { value: (halves[index] ?? 0) / 100 }]] : [];
    return new Map([...cells, [field, { value: method }], ...half]);
  });
}

/** The record of a row, or of one method's hours in a row of a wide log; `shared` are the cells of all its methods. */
function readRecord(
  { kind, columns, at, read }: Reader,
  row: TableRow,
  shared: ReadonlyMap<ColumnMeaning, Cell>,
  method: ColumnMeaning | null,
): { values: object } | { problems: Problem[] } {
  const meaningOfField = (target: ColumnMeaning) => (method && target === "hours" ? method : target);
  const sent: Record<string, unknown> = method ? { method } : {};
  const details: Record<string, unknown> = {};
  const wrong = new Map<ColumnMeaning, string>();
  const hours: [ColumnMeaning, Cell][] = method
    ? [["hours", addedUp((at.get(method) ?? []).map((index) => read(method, index, row.cells[index] ?? "")))]]
    : [];
  for (const [field, cell] of [...shared, ...hours]) {
    if ("message" in cell) wrong.set(field, cell.message);
    else if (cell.value === undefined) continue;
    else if (fieldOf(kind, field)) sent[field] = cell.value;
    else details[field] = cell.value;
  }
  const result = kind.schema.safeParse({ ...sent, details });
  for (const { path, message } of result.error?.issues ?? []) {
    const field = String(path.at(-1)); // a field or a detail
    const cell = shorten(cellsAt(at, row, meaningOfField(field))[0] ?? "");
    if (!wrong.has(field)) wrong.set(field, cell ? `“${cell}”: ${message}` : message);
  }
  if (result.success && wrong.size === 0) return { values: result.data };
  const nameOf = (field: ColumnMeaning) => columnOf(columns, at, meaningOfField(field)) || meaningLabel(field);
  return { problems: [...wrong].map(([field, message]) => ({ row: row.number, column: nameOf(field), message })) };
}

/** The hours of several columns, or what is wrong with one of them. */
function addedUp(cells: readonly Cell[]): Cell {
  const wrong = cells.find((cell) => "message" in cell);
  if (wrong) return wrong;
  const numbers = cells.flatMap((cell) => ("value" in cell && typeof cell.value === "number" ? [cell.value] : []));
  return { value: numbers.length > 0 ? numbers.reduce((sum, number) => sum + number, 0) : "" };
}

/** The hours in the row with the file's own total: in the column of hours, or in the columns of all methods. */
export function statedTotal({ at, methods, read }: Reader, row: TableRow | undefined): number | null {
  const targets = methods.length > 0 ? methods : ["hours"];
  const hours = targets.flatMap((target) =>
    (at.get(target) ?? []).flatMap((index) => {
      const cell = read(target, index, row?.cells[index] ?? "");
      return "value" in cell && typeof cell.value === "number" ? [toHundredths(cell.value)] : [];
    }),
  );
  return hours.length > 0 ? hours.reduce((sum, one) => sum + one, 0) : null;
}
