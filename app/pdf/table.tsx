import { Canvas, StyleSheet, Text, View } from "@react-pdf/renderer";
import { formatHours } from "#app/records/hours.ts";
import { counted } from "#app/ui/counted.ts";
import { datesOf, type Form } from "./form.ts";
import { broughtLabel, runningLabel, runWords, THIS_PAGE, viaLabel } from "./form-words.ts";
import { Mark, MM, type Pen } from "./marks.tsx";
import {
  CELL,
  COLUMN_HEADS,
  HOURS_WIDTH,
  LINE_HEIGHT,
  NOTE,
  PADDING,
  RUN,
  rowHigh,
  SIZE,
  SMALL,
  SUM,
  widthsOf,
} from "./paper.ts";
import { type Sums, shownSums, sumsByVia } from "./runs.ts";
import type { Block, CellLine, LaidRow, Sheet } from "./sheets.ts";
import { Lines, mm, type OnWord } from "./text.tsx";
import type { Typeface } from "./typeface.ts";

/* The table of a sheet of the PDF. */

/** The most characters of hours that fit their column; longer ones are set smaller. */
const DIGITS = 6;

const cell = {
  paddingHorizontal: mm(PADDING.side),
  paddingVertical: mm(PADDING.top),
  fontSize: SIZE,
  lineHeight: LINE_HEIGHT, // counts only beside its own fontSize
};
const note = { fontSize: NOTE, lineHeight: LINE_HEIGHT };

const styles = StyleSheet.create({
  columnHeads: { flexDirection: "row", height: mm(COLUMN_HEADS), alignItems: "center" },
  columnHead: { ...cell, paddingVertical: 0, fontWeight: 700, fontSize: 7.5, lineHeight: 1.1 },

  block: { flexDirection: "row" },
  rest: { flex: 1 },
  run: { flexDirection: "row", alignItems: "center", height: mm(rowHigh(1)), paddingHorizontal: mm(PADDING.side) },
  when: { ...note, width: mm(RUN.when) },
  how: { flexDirection: "row", alignItems: "center", width: mm(RUN.how) },
  note,
  count: { ...note, flex: 1 },
  id: { ...note, fontWeight: 700 },
  runNotes: { ...note, paddingHorizontal: mm(PADDING.side) },

  row: { flexDirection: "row" },
  cell,
  texts: { ...cell, flex: 1 },
  text: { fontSize: SIZE, lineHeight: LINE_HEIGHT },
  below: { fontSize: SMALL, lineHeight: LINE_HEIGHT },
  hours: { ...cell, paddingLeft: mm(0.5), paddingRight: mm(1.2), textAlign: "right" },

  supervisorCell: { paddingHorizontal: mm(PADDING.side), paddingTop: mm(CELL.top) },
  supervisorLine: { height: mm(CELL.line) },
  name: { fontSize: SIZE, lineHeight: (CELL.line * MM) / SIZE },
  said: { fontSize: NOTE, lineHeight: (CELL.line * MM) / NOTE },
  // No Japanese font has italics, so every script leans in the same way.
  entered: { transform: "skewX(-12deg)" },

  sums: { flexDirection: "row", alignItems: "center" },
  sumsLabel: { flex: 1, flexDirection: "row", alignItems: "center", paddingHorizontal: mm(PADDING.side) },
  bold: { fontWeight: 700 },
});

interface TableProps {
  form: Form;
  sheet: Sheet;
  typeface: Typeface;
  onWord: OnWord;
}

/** The table of a sheet: its column heads, runs and sums, and the lines behind them all. */
export function Table({ form, sheet, typeface, onWord }: TableProps) {
  return (
    <View>
      <Grid form={form} sheet={sheet} />
      <ColumnHeads form={form} />
      {sheet.brought && <SumsRow form={form} label={broughtLabel(sheet)} sums={sheet.brought} height={SUM.page} />}
      {sheet.blocks.map((block) => (
        <RunBlock key={block.run.key} form={form} block={block} typeface={typeface} onWord={onWord} />
      ))}
      {sumsRowsOf(form, sheet).map((row) => (
        <SumsRow key={row.label} form={form} {...row} />
      ))}
    </View>
  );
}

function ColumnHeads({ form }: { form: Form }) {
  const { dates, hours, supervisor } = widthsOf(form.name);
  return (
    <View style={styles.columnHeads}>
      <Text style={[styles.columnHead, { width: mm(dates) }]}>{form.dates}</Text>
      {form.texts.map((text) => (
        <Text key={text} style={[styles.columnHead, { flex: 1 }]}>
          {text}
        </Text>
      ))}
      {form.columns.map((column) => (
        <Text
          key={column}
          style={[styles.columnHead, { width: mm(hours), paddingLeft: 0, paddingRight: mm(1.2), textAlign: "right" }]}
        >
          {column}
        </Text>
      ))}
      <Text style={[styles.columnHead, { width: mm(supervisor) }]}>{form.supervisors}</Text>
    </View>
  );
}

