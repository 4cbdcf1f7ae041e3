import { Document, Page, Text, View } from "@react-pdf/renderer";
import type { Style } from "@react-pdf/stylesheet";
import { mm, styles } from "./document-styles.ts";
import type { Form } from "./form.ts";
import { broughtLabel, runningLabel, THIS_PAGE } from "./form-words.ts";
import { Grid } from "./grid.tsx";
import { Scale } from "./marks.tsx";
import { Closing, Footer, notesOf } from "./page-foot.tsx";
import { COLUMNS, closingHeight, FACT, roomOnPage, SIGNED } from "./paper.ts";
import { Row, SumsCells } from "./rows.tsx";
import { laidRows, type Sheet, sheetsOf } from "./sheets.ts";
import { type OnWord, Typed, typedLines } from "./typed.tsx";
import type { Typeface } from "./typeface.ts";

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
          <Footer form={form} page={sheet.number} pages={sheets.length} hasBoxes={typeface.hasBoxes} />
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
    texts: row.texts.map(legible),
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
  const { dates, hours, supervisor } = COLUMNS[form.kind];
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
