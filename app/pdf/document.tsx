import { Document, Page, Text, View } from "@react-pdf/renderer";
import { METHODS } from "#app/db/enumerations.ts";
import { DIGITS, lineWidths, SIZE, styles } from "./document-styles.ts";
import { type ExperienceForm, type FormRow, VIA_LEGENDS, viasOf } from "./form.ts";
import { Scale, Tick, ViaMark } from "./marks.tsx";
import { Typed } from "./typed.tsx";
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
        <Typed
          style={styles.supervisorName}
          typeface={typeface}
          lineWidth={row.via ? lineWidths.supervisorBesideMark : lineWidths.supervisor}
        >
          {row.supervisor}
        </Typed>
        {row.via && <ViaMark via={row.via} top={0.9} />}
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
        {viasOf(form).map((via) => (
          <View key={via} style={styles.legend}>
            <ViaMark via={via} />
            <Text style={styles.label}> {VIA_LEGENDS[via]}</Text>
          </View>
        ))}
      </View>
    </View>
  );
}
