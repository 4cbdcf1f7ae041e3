import { Canvas, Document, Page, StyleSheet, Text, type TextProps, View } from "@react-pdf/renderer";
import type { Style } from "@react-pdf/stylesheet";
import { formatDate } from "#app/calendar-date.ts";
import { BOX, LATIN } from "#app/pdf/fonts/embedded-font.ts";
import { linesOf } from "#app/pdf/lines.ts";
import { type LaidRow, laidRows, type Sheet, type Sums, sheetsOf, shownSums } from "#app/pdf/sheets.ts";
import { formatHours } from "#app/records/hours.ts";
import { datesOf, type Form } from "./form.ts";
import {
  boxNote,
  broughtLabel,
  checkAt,
  legendOf,
  NO_CODE,
  pageOf,
  remarksOf,
  runningLabel,
  SIGNED_STATEMENT,
  THIS_PAGE,
} from "./form-words.ts";
import { Mark, MM, type Pen, QrCode, Scale } from "./marks.tsx";
import {
  BOTTOM,
  COLUMN_HEADS,
  closingHeight,
  DOUBLE,
  FACT,
  HOURS_WIDTH,
  inEm,
  LINE_HEIGHT,
  MARGIN,
  MODULE,
  PADDING,
  roomOnPage,
  rowHigh,
  SIGNED,
  SIZE,
  SMALL,
  STATEMENT_MODULE,
  SUPERVISOR,
  TOP,
  widthsOf,
} from "./paper.ts";
import type { Face, Typeface } from "./typeface.ts";

const mm = (length: number) => `${length}mm`;
const ink = "#000";
const faint = "#333";
const line = `0.3mm solid ${ink}`;

/** Hours of so many characters fit their column; longer ones are set smaller. */
const DIGITS = 6;

const cell = {
  paddingHorizontal: mm(PADDING.side),
  paddingVertical: mm(PADDING.top),
  fontSize: SIZE,
  lineHeight: LINE_HEIGHT, // counts only beside its own fontSize
};
const small = { fontSize: SMALL, lineHeight: LINE_HEIGHT };
const row = { flexDirection: "row", height: mm(rowHigh(1)) } as const;

const styles = StyleSheet.create({
  page: {
    paddingTop: mm(TOP),
    paddingHorizontal: mm(MARGIN),
    fontFamily: LATIN,
    fontSize: SIZE,
    color: ink,
  },
  label: { ...small, color: faint },
  small,
  smallBold: { ...small, fontWeight: 700, fontSize: 9 },

  heading: { flexDirection: "row", alignItems: "flex-end", paddingBottom: mm(0.5) },
  title: { flex: 1, fontWeight: 700, fontSize: 17, letterSpacing: -0.3, lineHeight: 1.15 },
  fact: { maxWidth: mm(FACT.width), marginLeft: mm(10) },
  // An empty one keeps its line.
  factValue: { fontSize: FACT.size, lineHeight: LINE_HEIGHT, minHeight: FACT.size * LINE_HEIGHT },

  columnHeads: { flexDirection: "row", height: mm(COLUMN_HEADS) },
  columnHead: { justifyContent: "center", paddingVertical: 0 },
  columnHeadText: { fontWeight: 700, fontSize: 8, lineHeight: 1.1 },

  row,
  cell,
  texts: { ...cell, flex: 1 },
  text: { fontSize: SIZE, lineHeight: LINE_HEIGHT },
  hours: { ...cell, paddingLeft: mm(0.5), paddingRight: mm(1.2), textAlign: "right" },
  supervisorCell: { ...cell, paddingLeft: mm(SUPERVISOR.before) },
  marked: { flexDirection: "row" },
  supervisorName: { flex: 1, fontSize: SIZE, lineHeight: LINE_HEIGHT },
  domain: {
    width: mm(SUPERVISOR.domain),
    fontSize: SMALL,
    lineHeight: (SIZE * LINE_HEIGHT) / SMALL,
    // It must not take room: the library leaves out lines that do not fit into their row.
    top: mm(0.35),
  },

  notes: small,

  brought: { ...row, fontStyle: "italic" },
  sums: row,
  running: { ...row, height: mm(rowHigh(1) + DOUBLE), fontWeight: 700 },

  closing: { flexDirection: "row", justifyContent: "space-between" },
  signature: { paddingTop: mm(7) },
  statement: { fontSize: 10.5, lineHeight: LINE_HEIGHT },
  signatureLines: { flexDirection: "row", alignItems: "flex-end", paddingTop: mm(10) },
  signatureLine: { width: mm(SIGNED.width), marginRight: mm(10) },
  dateLine: { width: mm(50) },
  signed: { fontSize: SIGNED.size, lineHeight: LINE_HEIGHT, paddingBottom: mm(0.5) },
  underLine: { borderTop: line, paddingTop: mm(1) },
  signedStatement: { flexDirection: "row", paddingTop: mm(5) },
  signedStatementText: { width: mm(44), marginRight: mm(4) },

  footer: {
    position: "absolute",
    left: mm(MARGIN),
    right: mm(MARGIN),
    bottom: mm(BOTTOM),
    flexDirection: "row",
    justifyContent: "space-between",
    alignItems: "flex-end",
  },
  formCode: { fontWeight: 700, fontSize: 10, lineHeight: LINE_HEIGHT },
  legend: { flexDirection: "row", alignItems: "center" },
  check: { flexDirection: "row", alignItems: "flex-end" },
  checkText: { marginRight: mm(8) },
  checkCode: { fontWeight: 700, fontSize: 11, letterSpacing: 0.3, lineHeight: LINE_HEIGHT },
});

