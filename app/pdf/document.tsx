import { Document, Page, StyleSheet, Text, View } from "@react-pdf/renderer";
import { METHODS } from "#app/db/enumerations.ts";
import type { ExperienceForm, FormRow } from "./form.ts";
import { Scale, TICK, Tick } from "./marks.tsx";
import { inEm, Typed } from "./typed.tsx";
import type { Typeface } from "./typeface.ts";

interface FormDocumentProps {
  form: ExperienceForm;
  typeface: Typeface;
  /** Called for each page; the number of pages is known in the second of two passes. */
  onPage?: (page?: number, pages?: number) => void;
}

/**
 * The Experience Hours form as a PDF (spec section 9): A4 landscape, any number of entries. `layout` repeats elements
 * on every page and measures each row once. With the older `fixed` the library takes five times as long for 400 rows
 * and then fails.
 */
export function FormDocument({ form, typeface, onPage }: FormDocumentProps) {
  // The last rows stay on the page of the totals and the signature, so that no signed page is without hours.
  const rows = form.rows.map((row, index) => (
    <Row key={row.id} row={row} shaded={index % 2 === 1} typeface={typeface} />
  ));
  const last = rows.splice(-2);
  return (
    <Document
      title={form.title}
      author={form.employeeName}
      creator="Hours Tracker"
      producer="Hours Tracker"
      language="en"
    >
      <Page
        size="A4"
        orientation="landscape"
        style={styles.page}
        layout={({ pageNumber, totalPages, children }) => {
          onPage?.(pageNumber, totalPages);
          return (
            <>
              <Heading form={form} typeface={typeface} />
              <ColumnHeads methods={form.methods} />
              {children}
              <Footer form={form} page={`Page ${pageNumber} of ${totalPages}`} />
            </>
          );
        }}
      >
        {rows}
        <View wrap={false}>
          {last}
          <Totals form={form} />
          <Signature form={form} typeface={typeface} />
        </View>
      </Page>
    </Document>
  );
}

/** On every page, so that a single page still names its technician. */
function Heading({ form, typeface }: { form: ExperienceForm; typeface: Typeface }) {
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
      <Typed style={styles.factValue} typeface={typeface} lineWidth={lineWidths.fact} bold>
        {value}
      </Typed>
    </View>
  );
}

function ColumnHeads({ methods }: { methods: string[] }) {
  return (
    <View style={styles.columnHeads}>
      <Text style={[styles.date, styles.columnHead]}>Job Date</Text>
      <Text style={[styles.location, styles.columnHead]}>Job Location</Text>
      {methods.map((method) => (
        <Text key={method} style={[styles.hours, styles.columnHead]}>
          {method}
        </Text>
      ))}
      <Text style={[styles.supervisor, styles.columnHead]}>Supervisor</Text>
    </View>
  );
}

function Row({ row, shaded, typeface }: { row: FormRow; shaded: boolean; typeface: Typeface }) {
  return (
    <View wrap={false} style={[styles.row, shaded ? styles.shaded : {}, { fontFamily: typeface.stackFor("0") }]}>
      <Text style={styles.date}>{row.date}</Text>
      <Typed style={styles.location} typeface={typeface} lineWidth={lineWidths.location}>
        {row.location}
      </Typed>
      <HoursCells hours={row.hours} />
      <View style={[styles.supervisor, styles.marked]}>
        {row.supervisor && <Tick top={0.9} />}
        <Typed style={styles.supervisorName} typeface={typeface} lineWidth={lineWidths.supervisor}>
          {row.supervisor}
        </Typed>
      </View>
    </View>
  );
}

function Totals({ form }: { form: ExperienceForm }) {
  return (
    <View style={styles.doubleLine}>
      <View style={styles.totals}>
        <Text style={styles.totalsLabel}>Total Hours</Text>
        <HoursCells hours={form.totals} />
        <Text style={styles.supervisor}>{form.total}</Text>
      </View>
    </View>
  );
}

function HoursCells({ hours }: { hours: string[] }) {
  return METHODS.map((method, index) => {
    const text = hours[index];
    return text ? (
      <Text
        key={method}
        style={[styles.hours, text.length > DIGITS ? { fontSize: (SIZE * DIGITS) / text.length } : {}]}
      >
        {text}
      </Text>
    ) : (
      <View key={method} style={styles.hours} />
    );
  });
}

function Signature({ form, typeface }: { form: ExperienceForm; typeface: Typeface }) {
  return (
    <View style={styles.signature}>
      <Text style={styles.statement}>{form.statement}</Text>
      <View style={styles.signatureLines}>
        <View style={styles.signatureLine}>
          <Typed style={styles.signed} typeface={typeface} lineWidth={lineWidths.signature} bold>
            {form.signature}
          </Typed>
          <Text style={[styles.label, styles.underLine]}>Employee Signature</Text>
        </View>
        <View style={styles.dateLine}>
          <Typed style={styles.signed} typeface={typeface} lineWidth={lineWidths.date} bold>
            {form.date}
          </Typed>
          <Text style={[styles.label, styles.underLine]}>Date</Text>
        </View>
      </View>
    </View>
  );
}

