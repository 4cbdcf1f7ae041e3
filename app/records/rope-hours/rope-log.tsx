import { formatDay } from "#app/calendar-date.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import type { LogPage, LogRow } from "#app/records/log-page.server.ts";
import {
  LogState,
  NothingLogged,
  RecordLink,
  RecordLog,
  rowAttributes,
  rowsByMonth,
} from "#app/records/record-log.tsx";
import { ViaLegend } from "#app/records/via.tsx";
import { type RopeHours, ropeHoursKind } from "./rope-hours.kind.ts";

interface RopeLogProps {
  page: LogPage<RopeHours>;
  /** Whether the user has no rope hours: an unfiltered first page is empty. */
  isEmpty: boolean;
}

/** The history of rope hours. On narrow screens the style sheet shows each row as a card. */
export function RopeLog({ page, isEmpty }: RopeLogProps) {
  if (isEmpty) {
    return (
      <NothingLogged kind={ropeHoursKind} page={page}>
        Nothing logged yet. Enter your first rope hours in the form above.
      </NothingLogged>
    );
  }
  return (
    <RecordLog kind={ropeHoursKind} page={page}>
      {page.records.length > 0 && (
        <table className="list">
          <thead>
            <tr>
              <th>Period</th>
              <th>Location</th>
              <th>Skills</th>
              <th className="number">Hours</th>
              <th>Supervisor Signature</th>
            </tr>
          </thead>
          <tbody>
            {rowsByMonth(
              page,
              ({ startDate }) => startDate,
              (name, [sum]) => (
                <tr className="month">
                  <th colSpan={3} scope="rowgroup">
                    {name}
                  </th>
                  <td className="sum">{`${formatHours(sum?.hundredths ?? 0)} h`}</td>
                  <td />
                </tr>
              ),
              (record) => (
                <RopeRow record={record} page={page} />
              ),
            )}
          </tbody>
        </table>
      )}
      <ViaLegend records={page.records} />
    </RecordLog>
  );
}

function RopeRow({ record, page }: { record: LogRow<RopeHours>; page: LogPage<RopeHours> }) {
  const { startDate, endDate, location, skills, hours } = record;
  return (
    <tr {...rowAttributes(record, page)}>
      <td>
        <RecordLink kind={ropeHoursKind} record={record}>
          <time dateTime={startDate}>{formatDay(startDate)}</time> to{" "}
          <time dateTime={endDate}>{formatDay(endDate)}</time>
        </RecordLink>
      </td>
      <td className="place">{location}</td>
      <td className="text full">{skills}</td>
      <td className="number">{formatHours(toHundredths(hours))}</td>
      <LogState kind={ropeHoursKind} record={record} page={page} />
    </tr>
  );
}
