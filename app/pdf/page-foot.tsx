import { Text, View } from "@react-pdf/renderer";
import { BOX } from "#app/pdf/fonts/embedded-font.ts";
import { formatDate } from "#app/ui/calendar-date.ts";
import { mm, styles } from "./document-styles.ts";
import type { Form } from "./form.ts";
import { boxNote, checkAt, checkpointOf, legendOf, NO_CODE, pageOf, SIGNED_STATEMENT } from "./form-words.ts";
import { Mark, QrCode } from "./marks.tsx";
import { MODULE, SIGNED, STATEMENT_MODULE, SUPERVISOR } from "./paper.ts";
import { Typed } from "./typed.tsx";
import type { Typeface } from "./typeface.ts";

/** Below the last row: what the technician signs, and the statement that the server signed. */
export function Closing({ form, typeface }: { form: Form; typeface: Typeface }) {
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
  page: number;
  pages: number;
  /** Whether a character of the form is drawn as a box. */
  hasBoxes: boolean;
}

/** How many lines the notes of a footer have, at most. */
export const notesOf = (form: Form, hasBoxes: boolean) =>
  legendOf(form).length + (checkpointOf(form) ? 1 : 0) + (hasBoxes ? 1 : 0);

export function Footer({ form, page, pages, hasBoxes }: FooterProps) {
  const { proof } = form;
  const checkpoint = checkpointOf(form);
  return (
    <View style={styles.footer}>
      <View>
        {form.code && <Text style={styles.formCode}>{form.code}</Text>}
        <Text style={styles.label}>{pageOf(page, pages)}</Text>
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
        {checkpoint && <Text style={styles.small}>{checkpoint}</Text>}
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
