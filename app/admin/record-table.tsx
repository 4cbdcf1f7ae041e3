import { displayName } from "#app/accounts/user.ts";
import type { Kind } from "#app/records/kinds.ts";
import { Value } from "#app/records/record-facts.tsx";
import { StateCell } from "#app/records/status-cell.tsx";
import { ViaLegend } from "#app/records/via.tsx";
import { DeleteCell } from "./delete-cell.tsx";
import type { OwnedRecord } from "./lists.server.ts";
import { recordsHref } from "./view.ts";

/**
 * The table of all users' records of a kind; on narrow screens the style sheet shows each row as a card. The kind's
 * first field links to the record's page, and the owner follows it.
 */
export function RecordTable({ kind, records }: { kind: Kind; records: OwnedRecord[] }) {
  const [first, ...others] = kind.shown;
  if (!first) return null;
  return (
    <>
      <table className="list">
        <thead>
          <tr>
            <th>{first.label}</th>
            <th>Technician</th>
            {others.map(({ label }) => (
              <th key={label} className={label === "Hours" ? "number" : undefined}>
                {label}
              </th>
            ))}
            <th>Supervisor Signature</th>
            <th>Actions</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={record.id} className={record.status}>
              <td>
                <a href={`${kind.adminPath}/${record.id}`}>
                  <Value of={first.value(record)} />
                </a>
              </td>
              <td>
                <a href={recordsHref(kind, record.user.id)}>{displayName(record.user)}</a>
              </td>
              {others.map((field) => {
                const value = field.value(record);
                return (
                  <td key={field.label} className={"hours" in value ? "number" : undefined}>
                    <Value of={value} />
                  </td>
                );
              })}
              <StateCell status={record.status} verifiedBy={record.verifiedBy} verifiedVia={record.verifiedVia} />
              <DeleteCell id={record.id} />
            </tr>
          ))}
        </tbody>
      </table>
      <ViaLegend records={records} />
    </>
  );
}