/** Called for each word that is laid out. */
type OnWord = () => void;

interface LinesProps {
  /** Legible ones. */
  lines: string[];
  face: Face;
  style?: TextProps["style"];
  onWord?: OnWord | undefined;
}

/** Lines of text typed by a user, in fonts that have its characters. */
function Lines({ lines, face, style = {}, onWord }: LinesProps) {
  const [first, ...others] = face.runsOf(lines.map((line) => line.trimEnd()).join("\n"));
  return (
    <Text
      style={[style, { fontFamily: first?.fontFamily, fontWeight: face.weight }]}
      // The lines are known before the library sees them, so it must not break words. It leaves out a line too many.
      hyphenationCallback={(word) => {
        onWord?.();
        return [word];
      }}
      // A change of the font ends a word too. With this penalty the library never breaks a line there.
      hyphenationPenalty={10_000}
    >
      {first?.text}
      {others.map(({ text, fontFamily }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a text have no other name
        <Text key={index} style={{ fontFamily }}>
          {text}
        </Text>
      ))}
    </Text>
  );
}

interface TypedProps {
  children: string;
  face: Face;
  style: TextProps["style"];
  /** The width of a line, in millimetres, and the size of its type. */
  width: number;
  size: number;
}

/** A text that is divided into lines here. */
function Typed({ children, face, style, width, size }: TypedProps) {
  return <Lines style={style} face={face} lines={typedLines(children, face, width, size)} />;
}

/** The lines of a text that `Typed` draws. */
function typedLines(text: string, face: Face, width: number, size: number): string[] {
  return linesOf(face.legible(text), face.widthOf, inEm(width, size));
}