function Footer({ form, page }: { form: ExperienceForm; page: string }) {
  return (
    <View style={styles.footer}>
      <View>
        <Text style={styles.code}>{form.code}</Text>
        <Text style={styles.label}>{page}</Text>
      </View>
      <View style={styles.legend}>
        <Tick />
        <Text style={styles.label}>{form.legend}</Text>
      </View>
    </View>
  );
}

const mm = (length: number) => `${length}mm`;
const ink = "#000";
const faint = "#333";
const hairline = (colour: string) => `0.15mm solid ${colour}`;
const line = `0.3mm solid ${ink}`;

const SIZE = 9;
/** Hours of so many characters fit their column; longer ones are set smaller. */
const DIGITS = 7;

const lineHeight = 1.3; // counts only beside its own fontSize
/** In millimetres. */
const margin = 12;
const padding = 1.5;
const columns = { date: 23, hours: 13.5, supervisor: 44 };
const supervisorPadding = 2.5;
const signed = { name: 100, date: 50 };
const fact = { width: 80, fontSize: 10 };
const signedSize = 11;

const cell = { paddingHorizontal: mm(padding), paddingVertical: mm(0.7), fontSize: SIZE, lineHeight };
const columnLine = { borderLeft: hairline("#aaa") };

/** The line widths of typed text: the widths above, less the padding. */
const lineWidths = {
  fact: inEm(fact.width, fact.fontSize),
  location: inEm(
    297 - 2 * margin - columns.date - METHODS.length * columns.hours - columns.supervisor - 2 * padding,
    SIZE,
  ),
  supervisor: inEm(columns.supervisor - supervisorPadding - TICK - padding, SIZE),
  signature: inEm(signed.name, signedSize),
  date: inEm(signed.date, signedSize),
};

const styles = StyleSheet.create({
  page: {
    paddingTop: mm(10),
    paddingBottom: mm(19),
    paddingHorizontal: mm(margin),
    fontFamily: "Helvetica",
    fontSize: SIZE,
    color: ink,
  },
  label: { fontSize: 7.5, lineHeight, color: faint },

  heading: { flexDirection: "row", alignItems: "flex-end", paddingBottom: mm(0.5) },
  title: { flex: 1, fontFamily: "Helvetica-Bold", fontSize: 17, letterSpacing: -0.3, lineHeight: 1.15 },
  fact: { maxWidth: mm(fact.width), marginLeft: mm(10) },
  factValue: { fontSize: fact.fontSize, lineHeight, minHeight: fact.fontSize * lineHeight }, // keeps its line when empty

  columnHeads: { flexDirection: "row", borderTop: line, borderBottom: line },
  columnHead: { paddingTop: mm(2.3), paddingBottom: mm(1.7), fontFamily: "Helvetica-Bold", fontSize: 8 },
  row: { flexDirection: "row", borderBottom: hairline("#999") },
  shaded: { backgroundColor: "#f1f1ee" },
  date: { ...cell, width: mm(columns.date) },
  location: { ...cell, flex: 1 },
  hours: {
    ...cell,
    ...columnLine,
    width: mm(columns.hours),
    paddingLeft: mm(0.5),
    paddingRight: mm(1.2),
    textAlign: "right",
  },
  supervisor: { ...cell, ...columnLine, width: mm(columns.supervisor), paddingLeft: mm(supervisorPadding) },
  marked: { flexDirection: "row" },
  supervisorName: { flex: 1, fontSize: SIZE, lineHeight },

  doubleLine: { borderTop: line, borderBottom: line, paddingBottom: mm(0.5) },
  totals: { flexDirection: "row", borderBottom: line, fontFamily: "Helvetica-Bold" },
  totalsLabel: { ...cell, flex: 1 },

  signature: { paddingTop: mm(7) },
  statement: { fontSize: 10.5, lineHeight },
  signatureLines: { flexDirection: "row", alignItems: "flex-end", paddingTop: mm(11) },
  signatureLine: { width: mm(signed.name), marginRight: mm(10) },
  dateLine: { width: mm(signed.date) },
  signed: { fontSize: signedSize, lineHeight, paddingBottom: mm(0.5) },
  underLine: { borderTop: line, paddingTop: mm(1) },

  footer: {
    position: "absolute",
    left: mm(margin),
    right: mm(margin),
    bottom: mm(8),
    flexDirection: "row",
    justifyContent: "space-between",
    alignItems: "flex-end",
  },
  code: { fontFamily: "Helvetica-Bold", fontSize: 10, lineHeight },
  legend: { flexDirection: "row", alignItems: "center" },
});
