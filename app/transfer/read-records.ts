import { addDays } from "#app/calendar-date.ts";
import { AppError } from "#app/errors.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import type { Field, Kind } from "#app/records/kind.ts";
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
  meaningLabel,
  methodNamed,
  missingMeanings,
  PERSON,
  START_TIME,
} from "./columns.ts";
import { ROWS_MAX, type Table, type TableRow } from "./parse-table.ts";
import { type DateReading, NOT_A_METHOD, readCell } from "./read-cells.ts";
import { type DateOrder, isInUtc, orderOf, readDate } from "./read-date.ts";
import {
  type Cell,
  decimalMarkOf,
  type FoundUnits,
  NO_HOURS,
  readHoursCell,
  shorten,
  type UnitChoices,
  unclearNumber,
  unitsOf,
} from "./read-hours.ts";
import {
  type ColumnsAt,
  type CountedWord,
  cellsAt,
  columnOf,
  countedWords,
  guessed,
  isTotal,
  isTotalOfTime,
  keyOf,
  type MethodValues,
  meaningOf,
  type Note,
  Notes,
  notTheSum,
  type Problem,
  statingRow,
  sumOfNumbers,
  totalsIn,
  withValuesAbove,
} from "./read-rows.ts";
import { hoursOfTimes } from "./read-times.ts";

/** A record that a row describes, valid for its kind. A row of a wide log describes one for each method. */
export interface ImportRecord {
  row: number;
  values: object;
}

/** What the technician chose about a file besides what its columns mean. */
export interface ReadChoices extends UnitChoices {
  /** Null as long as it was not chosen. */
  dateOrder: DateOrder | null;
  /** The time zone of the days of instants, an IANA name, or `AS_WRITTEN`. Null as long as it was not chosen. */
  timeZone: string | null;
  methods: MethodValues;
  /** Whose rows they are, if the file has those of several people. */
  person: string | null;
}

/** The time zone that takes the day of an instant as it is written. */
export const AS_WRITTEN = "asWritten";

/** What the numbers of hours count; `hoursUnit` is null if the technician must choose it first, `hoursPerDay` without days too. */
export interface ReadTable extends UnitChoices {
  /** The rows that are read: neither totals nor, in a file of several people, the rows of the others. */
  read: TableRow[];
  /** The rows that add up others. */
  totals: TableRow[];
  /** The names in the column of the people, those with the most rows first. */
  people: string[];
  /** Whose rows are read; null if nobody was chosen, or somebody who is not in the file. */
  person: string | null;
  /** The words for methods that are not known, the most frequent first, also those that were chosen. */
  unknownMethods: CountedWord[];
  /** What they were chosen to mean; if nothing was chosen yet, those that name one method besides other words mean it. */
  methods: MethodValues;
  /** The total that the file itself states, in hundredths; null without one, and for a file of several people. */
  stated: number | null;
  /** The order of the dates; null if the technician must choose it first. Then there are no records. */
  dateOrder: DateOrder | null;
  /** A date that can be read in two ways, if the order is not chosen yet. */
  ambiguous: string | null;
  /** The time zone of instants; null if the technician must choose it first. */
  timeZone: string | null;
  /** What a file needs to be chosen besides, whether it is chosen or not. */
  asks: { hoursUnit: boolean; hoursPerDay: boolean; timeZone: boolean };
  /** Whether rows could be read: every field has its column, and what is not certain was chosen. */
  isReadable: boolean;
  records: ImportRecord[];
  /** The first problems, as many as a file has rows at most: a wide row alone can have eleven. */
  problems: Problem[];
  notes: Note[];
  /** How many rows have a problem, and how many of them no other one than a word for a method that means nothing yet. */
  wrong: number;
  unnamed: number;
}

/** The most records that an import creates. A row of a wide log has one for each method. */
const IMPORT_RECORDS_MAX = 10_000;

/**
 * The records in the rows of a file, checked by the schema that new records have, and the problems.
 * @throws {AppError} 400 for more records than an import may create
 */
