import { METHODS } from "#app/db/enumerations.ts";
import { formatHours } from "#app/records/hours.ts";
import { formatDate } from "#app/ui/calendar-date.ts";
import type { Reason, TargetProgress } from "./progress.ts";
import { type RecordsLink, recordsLinks } from "./progress-links.ts";
import { RecordsLinks } from "./records-links.tsx";

interface Row {
  key: string;
  text: string;
  links: RecordsLink[];
  records: number;
  hundredths: number;
}

interface NotCountedTableProps {
  progress: TargetProgress;
  today: string;
  onPaper: boolean;
}

/** What of the log does not count towards a target, why, and where those records are. */
export function NotCountedTable({ progress, today, onPaper }: NotCountedTableProps) {
  const rows = [...outsideRows(progress, today), ...itemRows(progress, today)];
  if (rows.length === 0) return null;
  const heading = `not-counted-${progress.target.id}`;
  return (
    <>
      <h3 id={heading}>What does not count, and why</h3>
      <table className="numbers reasons" aria-labelledby={heading}>
        <thead>
          <tr>
            <th scope="col">Reason</th>
            <th scope="col">Records</th>
            <th scope="col">Hours</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, text, links, records, hundredths }) => (
            <tr key={key}>
              <th scope="row">
                {text} {!onPaper && <RecordsLinks all="Show records" links={links} />}
              </th>
              <td>{records}</td>
              <td>{formatHours(hundredths)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The hours that no item asks for: of all methods together, and of a kind without methods. */
function outsideRows({ target: { since }, outside }: TargetProgress, today: string): Row[] {
  return [...new Set(outside.map(({ kind }) => kind))].map((kind) => {
    const own = outside.filter((row) => row.kind === kind);
    const methods = METHODS.filter((method) => own.some((row) => row.method === method));
    return {
      key: kind,
      text: "Methods that are not part of this target.",
      links: recordsLinks({ kind, methods, since, today, reason: "over_12_hours_a_day" }),
      records: own.reduce((sum, { records }) => sum + records, 0),
      hundredths: own.reduce((sum, { hundredths }) => sum + hundredths, 0),
    };
  });
}

/** The hours of each item's own methods that do not count. */
function itemRows({ target: { since }, items }: TargetProgress, today: string): Row[] {
  return items.flatMap(({ title, kind, methods, notCounted }, index) =>
    notCounted.map(({ reason, records, hundredths }) => ({
      key: `${index} ${reason}`,
      text: `${title}: ${REASON_TEXTS[reason](since)}`,
      links: recordsLinks({ kind, methods, since, today, reason }),
      records,
      hundredths,
    })),
  );
}

const REASON_TEXTS: Record<Reason, (since: string | null) => string> = {
  in_the_future: () => "dated in the future.",
  before_since: (since) => `dated before ${since ? formatDate(since) : "this target"}.`,
  declined: () => "declined by a supervisor.",
  over_12_hours_a_day: () => "more than 12 hours on one day.",
  brought_forward: () => "brought forward, so their months are not known.",
};
