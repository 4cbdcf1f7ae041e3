import { formatDate } from "#app/ui/calendar-date.ts";
import type { Form } from "./form.ts";
import { broughtLabel, pageOf, runningLabel, SIGNED_STATEMENT, THIS_PAGE } from "./form-words.ts";
import { STATEMENT_MODULE } from "./paper.ts";
import { PrintFoot, Qr, QrSymbol } from "./print-foot.tsx";
import { PrintRow, SumsRow } from "./print-rows.tsx";
import { printSheets } from "./print-sheets.ts";
import type { Sheet } from "./sheets.ts";

/**
 * A form as a page to print (spec section 9), for browsers without script or in which the PDF failed: a section for each
 * sheet of paper. `print.css` lays it out.
 * @param back the log that it is of
 */
export function PrintForm({ form, back }: { form: Form; back: string }) {
  const sheets = printSheets(form);
  return (
    <>
      <p className="print-hint">
        Print this page or save it as PDF. <a href={back}>Back to the log</a>
      </p>
      {form.proof && <QrSymbol id="check-qr" qr={form.proof.qr} />}
      <article className={`form ${form.kind}`}>
        {sheets.map((sheet) => (
          <section
            key={sheet.number}
            className={sheet.isLast ? "sheet last" : "sheet"}
            aria-label={pageOf(sheet.number, sheets.length)}
          >
            <header className="heading">
              {sheet.number === 1 ? <h1>{form.title}</h1> : <b>{form.title}</b>}
              <Facts form={form} />
            </header>
            <Table form={form} sheet={sheet} />
            {sheet.isLast && <Closing form={form} />}
            <PrintFoot form={form} page={sheet.number} pages={sheets.length} />
          </section>
        ))}
      </article>
    </>
  );
}

/** On every sheet, so that a single one still names its technician. */
function Facts({ form }: { form: Form }) {
  return (
    <dl>
      <div>
        <dt>Employee Name</dt>
        <dd>{form.employeeName}</dd>
      </div>
      <div>
        <dt>Employee Number</dt>
        <dd>{form.employeeNumber}</dd>
      </div>
    </dl>
  );
}

function Table({ form, sheet }: { form: Form; sheet: Sheet }) {
  return (
    <table>
      <colgroup>
        <col className="date-column" />
        <col span={form.texts.length} />
        <col span={form.columns.length} className="hours-column" />
        <col className="supervisor-column" />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">{form.dates}</th>
          {form.texts.map((text) => (
            <th key={text} scope="col">
              {text}
            </th>
          ))}
          {form.columns.map((column) => (
            <th key={column} scope="col" className="hours">
              {column}
            </th>
          ))}
          <th scope="col" className="supervisor">
            {form.supervisors}
          </th>
        </tr>
      </thead>
      <tbody>
        {sheet.brought && <SumsRow form={form} className="brought" label={broughtLabel(sheet)} sums={sheet.brought} />}
        {sheet.rows.map((laid) => (
          <PrintRow key={laid.key} form={form} laid={laid} isShaded={laid.isShaded} />
        ))}
        <SumsRow form={form} className="this-page" label={THIS_PAGE} sums={sheet.sums} />
        <SumsRow
          form={form}
          className={sheet.isLast ? "running totals" : "running"}
          label={runningLabel(sheet)}
          sums={sheet.running}
          isTotal={sheet.isLast}
        />
      </tbody>
    </table>
  );
}

/** What the technician signs, and the statement that the server signed. */
function Closing({ form }: { form: Form }) {
  const statement = form.proof?.statementQr;
  return (
    <div className="closing">
      <div className="signature">
        <p>{form.statement}</p>
        <dl>
          <div className="name">
            <dt>Employee Signature</dt>
            <dd>{form.signature}</dd>
          </div>
          <div>
            <dt>Date</dt>
            <dd>
              <time dateTime={form.day}>{formatDate(form.day)}</time>
            </dd>
          </div>
        </dl>
      </div>
      {statement && (
        <div className="statement">
          <p>
            <b>{SIGNED_STATEMENT.title}</b> {SIGNED_STATEMENT.text}
          </p>
          <QrSymbol id="statement-qr" qr={statement} />
          <Qr id="statement-qr" qr={statement} module={STATEMENT_MODULE} label="QR code: the signed statement" />
        </div>
      )}
    </div>
  );
}
