import { Document, Page, StyleSheet, Text, View } from "@react-pdf/renderer";
import { formatDate } from "#app/calendar-date.ts";
import { BOX, LATIN } from "#app/pdf/fonts/embedded-font.ts";
import { laidRows, type Sheet, sheetsOf } from "#app/pdf/sheets.ts";
import type { Form } from "./form.ts";
import {
  boxNote,
  checkAt,
  LAYOUT,
  legendOf,
  NO_CODE,
  pageOf,
  remarksOf,
  saidBy,
  signedStatement,
  WORTH,
  worthsOf,
} from "./form-words.ts";
import { linesOf } from "./lines.ts";
import { Mark, QrCode } from "./marks.tsx";
import {
  BOTTOM,
  CLOSING,
  closingHeight,
  FACT,
  footerHigh,
  inEm,
  LINE_HEIGHT,
  MARGIN,
  MARK,
  MODULE,
  NOTE,
  PAPER,
  roomOnPage,
  SIGNED,
  SIZE,
  SMALL,
  TOP,
} from "./paper.ts";
import { Table } from "./table.tsx";
import { mm, Typed, typedLines } from "./text.tsx";
import type { Typeface } from "./typeface.ts";

const ink = "#000";
const faint = "#333";
const line = `0.35mm solid ${ink}`;

const note = { fontSize: NOTE, lineHeight: LINE_HEIGHT };
const small = { fontSize: SMALL, lineHeight: LINE_HEIGHT };

const styles = StyleSheet.create({
  page: { paddingTop: mm(TOP), paddingHorizontal: mm(MARGIN), fontFamily: LATIN, fontSize: SIZE, color: ink },
  label: { ...small, color: faint },
  note,

  heading: { flexDirection: "row", alignItems: "flex-end", paddingBottom: mm(2) },
  title: { flex: 1, fontWeight: 700, fontSize: 15, letterSpacing: -0.2, lineHeight: 1.1 },
  fact: { maxWidth: mm(FACT.width), marginLeft: mm(10) },
  // An empty one keeps its line.
  factValue: { fontSize: FACT.size, lineHeight: LINE_HEIGHT, minHeight: FACT.size * LINE_HEIGHT },

  closing: { flexDirection: "row", paddingTop: mm(CLOSING.top) },
  signature: { width: mm(CLOSING.signature), marginRight: mm(CLOSING.gap) },
  statement: { fontSize: 8.5, lineHeight: LINE_HEIGHT },
  signatureLines: { flexDirection: "row", alignItems: "flex-end", paddingTop: mm(11) },
  signatureLine: { width: mm(SIGNED.width), marginRight: mm(5) },
  dateLine: { width: mm(CLOSING.signature - SIGNED.width - 5) },
  signed: { fontSize: SIGNED.size, lineHeight: LINE_HEIGHT, paddingBottom: mm(0.8) },
  underLine: { borderTop: line, paddingTop: mm(0.8) },
  worth: { flex: 1 },
  closingTitle: { fontWeight: 700, fontSize: SIZE, lineHeight: LINE_HEIGHT, paddingBottom: mm(1) },
  worthLine: { ...note, paddingBottom: mm(1) },
  bold: { fontWeight: 700 },
  signedStatement: { flexDirection: "row", marginLeft: mm(CLOSING.gap) },
  signedStatementText: { width: mm(CLOSING.statement), marginRight: mm(4) },

  footer: {
    position: "absolute",
    left: mm(MARGIN),
    right: mm(MARGIN),
    bottom: mm(BOTTOM),
    flexDirection: "row",
    justifyContent: "space-between",
    alignItems: "flex-end",
  },
  formCode: { flexDirection: "row", alignItems: "baseline" },
  code: { fontWeight: 700, fontSize: 9, lineHeight: LINE_HEIGHT },
  layout: { ...small, color: faint, marginLeft: mm(1.5) },
  legend: { flexDirection: "row", alignItems: "center" },
  check: { flexDirection: "row", alignItems: "flex-end" },
  checkText: { marginRight: mm(5), alignItems: "flex-end" },
  checkCode: { fontWeight: 700, fontSize: 9, letterSpacing: 0.2, lineHeight: LINE_HEIGHT },
});

/** The width of what the sums are worth, and of the sentences in it. */
function worthWidth({ proof }: Form): number {
  const qr = proof?.statementQr;
  const statement = qr ? CLOSING.gap + CLOSING.statement + 4 + (qr.size - 8) * MODULE : 0;
  return Math.min(100, PAPER.width - 2 * MARGIN - CLOSING.signature - CLOSING.gap - statement);
}

