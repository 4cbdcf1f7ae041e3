import type { ReactNode } from "react";
import { formatDay } from "#app/calendar-date.ts";
import { METHODS } from "#app/db/enumerations.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { BROUGHT_FORWARD } from "#app/records/kind.ts";
import type { LogPage, LogRow, MonthSum } from "#app/records/log-page.server.ts";
import {
  LogState,
  NothingLogged,
  RecordLink,
  RecordLog,
  rowAttributes,
  rowsByMonth,
} from "#app/records/record-log.tsx";
import { ViaLegend } from "#app/records/via.tsx";
import type { MethodTotal } from "./entries.server.ts";
import { type Entry, entryKind } from "./entry.kind.ts";
import { methodLabel, methodName } from "./methods.ts";

interface EntryLogProps {
  page: LogPage<Entry>;
  /** Of all the user's entries, including those on other pages. */
  totals: MethodTotal[];
}

/** Experience Hours (OJT) Log (spec section 2). On narrow screens the style sheet shows each row as a card. */
export function EntryLog({ page, totals }: EntryLogProps) {
  if (totals.length === 0 && !page.found) {
    return (
      <NothingLogged kind={entryKind} page={page}>
        Nothing logged yet. Enter your first job in the form above.
      </NothingLogged>
    );
  }
  return (
    <RecordLog kind={entryKind} page={page}>
      <LogTable totals={totals} found={page.found?.methods ?? []}>
        <tbody>
          {rowsByMonth(
            page,
            ({ date }) => date,
            (name, sums) => (
              <MonthRow name={name} sums={sums} />
            ),
            (entry) => (
              <EntryRow entry={entry} page={page} />
            ),
          )}
        </tbody>
      </LogTable>
      <p className="legend">Verified Entry</p>
      <ViaLegend records={page.records} />
    </RecordLog>
  );
}

type Totals = readonly Pick<MethodTotal, "method" | "hundredths">[];

interface LogTableProps {
  totals: Totals;
  /** Of the entries that match the filter. */
  found: Totals;
  children: ReactNode;
}

function LogTable({ totals, found, children }: LogTableProps) {
  return (
    <table className="list log">
      <colgroup>
        <col className="day" />
        <col />
        <col span={METHODS.length} className="method-column" />
        <col className="sign" />
      </colgroup>
      <thead>
        <tr>
          <th>Job Date</th>
          <th>Job Location</th>
          {METHODS.map((method) => (
            <th key={method} className="method-column" data-tip={methodName(method)}>
              {methodLabel(method)}
            </th>
          ))}
          <th className="sign">Supervisor Signature</th>
        </tr>
      </thead>
      {children}
      <tfoot className={found.length > 0 ? undefined : "alone"}>
        {found.length > 0 && <TotalRow label="Hours shown by the filter:" totals={found} />}
        <TotalRow label="Total Hours:" totals={totals} />
      </tfoot>
    </table>
  );
}

function TotalRow({ label, totals }: { label: string; totals: Totals }) {
  const totalOf = new Map(totals.map(({ method, hundredths }) => [method, hundredths]));
  return (
    <tr>
      <th colSpan={2}>{label}</th>
      {METHODS.map((method) => (
        <td key={method} data-label={methodLabel(method)}>
          {formatHours(totalOf.get(method) ?? 0)}
        </td>
      ))}
      <td className="sum">{`${formatHours(totals.reduce((sum, { hundredths }) => sum + hundredths, 0))} h logged`}</td>
    </tr>
  );
}

/** The name of a month, and its hours in the columns of their methods. */
function MonthRow({ name, sums }: { name: string; sums: MonthSum[] }) {
  const total = sums.reduce((sum, { hundredths }) => sum + hundredths, 0);
  return (
    <tr className="month">
      <th colSpan={2} scope="rowgroup">
        {name}
      </th>
      {METHODS.map((method) => {
        const sum = sums.find((one) => one.method === method);
        return <td key={method}>{sum && formatHours(sum.hundredths)}</td>;
      })}
      <td className="sum">{`${formatHours(total)} h`}</td>
    </tr>
  );
}

/** A row has an empty cell for each of the other methods. On a card all of it leads to the record (app/every-signed-in-page.css). */
function EntryRow({ entry, page }: { entry: LogRow<Entry>; page: LogPage<Entry> }) {
  const { date, location, method, hours, broughtForward } = entry;
  return (
    <tr {...rowAttributes(entry, page)}>
      <td>
        <RecordLink kind={entryKind} record={entry}>
          <time dateTime={date}>{formatDay(date)}</time>
        </RecordLink>
      </td>
      <td className="place">
        {location}
        {broughtForward && <span className="hint">{` ${BROUGHT_FORWARD}`}</span>}
      </td>
      {METHODS.map((column) =>
        column === method ? (
          <td key={column} data-label={methodLabel(column)}>
            {formatHours(toHundredths(hours))}
          </td>
        ) : (
          <td key={column} />
        ),
      )}
      <LogState kind={entryKind} record={entry} page={page} />
    </tr>
  );
}
