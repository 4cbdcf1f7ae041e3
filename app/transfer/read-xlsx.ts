import { Parser } from "saxen";
import { AppError } from "#app/errors.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { columnName } from "#app/server/xlsx.ts";
import { cellFormat, DAYS_1900, DAYS_1904, numberText } from "./cell-format.ts";
import type { Note } from "./file-rows.ts";
import { COLUMNS_MAX, type ReadRow, ROWS_MAX, tooManyRows } from "./parse-table.ts";
import { readHours, shorten } from "./read-hours.ts";
import { Archive, DAMAGED } from "./zip.ts";

/*
 * Reads workbooks (.xlsx, .xlsm: ECMA-376) in the Worker. A file of 2 kB can describe cells without end, so each bound
 * is checked before anything is kept: bytes (`Archive`), rows, columns and characters. Every sheet becomes rows of
 * texts, as a CSV has.
 */

/** How many sheets are offered, and the longest name of one: a spreadsheet allows 31 characters. */
const SHEETS_MAX = 100;
const SHEET_NAME_MAX = 100;

/** The rows of an import, and the title above them. */
const SHEET_ROWS_MAX = ROWS_MAX + 20;

/** The most characters in the cells of a sheet, shared texts counted each time: twice what a CSV can have. */
const CHARACTERS_MAX = 3_000_000;

/** The most shared texts: more than the cells of an import. */
const SHARED_MAX = 500_000;

/** The longest token of XML, and the deepest nesting, that a real workbook has. */
const TOKEN_MAX = 1_000_000;
const DEPTH_MAX = 100;

/** Other files that are ZIP archives, by a part that they have. */
const OTHER_ARCHIVES: [part: string, what: string][] = [
  ["xl/workbook.bin", "a binary workbook (.xlsb). Save it as Excel workbook (.xlsx) and upload that file"],
  ["word/document.xml", "a Word document. Copy the rows of its table and paste them"],
  ["ppt/presentation.xml", "a presentation. Copy the rows of its table and paste them"],
  ["Index/Document.iwa", "a document of Apple Numbers or Pages. Export it as Excel (.xlsx) and upload that file"],
  ["content.xml", "an OpenDocument file (.ods). Save it as Excel workbook (.xlsx) or CSV and upload that file"],
];

interface SheetName {
  name: string;
  isHidden: boolean;
  part: string;
}

/** The rows of a sheet with anything in them, and the note about it. */
export interface SheetRows {
  sheet: string;
  rows: ReadRow[];
  notes: Note[];
}

/** An opened workbook: the names of its sheets, those that are shown first, and what all of them share. */
export class Workbook {
  readonly #archive: Archive;
  #sheets: SheetName[] = [];
  #shared: string[] = [];
  /** The shared texts of which a part is struck through. */
  readonly #struckShared = new Set<number>();
  #formats: Format[] = [];
  #day0 = DAYS_1900;

  private constructor(archive: Archive) {
    this.#archive = archive;
  }

  /** @throws {AppError} 400 for an archive that is no workbook, with what it is, and for a workbook without cells */
  static async open(bytes: Uint8Array): Promise<Workbook> {
    const book = new Workbook(new Archive(bytes));
    await book.#open();
    return book;
  }

  get sheets(): string[] {
    return this.#sheets.map(({ name }) => name);
  }