/** Below the last row: what the technician signs, what the sums are worth, and the statement that the server signed. */
function Closing({ form, typeface }: { form: Form; typeface: Typeface }) {
  const { proof } = form;
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
      <Worth form={form} />
      {proof?.statementQr && (
        <View style={styles.signedStatement}>
          <View style={styles.signedStatementText}>
            <Text style={styles.closingTitle}>{signedStatement(proof).title}</Text>
            <Text style={styles.note}>{signedStatement(proof).text}</Text>
          </View>
          <QrCode qr={proof.statementQr} module={MODULE} />
        </View>
      )}
    </View>
  );
}

function Worth({ form }: { form: Form }) {
  const said = saidBy(form);
  return (
    <View style={styles.worth}>
      <View style={{ width: mm(worthWidth(form)) }}>
        <Text style={styles.closingTitle}>{WORTH}</Text>
        {worthsOf(form).map(({ via, name, text }) => (
          <Text key={via} style={styles.worthLine}>
            <Text style={styles.bold}>{name}</Text> {text}
          </Text>
        ))}
        {said && <Text style={styles.worthLine}>{Object.values(said).join(" ")}</Text>}
      </View>
    </View>
  );
}

/** Returns how many lines the explanations of the sums have. */
function worthLines(form: Form, { regular }: Typeface): number {
  const said = saidBy(form);
  const texts = [
    ...worthsOf(form).map(({ name, text }) => `${name} ${text}`),
    ...(said ? [Object.values(said).join(" ")] : []),
  ];
  return texts.reduce(
    (lines, text) => lines + linesOf(text, regular.widthOf, inEm(worthWidth(form) - 2, NOTE)).length,
    0,
  );
}

interface FooterProps {
  form: Form;
  sheet: Sheet;
  pages: number;
  /** Whether a character of the form is drawn as a box. */
  hasBoxes: boolean;
}

/** The height of the footer of the last sheet or of another one, in millimetres. */
const footerOf = (form: Form, { hasBoxes }: Typeface, isLast: boolean) =>
  footerHigh(form.proof?.qr.size ?? null, legendOf(form).length + remarksOf(form, isLast).length + (hasBoxes ? 1 : 0));

function Footer({ form, sheet: { number, isLast }, pages, hasBoxes }: FooterProps) {
  const { proof } = form;
  return (
    <View style={styles.footer}>
      <View>
        {form.code && (
          <View style={styles.formCode}>
            <Text style={styles.code}>{form.code}</Text>
            <Text style={styles.layout}>{LAYOUT}</Text>
          </View>
        )}
        <Text style={styles.label}>{pageOf(number, pages)}</Text>
      </View>
      <View>
        {legendOf(form).map(({ mark, text }) => (
          <View key={text} style={styles.legend}>
            <Mark via={mark} />
            <Text style={styles.note}>{text}</Text>
          </View>
        ))}
        {hasBoxes && (
          <View style={styles.legend}>
            <Text style={[styles.note, { width: mm(MARK.place) }]}>{BOX}</Text>
            <Text style={styles.note}>{boxNote(form)}</Text>
          </View>
        )}
        {remarksOf(form, isLast).map((remark) => (
          <Text key={remark} style={styles.note}>
            {remark}
          </Text>
        ))}
      </View>
      {proof ? (
        <View style={styles.check}>
          <View style={styles.checkText}>
            <Text style={styles.note}>{checkAt(proof)}</Text>
            <Text style={styles.checkCode}>{proof.code}</Text>
          </View>
          <QrCode qr={proof.qr} module={MODULE} />
        </View>
      ) : (
        <Text style={styles.note}>{NO_CODE}</Text>
      )}
    </View>
  );
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
  const qrSize = form.proof?.statementQr?.size ?? null;
  const footer = footerOf(form, typeface, false);
  const closing = closingHeight(linesOf(form.signature, SIGNED), worthLines(form, typeface), qrSize);
  return sheetsOf(form, laidRows(form, typeface), {
    rows: roomOnPage(facts, footer),
    closing: closing + footerOf(form, typeface, true) - footer,
  });
}

/** Shows the heading of every page, so that a single page still names its technician. */
function Heading({ form, typeface }: FormDocumentProps) {
  return (
    <View style={styles.heading}>
      <Text style={styles.title}>{form.title}</Text>
      <Fact label="Employee Name" value={form.employeeName} typeface={typeface} />
      <Fact label="Employee Number" value={form.employeeNumber} typeface={typeface} />
    </View>
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
