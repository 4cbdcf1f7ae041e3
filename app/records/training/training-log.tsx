import { formatDate } from "#app/calendar-date.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import type { LogPage } from "#app/records/log-page.server.ts";
import { LogState, NothingLogged, RecordLink, RecordLog, rowAttributes } from "#app/records/record-log.tsx";
import { ViaLegend } from "#app/records/via.tsx";
import { type Training, trainingKind } from "./training.kind.ts";

interface TrainingLogProps {
  page: LogPage<Training>;
  /** Whether the user has no training: an unfiltered first page is empty. */
  isEmpty: boolean;
}

/** The training of a technician, newest first. On narrow screens the style sheet shows each row as a card. */
export function TrainingLog({ page, isEmpty }: TrainingLogProps) {
  if (isEmpty) {
    return (
      <NothingLogged kind={trainingKind} page={page}>
        No training logged yet. Every standard asks for hours of organized training: add your first course.
      </NothingLogged>
    );
  }
  return (
    <RecordLog kind={trainingKind} page={page}>
      {page.records.length > 0 && (
        <table className="list">
          <thead>
            <tr>
              <th>Period</th>
              <th>Course</th>
              <th>Method and level</th>
              <th className="number">Hours</th>
              <th>Supervisor Signature</th>
            </tr>
          </thead>
          <tbody>
            {page.records.map((record) => {
              const { id, startDate, endDate, course, organization, instructor, method, level, hours } = record;
              return (
                <tr key={id} {...rowAttributes(record, page)}>
                  <td>
                    <RecordLink kind={trainingKind} record={record}>
                      <time dateTime={startDate}>{formatDate(startDate)}</time>
                      {endDate !== startDate && (
                        <>
                          {" to "}
                          <time dateTime={endDate}>{formatDate(endDate)}</time>
                        </>
                      )}
                    </RecordLink>
                  </td>
                  <td className="full">
                    <b dir="auto">{course}</b>
                    <p className="hint" dir="auto">
                      {[organization, instructor].filter(Boolean).join(", ")}
                    </p>
                  </td>
                  <td className="full">
                    {method && <span className="plate">{methodLabel(method)}</span>} {level}
                  </td>
                  <td className="number">{formatHours(toHundredths(hours))}</td>
                  <LogState kind={trainingKind} record={record} page={page} />
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      <ViaLegend records={page.records} />
    </RecordLog>
  );
}