  async #open(): Promise<void> {
    const archive = this.#archive;
    const [main] = archive.has("_rels/.rels") ? await this.#related("", "/officeDocument") : [];
    if (!main?.part.startsWith("xl/") || !main.part.endsWith(".xml")) {
      const [, what] = OTHER_ARCHIVES.find(([part]) => archive.has(part)) ?? [];
      const other = what ?? "a ZIP archive, but no Excel workbook. Unpack it and upload the sheet that is in it";
      throw new AppError("invalid", `This file is ${other}.`);
    }
    const sheets = new Map((await this.#related(main.part, "/worksheet")).map(({ id, part }) => [id, part]));
    const shown: SheetName[] = [];
    await this.#read(main.part, {
      open: (name, attributes) => {
        if (name === "workbookPr" && isOn(attributes().date1904)) this.#day0 = DAYS_1904;
        if (name !== "sheet") return;
        const { name: own = "", state = "visible", id = "" } = attributes();
        const part = sheets.get(id);
        const title = own.slice(0, SHEET_NAME_MAX).trim() || `Sheet ${shown.length + 1}`;
        if (part) shown.push({ name: title, isHidden: state !== "visible", part });
      },
    });
    this.#sheets = [...shown.filter(({ isHidden }) => !isHidden), ...shown.filter(({ isHidden }) => isHidden)];
    this.#sheets.length = Math.min(this.#sheets.length, SHEETS_MAX);
    if (this.#sheets.length === 0) {
      throw new AppError(
        "invalid",
        "This workbook has no sheet with cells, only charts. Upload the one with the rows.",
      );
    }
    for (const { part } of await this.#related(main.part, "/styles")) await this.#readFormats(part);
    for (const { part } of await this.#related(main.part, "/sharedStrings")) await this.#readShared(part);
  }

  /** The parts to which a part relates by a type that ends so: the first half of its address differs between the editions. */
  async #related(from: string, type: string): Promise<{ id: string; part: string }[]> {
    const folder = from.slice(0, from.lastIndexOf("/") + 1);
    const found: { id: string; part: string }[] = [];
    const rels = `${folder}_rels/${from.slice(folder.length)}.rels`;
    if (!this.#archive.has(rels)) return [];
    await this.#read(rels, {
      open: (name, attributes) => {
        if (name !== "Relationship") return;
        const { Id = "", Type = "", Target = "" } = attributes();
        if (Type.endsWith(type)) found.push({ id: Id, part: partAt(Target, folder) });
      },
    });
    return found.filter(({ part }) => this.#archive.has(part));
  }

  async #readFormats(part: string): Promise<void> {
    const codes = new Map<number, string>();
    const known = new Map<number, ReturnType<typeof cellFormat>>();
    let isOfCells = false;
    let font = -1; // the one that is open
    const struck = new Set<number>();
    await this.#read(part, {
      open: (name, attributes) => {
        if (name === "font" && !isOfCells) font += 1;
        if (name === "strike" && isSet(attributes) && !isOfCells) struck.add(font);
        if (name === "numFmt") codes.set(Number(attributes().numFmtId), attributes().formatCode ?? "");
        if (name === "cellXfs") isOfCells = true;
        if (name !== "xf" || !isOfCells) return;
        const { numFmtId, fontId } = attributes();
        const id = Number(numFmtId ?? 0);
        const format = known.get(id) ?? cellFormat(id, codes.get(id)?.slice(0, 255));
        known.set(id, format);
        this.#formats.push({ ...format, isStruck: struck.has(Number(fontId ?? -1)) });
      },
      close: (name) => {
        if (name === "cellXfs") isOfCells = false;
      },
    });
  }

  async #readShared(part: string): Promise<void> {
    const text = new TextOf("si");
    await this.#read(part, {
      open: (name, attributes) => text.open(name, attributes),
      text: (piece) => text.add(piece),
      close: (name) => {
        const whole = text.close(name);
        if (whole === null) return;
        if (this.#shared.length >= SHARED_MAX) throw tooManyRows();
        if (text.isStruck) this.#struckShared.add(this.#shared.length);
        this.#shared.push(whole);
      },
    });
  }

  /**
   * Reads a sheet. Without a name: the first one with two rows, of those that are shown before those that are hidden, or else
   * the first one.
   * @throws {AppError} 400 for a name that no sheet has, and for a sheet beyond the bounds of an import
   */
  async read(name: string | null): Promise<SheetRows> {
    if (name !== null) {
      const sheet = this.#sheets.find((one) => one.name === name);
      if (!sheet) throw new AppError("invalid", `The workbook has no sheet “${name.slice(0, 40)}”.`);
      return this.#withOthers(await this.#readSheet(sheet), new Set([sheet]));
    }
    const tried = new Set<SheetName>();
    let first: SheetRows | undefined;
    for (const sheet of this.#sheets) {
      const read = await this.#readSheet(sheet);
      tried.add(sheet);
      if (read.rows.length > 1) return this.#withOthers(read, tried);
      first ??= read;
    }
    return first ?? { sheet: "", rows: [], notes: [] };
  }

  /** A sheet with a note of the others that have rows, with the sum of their numbers while they are small. */
  async #withOthers(read: SheetRows, tried: ReadonlySet<SheetName>): Promise<SheetRows> {
    const others: string[] = [];
    let left = OTHERS_MAX;
    for (const sheet of this.#sheets) {
      if (tried.has(sheet)) continue;
      const name = `${sheet.isHidden ? "hidden " : ""}“${shorten(sheet.name)}”`;
      left -= this.#archive.sizeOf(sheet.part);
      const rows = left < 0 ? null : await this.#readSheet(sheet).then(({ rows }) => rows, ifRefused);
      if (rows === null) others.push(name);
      else if (rows.length > 1) others.push(`${name} (${formatHours(toHundredths(sumOf(rows)))})`);
    }
    if (others.length === 0) return read;
    const more = others.length > NAMED_MAX ? ` and ${others.length - NAMED_MAX} more` : "";
    const what = others.length === 1 ? "Another sheet is not read" : `${others.length} other sheets are not read`;
    const message = `${what}, here with the sum of its numbers: ${others.slice(0, NAMED_MAX).join(", ")}${more}.`;
    const said = others.length === 1 ? message : message.replace("the sum of its", "the sums of their");
    return { ...read, notes: [...read.notes, { column: "", message: said, rows: 0 }] };
  }

  async #readSheet({ name: sheet, part }: SheetName): Promise<SheetRows> {
    const cells = new Cells(this.#shared, this.#struckShared, this.#formats, this.#day0);
    await this.#read(part, cells);
    return { sheet, rows: cells.rows(), notes: cells.notes() };
  }

  async #read(part: string, handler: XmlHandler): Promise<void> {
    const parser = xmlParser(handler);
    await this.#archive.read(part, (text) => parser.write(text));
    parser.end();
  }
}

