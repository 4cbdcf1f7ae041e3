import { Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { formatDate } from "#app/calendar-date.ts";
import type { Via } from "#app/db/enumerations.ts";
import { counted } from "#app/ui/counted.ts";
import type { QrPath } from "#app/ui/qr-path.server.ts";
import type { Form, FormRow } from "./form.ts";
import {
  checkAt,
  LAYOUT,
  legendOf,
  markLabel,
  NO_CODE,
  remarksOf,
  runWords,
  saidBy,
  signedStatement,
  TOTAL,
  viaLabel,
  WORTH,
  worthsOf,
} from "./form-words.ts";
import { MODULE } from "./paper.ts";
import { besideOf, type FormRun, hoursOf, runsOf, type Sums, shownSums, sumsByVia, sumsOf } from "./runs.ts";

/** Rows that are rendered before other requests have their turn: some 5 ms. */
const ROWS_AT_ONCE = 60;

/**
 * A form as HTML, to print (spec section 9), for browsers without script or in which the PDF failed: one table, whose head the
 * browser repeats on each sheet of paper, with its sums at the end. Page sums and running totals are the PDF's.
 */
export async function* renderForm(form: Form): AsyncGenerator<string> {
  yield `<table>${renderToStaticMarkup(<Head form={form} />)}`;
  for (const run of runsOf(form)) {
    yield "<tbody>";
    for (let start = 0; start < run.rows.length; start += ROWS_AT_ONCE) {
      yield renderToStaticMarkup(
        <>
          {start === 0 && <AnswerRow form={form} run={run} />}
          {run.rows.slice(start, start + ROWS_AT_ONCE).map((row, index) => (
            <PrintRow key={row.id} form={form} row={row} run={run} isShaded={index % 2 === 1} />
          ))}
        </>,
      );
    }
    yield "</tbody>";
  }
  yield `${renderToStaticMarkup(<End form={form} />)}</table>`;
}

/** The columns before that of the supervisor. */
const columnsOf = ({ texts, columns }: Form) => 1 + texts.length + columns.length;

/** The title and the technician are in the head too, so that a single sheet still names them. */
function Head({ form }: { form: Form }) {
  return (
    <>
      <colgroup>
        <col className="date-column" />
        <col span={form.texts.length} />
        {form.columns.length > 0 && <col span={form.columns.length} className="hours-column" />}
        <col className="supervisor-column" />
      </colgroup>
      <thead>
        <tr>
          <td colSpan={columnsOf(form) + 1}>
            <div className="heading">
              <h1>{form.title}</h1>
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
            </div>
          </td>
        </tr>
        <tr className="heads">
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
    </>
  );
}

/** Shows the facts of one answer about the rows below it, with the supervisor, beside them all. */
function AnswerRow({ form, run }: { form: Form; run: FormRun }) {
  const { when, how, count } = runWords(run);
  return (
    <tr className="answer">
      <th scope="rowgroup" colSpan={columnsOf(form)}>
        <div>
          <span>{when}</span>
          <span>
            <ViaMark via={run.via} /> {how}
          </span>
          <span>{count}</span>
          {run.verificationId && <b>{run.verificationId}</b>}
        </div>
        {run.notes && <p>{run.notes.join("; ")}</p>}
      </th>
      <td className="supervisor" rowSpan={run.rows.length + 1}>
        <b>{run.supervisor}</b> {run.domain}
        {run.stated && <p>{run.stated}</p>}
        {run.entered && (
          <p>
            <em>{run.entered}</em>
          </p>
        )}
      </td>
    </tr>
  );
}

/** Shows how a verification came: an envelope, or a link of a chain. */
function ViaMark({ via }: { via: Via }) {
  return <i className={`${via} via`} role="img" aria-label={markLabel(via)} />;
}

interface PrintRowProps {
  form: Form;
  row: FormRow;
  run: FormRun;
  isShaded: boolean;
}

function PrintRow({ form, row, run, isShaded }: PrintRowProps) {
  const beside = besideOf(row, run);
  return (
    <tr className={isShaded ? "shaded" : undefined}>
      <td className="date">
        {row.days.map((day, index) => (
          <Fragment key={day}>
            {index > 0 && " to "}
            <time dateTime={day}>{formatDate(day)}</time>
          </Fragment>
        ))}
      </td>
      {row.texts.map((text, index) => (
        <td key={form.texts[index]} className="place">
          {text}
          {index === 0 && beside && <small>{` · ${beside}`}</small>}
        </td>
      ))}
      <HoursCells form={form} hours={hoursOf(row, form)} />
    </tr>
  );
}

/** The sums, and the part below them: inside the table, so that no sheet has the signature without the sums. */
function End({ form }: { form: Form }) {
  return (
    <tbody className="sums">
      {form.columns.length > 0 && (
        <>
          {sumsByVia(form).map(({ via, count, sums }) => (
            <SumsRow key={via} form={form} label={viaLabel(via)} via={via} count={count} sums={sums} />
          ))}
          <SumsRow form={form} label={TOTAL} count={form.rows.length} sums={sumsOf(form.rows, form)} />
        </>
      )}
      <tr className="end">
        <td colSpan={columnsOf(form) + 1}>
          <Closing form={form} />
          <Foot form={form} />
        </td>
      </tr>
    </tbody>
  );
}

interface SumsRowProps {
  form: Form;
  label: string;
  /** None for the totals, which show a column without hours too. */
  via?: Via;
  count: number;
  sums: Sums;
}

function SumsRow({ form, label, via, count, sums }: SumsRowProps) {
  const { hours, total } = shownSums(sums);
  return (
    <tr className={via ? undefined : "totals"}>
      <th scope="row" colSpan={1 + form.texts.length}>
        {via && <ViaMark via={via} />} {label}
      </th>
      <HoursCells form={form} hours={hours.map((text, index) => (sums.columns[index] || !via ? text : ""))} />
      <td className="total">
        {form.columns.length > 1 && <b>{total}</b>} {counted(count, "record")}
      </td>
    </tr>
  );
}

/** Hours of more characters are set smaller, so that they stay in their column. */
const DIGITS = 6;

/** Each names its column, for a narrow screen, where the column heads are gone. */
function HoursCells({ form: { columns }, hours }: { form: Form; hours: string[] }) {
  return columns.map((column, index) => {
    const text = hours[index] ?? "";
    const size = text.length > 2 * DIGITS - 3 ? " longer" : text.length > DIGITS ? " long" : "";
    return (
      <td key={column} className={`hours${size}`} data-column={column}>
        {text}
      </td>
    );
  });
}

/**
 * Shows the statement that the technician signs, the explanations of the sums, and the statement that the server
 * signed.
 */
function Closing({ form }: { form: Form }) {
  const { proof } = form;
  const said = saidBy(form);
  return (
    <div className="closing">
      <div className="signature">
        <p>{form.statement}</p>
        <dl>
          <div>
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
      <div className="worth">
        <h2>{WORTH}</h2>
        {worthsOf(form).map(({ via, name, text }) => (
          <p key={via}>
            <b>{name}</b> {text}
          </p>
        ))}
        {said && (
          <p>
            {said.before} <em>{said.italics}</em> {said.after}
          </p>
        )}
      </div>
      {proof?.statementQr && (
        <div className="statement">
          <div>
            <h2>{signedStatement(proof).title}</h2>
            <p>{signedStatement(proof).text}</p>
          </div>
          <Qr qr={proof.statementQr} label="QR code: the signed statement" />
        </div>
      )}
    </div>
  );
}

/** Shows the name of the form, the meaning of its marks and notes, and where it is checked. */
function Foot({ form }: { form: Form }) {
  const { proof } = form;
  return (
    <footer className="foot">
      {form.code && (
        <p>
          <b>{form.code}</b> <small>{LAYOUT}</small>
        </p>
      )}
      <ul>
        {legendOf(form).map(({ mark, text }) => (
          <li key={text}>
            <i className={`${mark} via`} /> {text}
          </li>
        ))}
        {remarksOf(form, true).map((remark) => (
          <li key={remark}>{remark}</li>
        ))}
      </ul>
      {proof ? (
        <div className="check">
          <p>
            {checkAt(proof)} <b className="code">{proof.code}</b>
          </p>
          <Qr qr={proof.qr} label="QR code: check this form" />
        </div>
      ) : (
        <p>{NO_CODE}</p>
      )}
    </footer>
  );
}

/** A QR code with the white around it. */
function Qr({ qr: { size, path }, label }: { qr: QrPath; label: string }) {
  const side = `${(size * MODULE).toFixed(2)}mm`;
  return (
    <svg className="qr" width={side} height={side} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} stroke="#000" />
    </svg>
  );
}
