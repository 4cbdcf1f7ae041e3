import { Document, Page, StyleSheet, Text, View } from "@react-pdf/renderer";
import { METHODS } from "#app/db/enumerations.ts";
import type { ExperienceForm, FormRow } from "./form.ts";
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
              <Footer code={form.code} page={`Page ${pageNumber} of ${totalPages}`} />
            </>
          );
        }}
      >
        {rows}
        <View wrap={false}>
          {last}
          <Totals totals={form.totals} />
          <Signature form={form} typeface={typeface} />
        </View>
      </Page>
    </Document>
  );
}

/** On every page, so that a single page still names its technician. */
function Heading({ form, typeface }: { form: ExperienceForm; typeface: Typeface }) {
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
      <Typed style={styles.factValue} typeface={typeface} lineWidth={lineWidths.fact}>
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
      <Typed style={styles.supervisor} typeface={typeface} lineWidth={lineWidths.supervisor}>
        {row.supervisor}
      </Typed>
    </View>
  );
}

function Totals({ totals }: { totals: string[] }) {
  return (
    <View style={styles.totals}>
      <Text style={styles.totalsLabel}>Total Hours</Text>
      <HoursCells hours={totals} />
      <View style={styles.supervisor} />
    </View>
  );
}

function HoursCells({ hours }: { hours: string[] }) {
  return METHODS.map((method, index) =>
    hours[index] ? (
      <Text key={method} style={styles.hours}>
        {hours[index]}
      </Text>
    ) : (
      <View key={method} style={styles.hours} />
    ),
  );
}

function Signature({ form, typeface }: { form: ExperienceForm; typeface: Typeface }) {
  return (
    <View style={styles.signature}>
      <Text>{form.statement}</Text>
      <View style={styles.signatureLines}>
        <View style={styles.signatureLine}>
          <Typed style={styles.signed} typeface={typeface} lineWidth={lineWidths.signature}>
            {form.signature}
          </Typed>
          <Text style={[styles.label, styles.underLine]}>Employee Signature</Text>
        </View>
        <View style={styles.dateLine}>
          <Typed style={styles.signed} typeface={typeface} lineWidth={lineWidths.date}>
            {form.date}
          </Typed>
          <Text style={[styles.label, styles.underLine]}>Date</Text>
        </View>
      </View>
    </View>
  );
}

function Footer({ code, page }: { code: string; page: string }) {
  return (
    <View style={styles.footer}>
      <Text>{code}</Text>
      <Text>{page}</Text>
    </View>
  );
}

const mm = (length: number) => `${length}mm`;
const ink = "#16202a";
const faint = "#55606b";
const rule = "#c3cad1";

const margin = 14;
const lineHeight = 1.3; // applies only beside its own fontSize
const cell = { paddingHorizontal: mm(1.5), paddingVertical: mm(1.3), fontSize: 8.5, lineHeight };

/** The line widths of typed text: the column widths below, less the padding. */
const lineWidths = {
  fact: inEm(80, 10.5),
  location: inEm(297 - 2 * margin - 23 - 9 * 15 - 44 - 2 * 1.5, cell.fontSize),
  supervisor: inEm(44 - 2.5 - 1.5, cell.fontSize),
  signature: inEm(100, 10.5),
  date: inEm(45, 10.5),
};

const styles = StyleSheet.create({
  page: {
    paddingTop: mm(12),
    paddingBottom: mm(18),
    paddingHorizontal: mm(margin),
    fontFamily: "Helvetica",
    fontSize: 8.5,
    color: ink,
  },
  label: { fontSize: 7, color: faint },

  heading: { flexDirection: "row", alignItems: "flex-end", paddingBottom: mm(4) },
  title: { flex: 1, fontFamily: "Helvetica-Bold", fontSize: 16 },
  fact: { maxWidth: mm(80), marginLeft: mm(10) },
  factValue: { fontSize: 10.5, lineHeight },

  columnHeads: { flexDirection: "row", borderTop: `0.9pt solid ${ink}`, borderBottom: `0.9pt solid ${ink}` },
  columnHead: { fontFamily: "Helvetica-Bold", fontSize: 8 },
  row: { flexDirection: "row", borderBottom: `0.4pt solid ${rule}` },
  shaded: { backgroundColor: "#f3f5f7" },
  date: { ...cell, width: mm(23) },
  location: { ...cell, flex: 1 },
  hours: { ...cell, width: mm(15), paddingHorizontal: mm(1), textAlign: "right", borderLeft: `0.4pt solid ${rule}` },
  supervisor: { ...cell, width: mm(44), borderLeft: `0.4pt solid ${rule}`, paddingLeft: mm(2.5) },

  totals: {
    flexDirection: "row",
    borderTop: `0.9pt solid ${ink}`,
    borderBottom: `0.9pt solid ${ink}`,
    fontFamily: "Helvetica-Bold",
  },
  totalsLabel: { ...cell, flex: 1 },

  signature: { paddingTop: mm(7) },
  signatureLines: { flexDirection: "row", alignItems: "flex-end", paddingTop: mm(7) },
  signatureLine: { width: mm(100), marginRight: mm(12) },
  dateLine: { width: mm(45) },
  signed: { fontSize: 10.5, lineHeight, paddingBottom: mm(0.5) },
  underLine: { borderTop: `0.6pt solid ${ink}`, paddingTop: mm(1) },

  footer: {
    position: "absolute",
    left: mm(margin),
    right: mm(margin),
    bottom: mm(10),
    flexDirection: "row",
    justifyContent: "space-between",
    fontSize: 7.5,
    color: faint,
  },
});