/** The format of a cell, and whether its font is struck through. */
type Format = ReturnType<typeof cellFormat> & { isStruck?: boolean };

/** The most bytes of other sheets that are added up, and how many sheets are named. */
const OTHERS_MAX = 2_000_000;
const NAMED_MAX = 12;

/** Nothing of a sheet that cannot be imported. */
function ifRefused(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}

/** The sum of the cells that are numbers, without the header. */
function sumOf([, ...rows]: readonly ReadRow[]): number {
  const numbers = rows.flatMap(({ cells }) =>
    cells.flatMap((cell) => (/^[\d.:]+$/.test(cell) ? [readHours(cell, ".") ?? 0] : [])),
  );
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Whether a property of a font is set: `<strike/>`, not `<strike val="0"/>`. */
function isSet(attributes: () => { [name: string]: string }): boolean {
  return isOn(attributes().val ?? "1");
}

function isOn(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

/** A part's name from a target, which is an address in the archive, or beside `folder`. */
function partAt(target: string, folder: string): string {
  if (target.startsWith("/")) return target.slice(1);
  const steps: string[] = [];
  for (const step of `${folder}${target}`.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== ".") steps.push(step);
  }
  return steps.join("/");
}

interface XmlHandler {
  open(name: string, attributes: () => { [name: string]: string }): void;
  text?(piece: string): void;
  close?(name: string): void;
}

/** A parser of XML in pieces. Names come without their prefix. */
function xmlParser(handler: XmlHandler) {
  const parser = new Parser();
  let depth = 0;
  let waiting = 0; // characters since the last token
  const damaged = () => {
    throw new AppError("invalid", DAMAGED);
  };
  parser.on("openTag", (name, attributes, decode) => {
    waiting = 0;
    depth += 1;
    if (depth > DEPTH_MAX) damaged();
    handler.open(localName(name), () =>
      Object.fromEntries(Object.entries(attributes()).map(([key, value]) => [localName(key), decode(value)])),
    );
  });
  parser.on("closeTag", (name) => {
    waiting = 0;
    depth -= 1;
    handler.close?.(localName(name));
  });
  parser.on("text", (text, decode) => handler.text?.(decode(text)));
  parser.on("cdata", (text) => handler.text?.(text));
  parser.on("error", damaged);
  return {
    write(text: string) {
      parser.write(text);
      waiting += text.length;
      if (waiting > TOKEN_MAX + text.length) damaged();
    },
    end: () => parser.end(),
  };
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** The text of an element: that of all its `t`, without how it is pronounced (`rPh`). */
class TextOf {
  readonly #element: string;
  #text: string | null = null;
  #isPhonetic = false;
  #isOpen = false;
  /** Whether the run that is open is a superscript. */
  #isRaised = false;
  /** Whether a part of the text is struck through. */
  isStruck = false;

  constructor(element: string) {
    this.#element = element;
  }

  open(name: string, attributes: () => { [name: string]: string }): void {
    if (name === this.#element) {
      this.#text = "";
      this.isStruck = false;
    }
    if (name === "r" || name === this.#element) this.#isRaised = false;
    if (name === "vertAlign") this.#isRaised = attributes().val === "superscript";
    if (name === "strike" && isSet(attributes)) this.isStruck = true;
    if (name === "rPh") this.#isPhonetic = true;
    if (name === "t") this.#isOpen = true;
  }

  add(piece: string): void {
    if (this.#text === null || !this.#isOpen || this.#isPhonetic) return;
    // The sign of a footnote would become a digit of the number.
    this.#text += this.#isRaised ? piece.replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? digit) : piece;
  }

  /** The whole text when the element ends, otherwise null. */
  close(name: string): string | null {
    if (name === "rPh") this.#isPhonetic = false;
    if (name === "t") this.#isOpen = false;
    if (name !== this.#element) return null;
    const text = this.#text ?? "";
    this.#text = null;
    return withCharacters(text);
  }
}

const SUPERSCRIPTS = [..."⁰¹²³⁴⁵⁶⁷⁸⁹"];

/** A text with the characters that XML cannot have, which a workbook writes as `_x000D_`. */
function withCharacters(text: string): string {
  return text.includes("_x")
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}

/** The cells of a sheet while it is read. */
class Cells implements XmlHandler {
  readonly #shared: readonly string[];
  readonly #struckShared: ReadonlySet<number>;
  readonly #formats: readonly Format[];
  readonly #day0: number;
  readonly #rows = new Map<number, string[]>();
  readonly #merged: string[] = [];
  readonly #inline = new TextOf("is");
  #characters = 0;
  #hidden = 0;
  #row = 0;
  #column = -1;
  /** The attributes of the open cell, and what was read of it. */
  #cell: { r?: string; t?: string; s?: string } = {};
  #isRowHidden = false;
  #isStruck = false;
  readonly #hiddenColumns = new Set<number>();
  readonly #usedHidden = new Set<number>();
  readonly #struck: { count: number; first: string } = { count: 0, first: "" };
  #isValue = false;
  #isFormula = false;
  #value: string | null = null;
  #text: string | null = null;
  readonly #empty: { count: number; first: string } = { count: 0, first: "" };
  readonly #overDays: { count: number; first: string } = { count: 0, first: "" };

  constructor(shared: readonly string[], struckShared: ReadonlySet<number>, formats: readonly Format[], day0: number) {
    this.#shared = shared;
    this.#struckShared = struckShared;
    this.#formats = formats;
    this.#day0 = day0;
  }

  open(name: string, attributes: () => { [name: string]: string }): void {
    this.#inline.open(name, attributes);
    if (name === "col") this.#noteColumns(attributes());
    if (name === "row") {
      const { r, hidden } = attributes();
      this.#row = Number(r) || this.#row + 1;
      this.#column = -1;
      this.#isRowHidden = isOn(hidden);
    }
    if (name === "c") {
      this.#cell = attributes();
      const at = this.#cell.r ? placeOf(this.#cell.r) : null;
      this.#row = at?.row ?? this.#row;
      this.#column = at?.column ?? this.#column + 1;
      this.#value = null;
      this.#text = null;
      this.#isFormula = false;
      this.#isStruck = this.#formats[Number(this.#cell.s ?? "0")]?.isStruck === true;
    }
    if (name === "f") this.#isFormula = true;
    if (name === "v") {
      this.#isValue = true;
      this.#value = "";
    }
    if (name === "mergeCell" && this.#merged.length < SHEET_ROWS_MAX) this.#merged.push(attributes().ref ?? "");
  }

  text(piece: string): void {
    if (this.#isValue) this.#value += piece;
    else this.#inline.add(piece);
  }

  close(name: string): void {
    if (name === "v") this.#isValue = false;
    const text = this.#inline.close(name);
    if (text !== null) {
      this.#text = text;
      this.#isStruck ||= this.#inline.isStruck;
    }
    if (name === "c") this.#keep(this.#textOfCell());
  }

  #noteColumns({ min, max, hidden }: { [name: string]: string }): void {
    if (!isOn(hidden)) return;
    for (let column = Number(min); column <= Math.min(Number(max), COLUMNS_MAX); column += 1)
      this.#hiddenColumns.add(column - 1);
  }

  /** Returns the content of the cell, as text. */
  #textOfCell(): string {
    const value = this.#value;
    const { t = "n", s = "0" } = this.#cell;
    if (this.#text !== null) return this.#text;
    if (value === null || value === "") {
      if (this.#isFormula && t !== "str") count(this.#empty, this.#name());
      return "";
    }
    if (t === "s") {
      this.#isStruck ||= this.#struckShared.has(Number(value));
      return this.#shared[Number(value)] ?? "";
    }
    if (t === "b") return isOn(value) ? "TRUE" : "FALSE";
    if (t === "d") return value.replace(/T00:00(?::00(?:\.0+)?)?Z?$/, "");
    if (t !== "n" || value.trim() === "" || !Number.isFinite(Number(value))) return withCharacters(value);
    const format = this.#formats[Number(s)] ?? cellFormat(0, undefined);
    const { text, shows } = numberText(Number(value), format, this.#day0);
    if (shows) count(this.#overDays, `${this.#name()} shows ${shows} and holds ${text}`);
    return text;
  }

  #name(): string {
    return `${columnName(this.#column)}${this.#row}`;
  }

  #keep(text: string): void {
    if (text.trim() === "") return;
    if (this.#column >= COLUMNS_MAX) throw this.#beyond(`${COLUMNS_MAX} columns`);
    let cells = this.#rows.get(this.#row);
    if (!cells) {
      if (this.#rows.size >= SHEET_ROWS_MAX) throw this.#beyond(`${ROWS_MAX.toLocaleString("en")} rows`);
      cells = [];
      this.#rows.set(this.#row, cells);
      if (this.#isRowHidden) this.#hidden += 1;
    }
    if (this.#hiddenColumns.has(this.#column)) this.#usedHidden.add(this.#column);
    if (this.#isStruck) count(this.#struck, this.#name());
    this.#characters += text.length;
    if (this.#characters > CHARACTERS_MAX) throw this.#beyond("3 million characters");
    while (cells.length < this.#column) cells.push("");
    cells[this.#column] = text;
  }

  #beyond(most: string): AppError {
    const message = `Cell ${this.#name()} is beyond what can be imported at once: at most ${most} of a sheet. Delete what does not belong to the table, or copy its rows to a new workbook in parts.`;
    return new AppError("invalid", message);
  }

  /** The rows in their order; in each merged cell that goes down, its text or date in every row. */
  rows(): ReadRow[] {
    for (const ref of this.#merged) {
      const [first, last] = ref.split(":").map(placeOf);
      if (!first || !last || first.column >= COLUMNS_MAX) continue;
      const text = this.#rows.get(first.row)?.[first.column] ?? "";
      // Hours that span rows are those of one of them.
      if (text === "" || /^(?!\d{4}-\d\d-\d\d)[-+.,\d]/.test(text)) continue;
      for (let row = first.row + 1; row <= Math.min(last.row, first.row + SHEET_ROWS_MAX); row += 1) {
        const cells = this.#rows.get(row);
        if (!cells || cells[first.column]) continue;
        this.#characters += text.length;
        if (this.#characters > CHARACTERS_MAX) return this.#inOrder();
        while (cells.length < first.column) cells.push("");
        cells[first.column] = text;
      }
    }
    return this.#inOrder();
  }

  #inOrder(): ReadRow[] {
    return [...this.#rows]
      .sort(([one], [other]) => one - other)
      .map(([number, cells]) => ({ number, cells, width: cells.length }));
  }

  notes(): Note[] {
    const note = (rows: number, message: string) => (rows > 0 ? [{ column: "", message, rows }] : []);
    return [
      ...note(
        this.#empty.count,
        `A formula in ${this.#empty.first} has no saved value, and is read as empty. Open the file in a spreadsheet, save it and upload it again.`,
      ),
      ...note(this.#overDays.count, `Cell ${this.#overDays.first}: its format hides whole days.`),
      ...note(this.#hidden, "Rows that are hidden in the sheet are read, too."),
      ...note(
        this.#usedHidden.size > 0 ? 1 : 0,
        `Columns that are hidden in the sheet are read, too: ${[...this.#usedHidden].map(columnName).join(", ")}.`,
      ),
      ...note(
        this.#struck.count,
        `Cells that are struck through are read, too. The first one is ${this.#struck.first}.`,
      ),
    ];
  }
}

function count(found: { count: number; first: string }, first: string): void {
  found.count += 1;
  found.first ||= first;
}

/** Row from 1 and column from 0 of a reference such as `B4`; null for any other text. */
function placeOf(reference: string): { row: number; column: number } | null {
  const [, letters, row] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference) ?? [];
  if (!letters) return null;
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return { row: Number(row), column };
}