/** Below the last row: what the technician signs, and the statement that the server signed. */
function Closing({ form, typeface }: { form: Form; typeface: Typeface }) {
  return (
    <View style={styles.closing}>
      <View style={styles.signature}>
        <Text style={styles.statement}>{form.statement}</Text>
        <View style={styles.signatureLines}>
          <View style={styles.signatureLine}>
            <Typed style={styles.signed} face={typeface.bold} {...SIGNED}>
              {form.signature}
            </Typed>
            <Text style={[styles.label, styles.underLine]}>Employee Signature</Text>
          </View>
          <View style={styles.dateLine}>
            <Typed style={styles.signed} face={typeface.bold} {...SIGNED}>
              {formatDate(form.day)}
            </Typed>
            <Text style={[styles.label, styles.underLine]}>Date</Text>
          </View>
        </View>
      </View>
      {form.proof?.statementQr && (
        <View style={styles.signedStatement}>
          <View style={styles.signedStatementText}>
            <Text style={styles.smallBold}>{SIGNED_STATEMENT.title}</Text>
            <Text style={styles.small}>{SIGNED_STATEMENT.text}</Text>
          </View>
          <QrCode qr={form.proof.statementQr} module={STATEMENT_MODULE} />
        </View>
      )}
    </View>
  );
}

interface FooterProps {
  form: Form;
  sheet: Sheet;
  pages: number;
  /** Whether a character of the form is drawn as a box. */
  hasBoxes: boolean;
}

/** How many lines the notes of a footer have, at most. */
const notesOf = (form: Form, hasBoxes: boolean) =>
  legendOf(form).length + remarksOf(form, true).length + (hasBoxes ? 1 : 0);

function Footer({ form, sheet: { number, isLast }, pages, hasBoxes }: FooterProps) {
  const { proof } = form;
  return (
    <View style={styles.footer}>
      <View>
        {form.code && <Text style={styles.formCode}>{form.code}</Text>}
        <Text style={styles.label}>{pageOf(number, pages)}</Text>
      </View>
      <View>
        {legendOf(form).map(({ mark, text }) => (
          <View key={text} style={styles.legend}>
            <Mark via={mark} />
            <Text style={styles.small}>{text}</Text>
          </View>
        ))}
        {hasBoxes && (
          <View style={styles.legend}>
            <Text style={[styles.small, { width: mm(SUPERVISOR.via) }]}>{BOX}</Text>
            <Text style={styles.small}>{boxNote(form)}</Text>
          </View>
        )}
        {remarksOf(form, isLast).map((remark) => (
          <Text key={remark} style={styles.small}>
            {remark}
          </Text>
        ))}
      </View>
      {proof ? (
        <View style={styles.check}>
          <View style={styles.checkText}>
            <Text style={styles.small}>{checkAt(proof)}</Text>
            <Text style={styles.checkCode}>{proof.code}</Text>
          </View>
          <QrCode qr={proof.qr} module={MODULE} />
        </View>
      ) : (
        <Text style={styles.small}>{NO_CODE}</Text>
      )}
    </View>
  );
}

interface RowProps {
  form: Form;
  laid: LaidRow;
  face: Face;
  onWord?: OnWord | undefined;
}

function Row({ form, laid, face, onWord }: RowProps) {
  const { row, isFirst, texts } = laid;
  const { dates, supervisor } = widthsOf(form.name);
  return (
    <View style={[styles.row, { height: mm(laid.height) }]}>
      <Text style={[styles.cell, { width: mm(dates) }]}>{isFirst ? datesOf(row, " to\n") : ""}</Text>
      {texts.map((lines, index) => (
        <View key={form.texts[index]} style={styles.texts}>
          <Lines lines={lines} style={styles.text} face={face} onWord={onWord} />
          {index === 0 && laid.times.length > 0 && <Lines style={styles.notes} lines={laid.times} face={face} />}
        </View>
      ))}
      <HoursCell form={form} column={row.column}>
        {isFirst && row.hundredths !== null ? formatHours(row.hundredths) : ""}
      </HoursCell>
      <View style={[styles.supervisorCell, { width: mm(supervisor) }]}>
        <View style={styles.marked}>
          {isFirst && !row.via && <Mark via={null} top={0.9} />}
          <Lines style={styles.supervisorName} lines={laid.supervisor} face={face} />
          {isFirst && row.via && <Mark via={row.via} top={0.9} />}
          {row.via && !laid.isDomainBelow && <Lines style={styles.domain} lines={laid.domain} face={face} />}
        </View>
        {laid.notes.length > 0 && <Lines style={styles.notes} lines={laid.notes} face={face} />}
      </View>
    </View>
  );
}