export function readTable(
  kind: Kind,
  { columns, header, rows: all }: Table,
  mapping: readonly (ColumnMeaning | null)[],
  choice: Omit<ReadChoices, "methods"> & {
    /** Null if nothing was chosen yet. */
    methods: MethodValues | null;
  },
): ReadTable {
  const at = new Map<ColumnMeaning, number[]>();
  for (const [index, target] of mapping.entries()) if (target) at.set(target, [...(at.get(target) ?? []), index]);
  const cellOf = (row: TableRow, target: ColumnMeaning) => cellsAt(at, row, target)[0] ?? "";
  const targetsLike = (type: Field["type"]) =>
    kind.fields.filter((field) => field.type === type && at.has(field.name)).map(({ name }) => name);
  const dateTargets = [...targetsLike("date"), ...targetsLike("expiry")];
  const hasDate = (row: TableRow) => dateTargets.some((target) => isDate(cellOf(row, target)));
  // The place of a dated total is its name, or empty, and a long table has no method there.
  const namesTotal = (row: TableRow) =>
    hasDate(row) &&
    (isTotalOfTime(cellOf(row, "location")) ||
      (cellOf(row, "location").trim() === "" && row.cells.some(isTotalOfTime))) &&
    targetsLike("method").every((target) => cellOf(row, target).trim() === "");
  const ofHours = [...at].filter(([target]) => isMethod(target) || target === "hours").flatMap(([, own]) => own);
  const dated = totalsIn(all, ofHours, namesTotal);
  const totals = all.filter((row) => dated.get(row.number)?.isSum ?? (!hasDate(row) && isTotal(row)));
  const isOfTotals = new Set(totals);
  const notes = new Notes();
  const work = withValuesAbove(
    kind,
    all.filter((row) => !isOfTotals.has(row)),
    at,
    (index, message, reason) => notes.add(columns[index] ?? "", message, 1, reason),
  );
  const people = at.has(PERSON) ? countedWords(work.map((row) => cellOf(row, PERSON))).map(({ word }) => word) : [];
  const person = people.find((name) => keyOf(name) === keyOf(choice.person ?? "")) ?? null;
  const rows = people.length > 1 && person ? work.filter((row) => keyOf(cellOf(row, PERSON)) === keyOf(person)) : work;
  const cellsOf = (target: ColumnMeaning) => rows.map((row) => cellOf(row, target));
  const unknownMethods = countedWords(
    targetsLike("method")
      .flatMap(cellsOf)
      .filter((cell) => !methodNamed(cell)),
  );
  const chosenMethods = choice.methods ?? guessed(unknownMethods);
  const order = orderOf(dateTargets.flatMap(cellsOf));
  const dateOrder = choice.dateOrder ?? order.order;
  const ambiguous = choice.dateOrder ? null : order.ambiguous;
  const instant = dateTargets.flatMap(cellsOf).find(isInUtc);
  const timeZone = choice.timeZone ?? (instant === undefined ? AS_WRITTEN : null);
  const methods = [...at.keys()].filter(isMethod);
  const hourColumns = (methods.length > 0 ? methods : targetsLike("hours")).flatMap((target) => at.get(target) ?? []);
  const cellsIn = (index: number) => rows.map(({ cells }) => cells[index] ?? "");
  const hourUnits = unitsOf(
    hourColumns.map((index) => ({ heading: columns[index] ?? "", cells: cellsIn(index) })),
    choice,
  );
  const found = {
    ...{ read: rows, totals, people, person, unknownMethods, methods: chosenMethods },
    ...{ stated: null, dateOrder, ambiguous, timeZone, unnamed: 0, notes: [] },
    ...{ hoursUnit: hourUnits.hoursUnit, hoursPerDay: hourUnits.hoursPerDay },
    asks: { ...hourUnits.asks, timeZone: instant !== undefined },
  };
  const unread = (problems: Problem[], wrong: number) => ({
    ...found,
    isReadable: false,
    records: [],
    problems,
    wrong,
  });
  const missing = missingMeanings(kind, mapping);
  if (missing.length > 0) {
    const problems = missing.map((target) => ({
      row: header,
      column: meaningLabel(target),
      message: `Choose the column of the ${meaningLabel(target).toLowerCase()}.`,
    }));
    return unread(problems, rows.length);
  }
  if (people.length > 1 && !person) {
    const column = columnOf(columns, at, PERSON);
    const message = `Choose whose rows to import: the file has the rows of ${people.length} people.`;
    return unread([{ row: header, column, message }], 0);
  }
  /** What is asked about a cell with a date. */
  const askedOfDate = (cell: string | undefined | null, message: string) => {
    const row = rows.find((row) => dateTargets.some((target) => cellOf(row, target) === cell));
    const target = dateTargets.find((target) => rows.some((one) => cellOf(one, target) === cell));
    return unread([{ row: row?.number ?? header, column: columnOf(columns, at, target ?? ""), message }], 0);
  };
  if (!dateOrder) {
    const shown = shorten(ambiguous ?? "");
    return askedOfDate(ambiguous, `Choose the order of day, month and year: “${shown}” can be read in several ways.`);
  }
  if (!timeZone) {
    const shown = shorten(instant ?? "");
    return askedOfDate(instant, `Choose the time zone of the days: “${shown}” is a moment in UTC, not a day.`);
  }
  if (hourUnits.question) {
    const { heading, message } = hourUnits.question;
    return unread([{ row: header, column: heading, message }], 0);
  }
  const hours = hourColumns.flatMap(cellsIn);
  const mark = decimalMarkOf(hours);
  const unclear = mark === null ? hours.find((cell) => /[.,]\d{3}/.test(cell) && unclearNumber(cell)) : undefined;
  const lastDay = lastDayField(kind);
  const isOfOneDate = lastDay !== undefined && !at.has(lastDay);
  const dates: DateReading = {
    order: dateOrder,
    timeZone: timeZone === AS_WRITTEN ? null : timeZone,
    period: isOfOneDate ? "read" : lastDay === undefined ? "several rows" : "two columns",
  };
  if (isOfOneDate) {
    const column = columnOf(columns, at, firstDayField(kind));
    notes.add(column, "No column has the last day: a row with one date is one day.", rows.length);
  }
  for (const target of methods) {
    const own = (at.get(target) ?? []).map((index) => `“${shorten(columns[index] ?? "")}”`);
    if (own.length > 1) notes.add("", `${own.join(" and ")} mean ${meaningLabel(target)}, and are added up.`, 0);
  }
  const reader = {
    ...{ kind, columns, at, methods, chosenMethods, notes },
    read: (target: ColumnMeaning, index: number, cell: string) => {
      const { type, choices } = isMethod(target)
        ? { type: "hours" as const }
        : (fieldOf(kind, target) ?? choiceDetail(kind, target));
      const column = columns[index] ?? "";
      const one =
        type === "hours"
          ? readHoursCell(cell, { mark, unclear, ...unitOf(hourUnits, hourColumns.indexOf(index)) })
          : readCell({ type, ...(choices && { choices }) }, cell, dates);
      if ("said" in one && one.said)
        notes.add(column, `“${shorten(cell)}” is ${one.said}.`, 1, one.said.replace(/^read as \d[^,]*|\d/g, ""));
      return one;
    },
  };
  const records: ImportRecord[] = [];
  const problems: Problem[] = [];
  let wrong = 0;
  let unnamed = 0;
  for (const row of rows) {
    const total = dated.get(row.number);
    const read = total ? { records: [], problems: [notTheSum(row, total.sum)] } : readRow(reader, row);
    records.push(...read.records);
    if (records.length > IMPORT_RECORDS_MAX) throw tooManyRecords();
    problems.push(...read.problems.slice(0, ROWS_MAX - problems.length));
    if (read.problems.length === 0) continue;
    wrong += 1;
    if (read.problems.every(({ message }) => message.endsWith(NOT_A_METHOD))) unnamed += 1;
  }
  // A total with a date is that of a month.
  const undated = new Set(totals.filter((row) => !hasDate(row)));
  for (const [number, { isSum, stated, sum }] of totalsIn(
    all.filter((row) => undated.has(row) || !isOfTotals.has(row)),
    ofHours,
    (row) => undated.has(row),
  )) {
    if (isSum || stated === 0 || number > (rows.at(-1)?.number ?? 0) || people.length > 1) continue;
    const message = `The total in row ${number} is ${formatHours(stated)}, but the rows above it add up to ${formatHours(sum)}.`;
    notes.add("", message, 0);
  }
  const listed = notes.list();
  const stated = people.length > 1 ? null : statedTotal(reader, statingRow([...undated], rows));
  for (const [index, column] of columns.entries()) {
    if (mapping[index]) continue;
    const filled = rows.flatMap(({ cells }) => (cells[index]?.trim() ? [cells[index]] : []));
    const sum = sumOfNumbers(filled);
    if (sum !== null)
      listed.push({ column, message: `This column is not read: its numbers add up to ${sum}.`, rows: filled.length });
  }
  return { ...found, stated, isReadable: true, records, problems, notes: listed, wrong, unnamed };
}