interface RunBlockProps {
  form: Form;
  block: Block;
  typeface: Typeface;
  onWord: OnWord;
}

/** The rows of one answer below one line, beside the cell of the supervisor. */
function RunBlock({ form, block: { run, rows, height, isContinued }, typeface, onWord }: RunBlockProps) {
  const { when, how, count } = runWords(run, isContinued);
  const { regular } = typeface;
  return (
    <View style={[styles.block, { height: mm(height) }]}>
      <View style={styles.rest}>
        <View style={styles.run}>
          <Text style={styles.when}>{when}</Text>
          <View style={styles.how}>
            <Mark via={run.via} />
            <Text style={styles.note}>{how}</Text>
          </View>
          <Lines style={styles.count} face={regular} lines={[regular.legible(count)]} />
          {run.verificationId && <Text style={styles.id}>{run.verificationId}</Text>}
        </View>
        {run.noteLines.length > 0 && <Lines style={styles.runNotes} face={regular} lines={run.noteLines} />}
        {rows.map((laid) => (
          <Row key={laid.key} form={form} laid={laid} typeface={typeface} onWord={onWord} />
        ))}
      </View>
      <View style={[styles.supervisorCell, { width: mm(widthsOf(form.name).supervisor) }]}>
        {run.cell.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a cell have an order and nothing else
          <SupervisorLine key={index} line={line} typeface={typeface} />
        ))}
      </View>
    </View>
  );
}

function SupervisorLine({
  line: { text, as, domain },
  typeface: { regular, bold },
}: {
  line: CellLine;
  typeface: Typeface;
}) {
  const beside = domain === undefined ? undefined : { text: domain, face: regular, size: NOTE };
  if (as === "name") return <Lines style={styles.name} face={bold} lines={[text]} beside={beside} />;
  return <Lines style={as === "entered" ? [styles.said, styles.entered] : styles.said} face={regular} lines={[text]} />;
}

interface RowProps {
  form: Form;
  laid: LaidRow;
  typeface: Typeface;
  onWord: OnWord;
}

function Row({ form, laid, typeface: { regular }, onWord }: RowProps) {
  const { row, isFirst, texts, beside, below } = laid;
  return (
    <View style={[styles.row, { height: mm(laid.height) }]}>
      <Text style={[styles.cell, { width: mm(widthsOf(form.name).dates) }]}>
        {isFirst ? datesOf(row, " to\n") : ""}
      </Text>
      {texts.map((lines, index) => (
        <View key={form.texts[index]} style={styles.texts}>
          <Lines
            lines={lines}
            style={styles.text}
            face={regular}
            onWord={onWord}
            beside={index === 0 && beside ? { text: `· ${beside}`, face: regular, size: SMALL } : undefined}
          />
          {index === 0 && below.length > 0 && <Lines style={styles.below} lines={below} face={regular} />}
        </View>
      ))}
      {form.columns.length > 0 && (
        <HoursCell form={form} column={row.column}>
          {isFirst && row.hundredths !== null ? formatHours(row.hundredths) : ""}
        </HoursCell>
      )}
    </View>
  );
}

interface SumsRowProps {
  form: Form;
  label: string;
  sums: Sums;
  /** In millimetres. */
  height: number;
  /** How many records it sums up, and how they were verified. */
  count?: number;
  via?: "mailbox" | "link";
  /** The totals of the whole form show a column without hours too. */
  isTotal?: boolean;
  isBold?: boolean;
}

/** The rows of sums below those of a sheet. */
function sumsRowsOf(form: Form, sheet: Sheet): Omit<SumsRowProps, "form">[] {
  const { isLast, sums, running, number } = sheet;
  if (form.columns.length === 0) return [];
  const ways = isLast ? sumsByVia(form) : [];
  const thisPage = { label: THIS_PAGE, sums, height: SUM.page };
  return [
    ...(isLast && number === 1 ? [] : [thisPage]),
    ...ways.map(({ via, count, sums }) => ({ label: viaLabel(via), via, count, sums, height: SUM.via })),
    {
      ...{ label: runningLabel(sheet), sums: running, height: SUM.total, isTotal: isLast, isBold: true },
      ...(isLast && { count: form.rows.length }),
    },
  ];
}