interface SumsCellsProps {
  form: Form;
  label: string;
  sums: Sums;
  /** The totals of the whole form show a column without hours too. */
  isTotal?: boolean;
}

/** A row of sums: of each column, and of all if there are several. */
function SumsCells({ form, label, sums, isTotal = false }: SumsCellsProps) {
  const { hours, total } = shownSums(sums);
  return (
    <>
      <Text style={styles.texts}>{label}</Text>
      {form.columns.map((column, index) => (
        <HoursCell key={column} form={form}>
          {sums.columns[index] || isTotal ? hours[index] : ""}
        </HoursCell>
      ))}
      <Text style={[styles.supervisorCell, { width: mm(widthsOf(form.name).supervisor) }]}>
        {form.columns.length > 1 ? total : ""}
      </Text>
    </>
  );
}

/** @param column where it stands; before it are empty columns */
function HoursCell({ form, children = "", column }: { form: Form; children?: string; column?: number }) {
  const width = widthsOf(form.name).hours;
  const digits = (DIGITS * width) / HOURS_WIDTH;
  const place =
    column === undefined
      ? {}
      : { marginLeft: mm(column * width), marginRight: mm((form.columns.length - 1 - column) * width) };
  const style = [styles.hours, { width: mm(width), ...place }];
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
      paint={(pen: Pen, width) => {
        paintGrid(pen, form, sheet, width / MM);
        return null;
      }}
    />
  );
}

/** In millimetres. */
function paintGrid(points: Pen, form: Form, { rows, brought }: Sheet, width: number): void {
  const pen = points.scale(MM);
  const across = (y: number) => pen.moveTo(0, y).lineTo(width, y);
  const down = (x: number, bottom: number) => pen.moveTo(x, 0).lineTo(x, bottom);

  let y = COLUMN_HEADS + (brought ? rowHigh(1) : 0);
  const lines = brought ? [y] : [];
  for (const [index, { height, isShaded }] of rows.entries()) {
    if (isShaded) pen.rect(0, y, width, height).fill("#f1f1ee");
    y += height;
    // The parts of a long row are not divided.
    if (rows[index + 1]?.isFirst) lines.push(y);
  }
  const thisPage = y + rowHigh(1);
  const running = thisPage + rowHigh(1);

  const { hours, supervisor } = widthsOf(form.name);
  pen.lineWidth(0.15);
  for (const column of [...form.columns.keys(), form.columns.length])
    down(width - supervisor - column * hours, running);
  for (const line of lines) across(line);
  pen.stroke("#aaa");
  across(y);
  across(thisPage).stroke("#000");
  pen.lineWidth(0.3);
  across(0);
  across(COLUMN_HEADS);
  across(running);
  across(running + DOUBLE).stroke("#000");
}

interface FormDocumentProps {
  form: Form;
  /** Its fonts are loaded. */
  typeface: Typeface;
  /** Called again and again while the page with this number is laid out, which takes longest. */
  onPage?: (page: number, pages: number) => void;
}

/**
 * A form as a PDF (spec section 9): A4 landscape, any number of records. Each page is given to the library with its
 * rows, so it divides nothing: with its repeated elements (`fixed`, `layout`) 400 entries take several times as long.
 */
export function FormDocument({ form, typeface, onPage }: FormDocumentProps) {
  const sheets = pdfSheets(form, typeface);
  return (
    <Document
      title={form.title}
      author={form.employeeName}
      creator="Hours Tracker"
      producer="Hours Tracker"
      language="en"
    >
      {sheets.map((sheet) => (
        <Page key={sheet.number} size="A4" orientation="landscape" style={styles.page}>
          <Heading form={form} typeface={typeface} />
          <Table form={form} sheet={sheet} typeface={typeface} onWord={() => onPage?.(sheet.number, sheets.length)} />
          {sheet.isLast && <Closing form={form} typeface={typeface} />}
          <Footer form={form} sheet={sheet} pages={sheets.length} hasBoxes={typeface.hasBoxes} />
        </Page>
      ))}
    </Document>
  );
}