/** The hours in the row with the file's own total: in the column of hours, or in the columns of all methods. */
function statedTotal({ at, methods, read }: Reader, row: TableRow | undefined): number | null {
  const targets = methods.length > 0 ? methods : ["hours"];
  const hours = targets.flatMap((target) =>
    (at.get(target) ?? []).flatMap((index) => {
      const cell = read(target, index, row?.cells[index] ?? "");
      return "value" in cell && typeof cell.value === "number" ? [toHundredths(cell.value)] : [];
    }),
  );
  return hours.length > 0 ? hours.reduce((sum, one) => sum + one, 0) : null;
}

function tooManyRecords(): AppError {
  const max = IMPORT_RECORDS_MAX.toLocaleString("en");
  return new AppError(
    "invalid",
    `These rows are more than ${max} records. Import them in parts of at most ${max} records.`,
  );
}

/** How a detail's cell is read: one of its choices, or any text. */
function choiceDetail({ details }: Kind, target: ColumnMeaning): Pick<Field, "type" | "choices"> {
  const choices = details.find(({ name }) => name === target)?.choices;
  return choices ? { type: "choice", choices } : { type: "text" };
}

function unitOf({ units, isByHeading, hoursPerDay }: FoundUnits, position: number) {
  return { unit: units[position] ?? "hours", isByHeading, hoursPerDay };
}

function isDate(cell: string): boolean {
  return (readDate(cell, "dmy") ?? readDate(cell, "mdy")) !== null;
}

interface Reader {
  kind: Kind;
  columns: string[];
  at: ColumnsAt;
  methods: ColumnMeaning[];
  chosenMethods: MethodValues;
  notes: Notes;
  read: (target: ColumnMeaning, index: number, cell: string) => Cell;
}

function readRow(reader: Reader, row: TableRow): { records: ImportRecord[]; problems: Problem[] } {
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
        ([field]) => field !== PERSON && !isMethod(field) && !isTime(field) && !(isWide && isOfMethod(kind, field)),
      )
      .map(([field, [index = -1]]): [ColumnMeaning, Cell] => [field, reader.read(field, index, cells[index] ?? "")]),
  );
  const [first, last] = [shared.get(firstDayField(kind)), lastDayField(kind)];
  if (first && last && !at.has(last)) shared.set(last, "to" in first ? { value: first.to } : { value: "" });
  const times = timesOf(reader, row, shared);
  const own = shared.get("hours");
  if (times && !isWide && (!own || ("value" in own && own.value === ""))) shared.set("hours", times);
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
