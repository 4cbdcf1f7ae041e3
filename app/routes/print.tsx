import type { AppLoadContext, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { formatDate, toCalendarDate } from "#app/calendar-date.ts";
import { AppError } from "#app/errors.ts";
import type { Form, FormRow } from "#app/pdf/form.ts";
import {
  broughtLabel,
  checkAt,
  legendOf,
  markLabel,
  NO_CODE,
  pageOf,
  remarksOf,
  runningLabel,
  SIGNED_STATEMENT,
  THIS_PAGE,
} from "#app/pdf/form-words.ts";
import { FORMS, formsBelow } from "#app/pdf/forms.ts";
import { linesOf, type WidthOf } from "#app/pdf/lines.ts";
import { closingHeight, FACT, inEm, MODULE, roomOnPage, SIGNED, STATEMENT_MODULE } from "#app/pdf/paper.ts";
import css from "#app/pdf/print.css?inline";
import { hoursOf, type LaidRow, laidRow, type Sheet, type Sums, sheetsOf, shownSums } from "#app/pdf/sheets.ts";
import { findOwnExport, formOf, formOfSnapshot } from "#app/proof/own-exports.server.ts";
import {
  choiceSchema,
  chosenOf,
  leftOutOf,
  printedPerson,
  printRecords,
  readVerified,
  requireSome,
  toastOf,
} from "#app/proof/verified-records.server.ts";
import { kindOf } from "#app/records/all-kinds.ts";
import { inTurns } from "#app/server/others-turn.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { openStream } from "#app/server/stream.server.ts";
import { STREAMED } from "#app/ui/page.tsx";
import type { QrPath } from "#app/ui/qr-path.server.ts";

/**
 * A form as a page to print (spec section 9), for browsers without script or in which the PDF failed: of one export, or
 * without an id of what is verified now, without a code. `?form=`, `from`, `to` and `supervisorId` choose as an export does.
 */

export const handle = { heavy: true, css } satisfies RouteHandle;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.form.title ?? "Print"} · Hours Tracker` },
];

export const loader = page(async ({ params, context }) => {
  const { path } = kindOf(context);
  const form =
    params.id === undefined
      ? await formWithoutCode(context, path)
      : await formOf(await findOwnExport(context, path, parseId(params.id)));
  openStream(context, renderSheets(form));
  const { title, name, proof } = form;
  return { form: { title, name, proof }, back: path };
});

/** @throws {Response} a redirect to the log if nothing is verified, or more than a form can have */
async function formWithoutCode(context: AppLoadContext, log: string): Promise<Form> {
  const [first] = formsBelow(log);
  const choice = choiceSchema.safeParse({ form: first, ...Object.fromEntries(context.url.searchParams) });
  if (!choice.success || FORMS[choice.data.form].log !== log) {
    const message = choice.error?.issues[0]?.message ?? "This form is not printed here.";
    throw new AppError("invalid", message);
  }
  const { user, ...rows } = await readVerified(context, choice.data);
  try {
    requireSome(choice.data, rows);
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 409) throw error;
    throw await redirectTo(context, log, { toast: toastOf(error) });
  }
  const person = printedPerson(user);
  const madeOn = toCalendarDate(context.timeZone, context.now);
  const { form } = choice.data;
  const records = await printRecords(form, person, rows);
  const which = { chosen: chosenOf(choice.data, records), leftOut: leftOutOf(rows.others) };
  return formOfSnapshot({ form, madeOn, ...which, ...person, records }, null);
}

export default function Print() {
  const { form, back } = useLoaderData<typeof loader>();
  return (
    <main>
      <p className="print-hint">
        Print this page or save it as PDF. <a href={back}>Back to the log</a>
      </p>
      {form.proof && <QrSymbol id="check-qr" qr={form.proof.qr} />}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant, in whose place the sheets are streamed */}
      <article className={`form ${form.name}`} dangerouslySetInnerHTML={{ __html: STREAMED }} />
    </main>
  );
}

/** A row of a record, or the next part of a very long one. */
function PrintRow({ form, laid, isShaded }: { form: Form; laid: LaidRow; isShaded: boolean }) {
  const { row, isFirst, texts } = laid;
  return (
    <tr className={[isShaded && "shaded", !isFirst && "more"].filter(Boolean).join(" ") || undefined}>
      <td className="date">{isFirst && <Dates row={row} />}</td>
      {texts.map((lines, index) => (
        <td key={form.texts[index]} className="place">
          {lines.join("")}
          {index === 0 && laid.times.length > 0 && <p className="noted">{laid.times.join("")}</p>}
        </td>
      ))}
      <HoursCells form={form} hours={isFirst ? hoursOf(row, form) : []} />
      <td className="supervisor">
        <Supervisor laid={laid} />
        {laid.notes.length > 0 && <p className="noted">{laid.notes.join("")}</p>}
      </td>
    </tr>
  );
}

function Dates({ row }: { row: FormRow }) {
  return row.days.map((day, index) => (
    <Fragment key={day}>
      {index > 0 && " to "}
      <time dateTime={day}>{formatDate(day)}</time>
    </Fragment>
  ));
}

/** The name, and how the verification came. */
function Supervisor({ laid: { row, isFirst, supervisor, domain, isDomainBelow } }: { laid: LaidRow }) {
  const name = supervisor.join("");
  if (!name && domain.length === 0) return null;
  const isMarked = isFirst && !row.via;
  return (
    <div className={isMarked ? "verifier marked" : "verifier"}>
      <span>
        {isFirst && <span className="by">Verified by </span>}
        {name}
      </span>
      {row.via && (
        <span className={isDomainBelow ? "how sole" : "how"}>
          {isFirst && <i className={`${row.via} via`} role="img" aria-label={markLabel(row.via)} />}{" "}
          {!isDomainBelow && <span>{domain.join("")}</span>}
        </span>
      )}
    </div>
  );
}

interface SumsRowProps {
  form: Form;
  className: string;
  label: string;
  sums: Sums;
  /** The totals of the whole form show a column without hours too. */
  isTotal?: boolean;
}

function SumsRow({ form, className, label, sums, isTotal = false }: SumsRowProps) {
  const { hours, total } = shownSums(sums);
  return (
    <tr className={className}>
      <th scope="row" colSpan={1 + form.texts.length}>
        {label}
      </th>
      <HoursCells form={form} hours={hours.map((text, index) => (sums.columns[index] || isTotal ? text : ""))} />
      <td className="total">{form.columns.length > 1 && total}</td>
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

/*
 * The sheets of the print page. The fonts are the browser's, so its rows are counted with widths that no usual font
 * exceeds, and each sheet has room to spare: a browser that divided one would print pages without a number.
 */

/** How much lower than the PDF's a sheet is filled, in millimetres: browsers round the heights of lines and rows up. */
const SPARE = 7;

/** Type is a little wider in some fonts than in Arial, and bold type is wider. */
const WIDER = 1.06;
const BOLD = 1.1;

/** The widths of classes of characters in em: of the widest in Arial, and for other scripts in any usual font. */
const CLASSES: [characters: RegExp, width: number][] = [
  [/[\p{Mn}\p{Me}\p{Cf}]/u, 0],
  [/[\sfijlrtI.,:;'’|!()[\]/\\-]/u, 0.34],
  [/[mwMWGOQ@%&—…]/u, 0.95],
  [/[a-z0-9\p{P}\p{Sc}+=<>~^]/u, 0.56],
  [/[A-Z]/u, 0.73],
  [/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u, 0.8],
  [/\p{Extended_Pictographic}/u, 1.4],
];
const WIDEST = 1.1;

/** About the width of a text in the browser's font, in em, and rarely less. */
const widthAtMost: WidthOf = (text) =>
  WIDER * Array.from(text).reduce((sum, character) => sum + widthOfOne(character), 0);

/** The widths of the first thousand characters: a form of 2,000 records has many thousands of few different ones. */
const WIDTHS = new Map<string, number>();

function widthOfOne(character: string): number {
  const known = WIDTHS.get(character);
  if (known !== undefined) return known;
  const width = CLASSES.find(([characters]) => characters.test(character))?.[1] ?? WIDEST;
  if (WIDTHS.size < 1_000) WIDTHS.set(character, width);
  return width;
}

/** Rows that are laid out before other requests have their turn: some milliseconds. */
const ROWS_AT_ONCE = 50;

/** The sheets that a browser prints a form on. */
async function printSheets(form: Form): Promise<Sheet[]> {
  const laid: LaidRow[] = [];
  await inTurns(form.rows, ROWS_AT_ONCE, (row) => laid.push(...laidRow(row, form, widthAtMost)));
  const boldLines = (text: string, { width, size }: typeof FACT) =>
    linesOf(text, (part) => widthAtMost(part) * BOLD, inEm(width, size)).length;
  const facts = Math.max(boldLines(form.employeeName, FACT), boldLines(form.employeeNumber, FACT));
  return sheetsOf(form, laid, {
    rows: roomOnPage(facts, form.proof?.qr.size ?? null, legendOf(form).length + remarksOf(form, true).length) - SPARE,
    closing: closingHeight(boldLines(form.signature, SIGNED), form.proof?.statementQr?.size ?? null) + 2,
  });
}

/** Sheets that are rendered before other requests have their turn: some 5 ms. */
const SHEETS_AT_ONCE = 3;

/**
 * The sheets of a form as HTML, to print (spec section 9), for browsers without script or in which the PDF failed: a section
 * for each sheet of paper. `print.css` lays it out.
 */
async function* renderSheets(form: Form): AsyncGenerator<string> {
  const sheets = await printSheets(form);
  for (let start = 0; start < sheets.length; start += SHEETS_AT_ONCE) {
    yield renderToStaticMarkup(
      sheets
        .slice(start, start + SHEETS_AT_ONCE)
        .map((sheet) => <PrintSheet key={sheet.number} form={form} sheet={sheet} sheets={sheets.length} />),
    );
  }
}

function PrintSheet({ form, sheet, sheets }: { form: Form; sheet: Sheet; sheets: number }) {
  return (
    <section className={sheet.isLast ? "sheet last" : "sheet"} aria-label={pageOf(sheet.number, sheets)}>
      <header className="heading">
        {sheet.number === 1 ? <h1>{form.title}</h1> : <b>{form.title}</b>}
        <Facts form={form} />
      </header>
      <Table form={form} sheet={sheet} />
      {sheet.isLast && <Closing form={form} />}
      <PrintFoot form={form} sheet={sheet} pages={sheets} />
    </section>
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

/** The foot of a sheet: which page of which form it is, what its marks mean, and where it is checked. */
function PrintFoot({ form, sheet, pages }: { form: Form; sheet: Sheet; pages: number }) {
  const { proof } = form;
  return (
    <footer className="foot">
      <p className="page-number">
        {form.code && <b>{form.code}</b>} <span>{pageOf(sheet.number, pages)}</span>
      </p>
      <ul className="legend">
        {legendOf(form).map(({ mark, text }) => (
          <li key={text}>
            <i className={mark ? `${mark} via` : "tick"} />
            {text}
          </li>
        ))}
        {remarksOf(form, sheet.isLast).map((remark) => (
          <li key={remark}>{remark}</li>
        ))}
      </ul>
      {proof ? (
        <div className="check">
          <p>
            {checkAt(proof)} <b className="code">{proof.code}</b>
          </p>
          <Qr id="check-qr" qr={proof.qr} module={MODULE} label="QR code: check this form" />
        </div>
      ) : (
        <p className="no-code">{NO_CODE}</p>
      )}
    </footer>
  );
}

/** The drawing of a QR code, once for all sheets. */
function QrSymbol({ id, qr: { size, path } }: { id: string; qr: QrPath }) {
  return (
    <svg width="0" height="0" className="symbol" aria-hidden="true">
      <symbol id={id} viewBox={`0 0 ${size} ${size}`}>
        <path d={path} stroke="#000" />
      </symbol>
    </svg>
  );
}

interface QrProps {
  /** Of its drawing. */
  id: string;
  qr: QrPath;
  /** The side of a module, in millimetres. */
  module: number;
  label: string;
}

/** A QR code with the white around it. */
function Qr({ id, qr, module, label }: QrProps) {
  const side = `${(qr.size * module).toFixed(2)}mm`;
  return (
    <svg className="qr" width={side} height={side} role="img" aria-label={label}>
      <use href={`#${id}`} />
    </svg>
  );
}