/** The sheets of the PDF, as long as its fonts make them. */
function pdfSheets(form: Form, typeface: Typeface): Sheet[] {
  const linesOf = (text: string, { width, size }: typeof FACT) => typedLines(text, typeface.bold, width, size).length;
  const facts = Math.max(linesOf(form.employeeName, FACT), linesOf(form.employeeNumber, FACT));
  const { legible, widthOf } = typeface.regular;
  const rows = form.rows.map((row) => ({
    ...row,
    texts: row.texts.map((text) => text.split("\n").map(legible).join("\n")),
    supervisor: legible(row.supervisor),
    ...(row.domain && { domain: legible(row.domain) }),
    ...(row.notes && { notes: row.notes.map(legible) }),
  }));
  const laid = laidRows({ ...form, rows }, widthOf);
  return sheetsOf(form, laid, {
    rows: roomOnPage(facts, form.proof?.qr.size ?? null, notesOf(form, typeface.hasBoxes)),
    closing: closingHeight(linesOf(form.signature, SIGNED), form.proof?.statementQr?.size ?? null),
  });
}

/** On every page, so that a single page still names its technician. */
function Heading({ form, typeface }: FormDocumentProps) {
  return (
    <>
      <View style={styles.heading}>
        <Text style={styles.title}>{form.title}</Text>
        <Fact label="Employee Name" value={form.employeeName} typeface={typeface} />
        <Fact label="Employee Number" value={form.employeeNumber} typeface={typeface} />
      </View>
      <Scale />
    </>
  );
}

function Fact({ label, value, typeface }: { label: string; value: string; typeface: Typeface }) {
  return (
    <View style={styles.fact}>
      <Text style={styles.label}>{label}</Text>
      <Typed style={styles.factValue} face={typeface.bold} {...FACT}>
        {value}
      </Typed>
    </View>
  );
}

/** The table of a sheet: its column heads, rows and sums, and the lines behind them all. */
function Table({ form, sheet, typeface, onWord }: FormDocumentProps & { sheet: Sheet; onWord: OnWord }) {
  return (
    <View>
      <Grid form={form} sheet={sheet} />
      <ColumnHeads form={form} />
      {sheet.brought && (
        <View style={styles.brought}>
          <SumsCells form={form} label={broughtLabel(sheet)} sums={sheet.brought} />
        </View>
      )}
      {sheet.rows.map((laid) => (
        <Row key={laid.key} form={form} laid={laid} face={typeface.regular} onWord={onWord} />
      ))}
      <View style={styles.sums}>
        <SumsCells form={form} label={THIS_PAGE} sums={sheet.sums} />
      </View>
      <View style={styles.running}>
        <SumsCells form={form} label={runningLabel(sheet)} sums={sheet.running} isTotal={sheet.isLast} />
      </View>
    </View>
  );
}

function ColumnHeads({ form }: { form: Form }) {
  const { dates, hours, supervisor } = widthsOf(form.name);
  const head = (text: string, style: Style) => (
    <View key={text} style={[style, styles.columnHead]}>
      <Text style={styles.columnHeadText}>{text}</Text>
    </View>
  );
  return (
    <View style={styles.columnHeads}>
      {head(form.dates, { ...styles.cell, width: mm(dates) })}
      {form.texts.map((text) => head(text, styles.texts))}
      {form.columns.map((column) => head(column, { ...styles.hours, width: mm(hours), paddingLeft: mm(2.5) }))}
      {head(form.supervisors, { ...styles.supervisorCell, width: mm(supervisor) })}
    </View>
  );
}
