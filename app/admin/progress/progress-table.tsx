import { recordsHref } from "#app/admin/view.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { formatHours } from "#app/records/hours.ts";
import { formatDate } from "#app/ui/calendar-date.ts";
import { percentOf } from "./percent.ts";
import type { TechnicianProgress } from "./progress-list.server.ts";
import { columnLabel, type ProgressView, sortHref, sortsOf } from "./progress-view.ts";

/** The table of technicians; on narrow screens the style sheet shows each row as a card with the columns' names. */
export function ProgressTable({ view, technicians }: { view: ProgressView; technicians: TechnicianProgress[] }) {
  const { preset, sort, isDescending } = view;
  const order = isDescending ? "descending" : "ascending";
  return (
    <table className="list progress-list">
      <thead>
        <tr>
          {sortsOf(preset).map((name) => (
            <th
              key={name}
              className={name === "name" ? undefined : "number"}
              aria-sort={name === sort ? order : undefined}
            >
              <a href={sortHref(view, name)}>{columnLabel(name, preset)}</a>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {technicians.map(({ id, name, email, employeeNumber, verified, waiting, last, items }) => (
          <tr key={id}>
            <td className="full">
              <a href={recordsHref(entryKind, id)} dir="auto">
                {name || email}
              </a>
              {employeeNumber && <span className="hint"> {employeeNumber}</span>}
            </td>
            <Cell label="Verified">{formatHours(verified)}</Cell>
            <Cell label="Waiting">{formatHours(waiting)}</Cell>
            <Cell label="Last entry">{last ? <time dateTime={last}>{formatDate(last)}</time> : "None"}</Cell>
            {preset?.items.map(({ title, required }, index) => (
              <Cell key={title} label={title}>{`${percentOf(items[index] ?? 0, required)} %`}</Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <td className="number">
      <span className="cell-label">{label}</span> {children}
    </td>
  );
}
