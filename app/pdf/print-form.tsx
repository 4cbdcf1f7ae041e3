import type { ExperienceForm, FormRow } from "./form.ts";

/**
 * The Experience Hours form as a page to print (spec section 9), for browsers without script or in which the PDF
 * failed. `print.css` lays it out on paper.
 */
export function PrintForm({ form }: { form: ExperienceForm }) {
  return (
    <article className="ojt-form">
      <p className="print-hint">
        Print this page or save it as PDF. <a href="/profile">Back to the log</a>
      </p>
      <header>
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
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col" className="date-column">
              Job Date
            </th>
            <th scope="col">Job Location</th>
            {form.methods.map((method) => (
              <th key={method} scope="col" className="hours">
                {method}
              </th>
            ))}
            <th scope="col" className="supervisor-column">
              Supervisor
            </th>
          </tr>
        </thead>
        <tbody>
          {form.rows.map((row) => (
            <Row key={row.id} row={row} methods={form.methods} />
          ))}
          {/* Not a tfoot, which is printed on every page. */}
          <tr className="totals">
            <th scope="row" colSpan={2}>
              Total Hours
            </th>
            <HoursCells hours={form.totals} methods={form.methods} />
            <td />
          </tr>
        </tbody>
      </table>
      <footer>
        <p>{form.statement}</p>
        <dl>
          <div className="signature">
            <dt>Employee Signature</dt>
            <dd>{form.signature}</dd>
          </div>
          <div>
            <dt>Date</dt>
            <dd>
              <time dateTime={form.day}>{form.date}</time>
            </dd>
          </div>
        </dl>
        <p className="code">{form.code}</p>
      </footer>
    </article>
  );
}

function Row({ row, methods }: { row: FormRow; methods: string[] }) {
  return (
    <tr>
      <td>
        <time dateTime={row.day}>{row.date}</time>
      </td>
      <td>{row.location}</td>
      <HoursCells hours={row.hours} methods={methods} />
      <td>{row.supervisor}</td>
    </tr>
  );
}

/** Each cell names its method, for narrow screens without column headings. */
function HoursCells({ hours, methods }: { hours: string[]; methods: string[] }) {
  return methods.map((method, index) => (
    <td key={method} className="hours" data-method={method}>
      {hours[index]}
    </td>
  ));
}
