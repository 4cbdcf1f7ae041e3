import { type ExperienceForm, type FormRow, VIA_LEGENDS, viasOf } from "./form.ts";

/**
 * The Experience Hours form as a page to print (spec section 9), for browsers without script or in which the PDF
 * failed. `print.css` lays it out on paper.
 */
export function PrintForm({ form }: { form: ExperienceForm }) {
  const columns = form.methods.length + 3;
  return (
    <>
      <p className="print-hint">
        Print this page or save it as PDF. <a href="/profile">Back to the log</a>
      </p>
      <article className="ojt-form">
        <header className="heading">
          <h1>{form.title}</h1>
          <Facts form={form} />
        </header>
        <table>
          <colgroup>
            <col className="date-column" />
            <col />
            <col span={form.methods.length} className="hours-column" />
            <col className="supervisor-column" />
          </colgroup>
          <thead>
            {/* The heading once more, on paper only: a browser repeats this part of the table on each page. */}
            <tr className="repeated">
              <td colSpan={columns}>
                <div className="heading">
                  <b>{form.title}</b>
                  <Facts form={form} />
                </div>
              </td>
            </tr>
            <tr>
              <th scope="col">Job Date</th>
              <th scope="col">Job Location</th>
              {form.methods.map((method) => (
                <th key={method} scope="col" className="hours">
                  {method}
                </th>
              ))}
              <th scope="col" className="supervisor">
                Supervisor
              </th>
            </tr>
          </thead>
          <tbody>
            {form.rows.map((row) => (
              <Row key={row.id} row={row} methods={form.methods} />
            ))}
            {/* Not in tfoot: on paper it would stand on every page. */}
            <tr className="totals">
              <th scope="row" colSpan={2}>
                Total Hours
              </th>
              <HoursCells hours={form.totals} methods={form.methods} />
              <td className="total">{form.total}</td>
            </tr>
          </tbody>
          <tfoot>
            <tr>
              <td colSpan={columns}>
                <div className="foot">
                  <b>{form.code}</b>
                  <span className="row">
                    <span className="legend marked">{form.legend}</span>
                    {viasOf(form).map((via) => (
                      <span key={via} className="legend">
                        <i className={`${via} via`} /> {VIA_LEGENDS[via]}
                      </span>
                    ))}
                  </span>
                </div>
              </td>
            </tr>
          </tfoot>
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
        </footer>
      </article>
    </>
  );
}

function Facts({ form }: { form: ExperienceForm }) {
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

function Row({ row, methods }: { row: FormRow; methods: string[] }) {
  return (
    <tr>
      <td className="date">
        <time dateTime={row.day}>{row.date}</time>
      </td>
      <td className="place">{row.location}</td>
      <HoursCells hours={row.hours} methods={methods} />
      <td className="supervisor">
        {row.supervisor && (
          <div className="marked">
            <span className="by">Verified by </span>
            {row.supervisor}
            {row.via && (
              <>
                {" "}
                <i className={`${row.via} via`} role="img" aria-label={VIA_LEGENDS[row.via]} />
              </>
            )}
          </div>
        )}
      </td>
    </tr>
  );
}

/** Hours of more characters are set smaller, so that they stay in their column. */
const DIGITS = 7;

/** Each names its method, for a narrow screen, where the column heads are gone. */
function HoursCells({ hours, methods }: { hours: string[]; methods: string[] }) {
  return methods.map((method, index) => {
    const text = hours[index] ?? "";
    return (
      <td key={method} className={text.length > DIGITS ? "hours long" : "hours"} data-method={method}>
        {text}
      </td>
    );
  });
}