/** A row of sums: of each column, and of all if there are several. */
function SumsRow({ form, label, sums, height, count, via, isTotal = false, isBold = false }: SumsRowProps) {
  const { hours, total } = shownSums(sums);
  const weight = isBold ? styles.bold : {};
  const all = form.columns.length > 1 ? total : "";
  return (
    <View style={[styles.sums, { height: mm(height) }]}>
      <View style={styles.sumsLabel}>
        {via && <Mark via={via} />}
        <Text style={[styles.text, weight]}>{label}</Text>
      </View>
      {form.columns.map((column, index) => (
        <HoursCell key={column} form={form} isBold={isBold}>
          {sums.columns[index] || isTotal ? hours[index] : ""}
        </HoursCell>
      ))}
      <View style={[styles.row, styles.cell, { width: mm(widthsOf(form.name).supervisor) }]}>
        {all !== "" && <Text style={[styles.text, count === undefined ? weight : styles.bold]}>{all}</Text>}
        {count !== undefined && (
          <Text style={[styles.text, { paddingLeft: all ? mm(1.2) : 0 }]}>{counted(count, "record")}</Text>
        )}
      </View>
    </View>
  );
}

interface HoursCellProps {
  form: Form;
  children?: string | undefined;
  /** Its column; before it are empty columns. */
  column?: number;
  isBold?: boolean;
}

function HoursCell({ form, children = "", column, isBold = false }: HoursCellProps) {
  const width = widthsOf(form.name).hours;
  const digits = (DIGITS * width) / HOURS_WIDTH;
  const place =
    column === undefined
      ? {}
      : { marginLeft: mm(column * width), marginRight: mm((form.columns.length - 1 - column) * width) };
  const style = [styles.hours, { width: mm(width), ...place }, isBold ? styles.bold : {}];
  if (!children) return <View style={style} />;
  const size = children.length > digits ? { fontSize: (SIZE * digits) / children.length } : {};
  return <Text style={[...style, size]}>{children}</Text>;
}

/**
 * The lines and the shading of a sheet's table, drawn at once behind its texts. As borders of each cell they are a third
 * of the file. Every row has the height that it was laid out with.
 */
function Grid({ form, sheet }: { form: Form; sheet: Sheet }) {
  const style = { position: "absolute", top: 0, bottom: 0, left: 0, right: 0 } as const;
  return (
    <Canvas
      style={style}
      paint={(pen: Pen) => {
        paintGrid(pen.scale(MM), form, sheet);
        return null;
      }}
    />
  );
}

const COLOURS = { run: "#e9eae6", shade: "#f6f6f4", thin: "#bbb", ink: "#000" };

/** Draws the grid. All lengths are in millimetres. */
function paintGrid(pen: Pen, form: Form, sheet: Sheet): void {
  const { hours, supervisor, rest } = widthsOf(form.name);
  const width = rest + supervisor;
  const columns = Array.from({ length: form.columns.length }, (_, index) => rest - (index + 1) * hours);
  const thin: [from: [number, number], to: [number, number]][] = [];
  const bold = [COLUMN_HEADS];
  const down = (xs: number[], top: number, bottom: number) => {
    for (const x of xs)
      thin.push([
        [x, top],
        [x, bottom],
      ]);
  };

  let y = COLUMN_HEADS;
  down([...columns, rest], 0, y);
  if (sheet.brought) {
    down([...columns, rest], y, y + SUM.page);
    y += SUM.page;
  }
  for (const { run, rows, height } of sheet.blocks) {
    bold.push(y);
    const end = y + height;
    pen.rect(0, y, rest, run.head).fill(COLOURS.run);
    let row = y + run.head;
    down(columns, row, end);
    down([rest], y, end);
    for (const [index, laid] of rows.entries()) {
      const next = rows[index + 1];
      const bottom = next ? row + laid.height : end;
      if (laid.isShaded) pen.rect(0, row, rest, bottom - row).fill(COLOURS.shade);
      // The parts of a long row are not divided.
      if (next?.isFirst)
        thin.push([
          [0, bottom],
          [rest, bottom],
        ]);
      row = bottom;
    }
    y = end;
  }
  const sums = sumsRowsOf(form, sheet);
  const top = y;
  for (const { height, via } of sums) {
    if (via && via !== sums.find((row) => row.via)?.via)
      thin.push([
        [0, y],
        [width, y],
      ]);
    else bold.push(y);
    y += height;
  }
  down([...columns, rest], top, y);

  pen.lineWidth(0.15);
  for (const [[left, top], [right, bottom]] of thin) pen.moveTo(left, top).lineTo(right, bottom);
  pen.stroke(COLOURS.thin);
  pen.lineWidth(0.25);
  for (const at of bold) pen.moveTo(0, at).lineTo(width, at);
  pen.stroke(COLOURS.ink);
  pen.lineWidth(0.5);
  for (const at of [0, y]) pen.moveTo(0, at).lineTo(width, at);
  pen.stroke(COLOURS.ink);
}
