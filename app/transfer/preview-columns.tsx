import { kindNamed } from "#app/records/all-kinds.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { columnMeanings, meaningLabel } from "./columns.ts";
import type { ImportView } from "./import-view.server.ts";
import { DATE_ORDERS, type DateOrder } from "./read-date.ts";
import { HOURS_UNITS, type HoursUnit } from "./read-hours.ts";
import { AS_WRITTEN } from "./read-records.ts";

/** A preview with what its settings need besides. */
export interface ColumnsView extends ImportView {
  /** The choices that this file needs, made or not. */
  asks: { hoursUnit: boolean; hoursPerDay: boolean; timeZone: boolean };
  /** The technician's own time zone. */
  ownTimeZone: string;
  /** The encodings that the text may have, with the first places in each; none if its encoding is certain. */
  encodings: { encoding: string; name: string; sample: string }[];
}

const ORDERS: Record<DateOrder, string> = {
  ymd: "Year, month, day",
  dmy: "Day, month, year",
  mdy: "Month, day, year",
};

/** Shows which sheet of the file is read, and in which encoding, where there is a choice. */
function PreviewFile({ view: { encoding, encodings, sheet, sheets } }: { view: ColumnsView }) {
  return (
    <>
      {sheets.length > 1 && (
        <div className="field">
          <label htmlFor="sheet">Sheet</label>
          <select id="sheet" name="sheet" defaultValue={sheet ?? ""}>
            {sheets.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
      )}
      {encodings.length > 0 && (
        <div className="field">
          <label htmlFor="encoding">Encoding</label>
          <select id="encoding" name="encoding" defaultValue={encoding ?? ""} aria-describedby="encoding-hint">
            {encodings.map((one) => (
              <option key={one.encoding} value={one.encoding}>
                {`${one.sample}: ${one.name}`}
              </option>
            ))}
          </select>
          <p className="hint" id="encoding-hint">
            Choose the one in which the names are right.
          </p>
        </div>
      )}
    </>
  );
}

/** Shows the meaning of each column, the order of its dates and what else this file leaves open, to be changed. */
export function PreviewColumns({ view }: { view: ColumnsView }) {
  const { kind, columns, mapping, dateOrder, rows } = view;
  return (
    <section aria-labelledby="columns">
      <h2 id="columns">Columns</h2>
      <div className="import-columns">
        <PreviewFile view={view} />
        <div className="field">
          <label htmlFor="order">Dates are</label>
          <select
            id="order"
            name="dateOrder"
            defaultValue={dateOrder ?? ""}
            aria-invalid={dateOrder === null || undefined}
          >
            {dateOrder === null && <option value="">Choose…</option>}
            {DATE_ORDERS.map((order) => (
              <option key={order} value={order}>
                {ORDERS[order]}
              </option>
            ))}
          </select>
        </div>
        <TimeZone view={view} />
        <HoursUnits view={view} />
        {columns.map((name, index) => {
          const example = rows.map(({ cells }) => cells[index] ?? "").find((cell) => cell.trim() !== "");
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns can have the same name
            <div className="field" key={index}>
              <label htmlFor={`column-${index}`} dir="auto">
                {name || `Column ${index + 1}`}
              </label>
              <select id={`column-${index}`} name={`choices[${index}].target`} defaultValue={mapping[index] ?? ""}>
                <option value="">Ignored</option>
                {columnMeanings(kindNamed(kind)).map((target) => (
                  <option key={target} value={target}>
                    {meaningLabel(target)}
                  </option>
                ))}
              </select>
              {example && (
                <p className="hint" dir="auto">
                  {example}
                </p>
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}

/** Shows the choice of the time zone of the days of instants, where a file has some: the technician's own one first. */
function TimeZone({ view: { asks, timeZone, ownTimeZone } }: { view: ColumnsView }) {
  if (!asks.timeZone) return null;
  return (
    <div className="field">
      <label htmlFor="zone">Days are those</label>
      <select id="zone" name="timeZone" defaultValue={timeZone ?? ""} aria-invalid={timeZone === null || undefined}>
        {timeZone === null && <option value="">Choose…</option>}
        <option value={AS_WRITTEN}>As written, in UTC</option>
        <option value={ownTimeZone}>In your time zone, {ownTimeZone}</option>
        {Intl.supportedValuesOf("timeZone")
          .filter((zone) => zone !== ownTimeZone)
          .map((zone) => (
            <option key={zone} value={zone}>
              {zone}
            </option>
          ))}
      </select>
    </div>
  );
}

const UNITS: Record<HoursUnit, string> = {
  hours: "Hours",
  minutes: "Minutes",
  days: "Days",
  fraction: "Parts of a day: 0.3125 is 7:30",
  clock: "Hours and minutes: 7.30 is 7:30",
};

/** The hours of a day that are offered; others can be typed. */
const DAYS = [7, 7.5, 8, 10, 12];

/** Shows the choice of the unit of numbers of hours, and of the hours of a day, where a file leaves it open. */
function HoursUnits({ view: { asks, hoursUnit, hoursPerDay } }: { view: ColumnsView }) {
  return (
    <>
      {asks.hoursUnit && (
        <div className="field">
          <label htmlFor="unit">Hours are written as</label>
          <select
            id="unit"
            name="hoursUnit"
            defaultValue={hoursUnit ?? ""}
            aria-invalid={hoursUnit === null || undefined}
          >
            {hoursUnit === null && <option value="">Choose…</option>}
            {HOURS_UNITS.map((unit) => (
              <option key={unit} value={unit}>
                {UNITS[unit]}
              </option>
            ))}
          </select>
        </div>
      )}
      {asks.hoursPerDay && (
        <div className="field">
          <label htmlFor="day">Hours of a day</label>
          <input
            id="day"
            name="hoursPerDay"
            list="days"
            inputMode="decimal"
            defaultValue={hoursPerDay === null ? "" : formatHours(toHundredths(hoursPerDay))}
            aria-invalid={hoursPerDay === null || undefined}
          />
          <datalist id="days">
            {DAYS.map((hours) => (
              <option key={hours} value={hours} />
            ))}
          </datalist>
        </div>
      )}
    </>
  );
}
