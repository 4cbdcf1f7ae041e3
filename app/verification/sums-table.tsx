import { formatHours } from "#app/records/hours.ts";
import type { GroupSum } from "./sums.ts";

/** Sums by NDT method, and the total. */
export function SumsTable({ sums }: { sums: GroupSum[] }) {
  const total = (value: (sum: GroupSum) => number) => sums.reduce((all, sum) => all + value(sum), 0);
  return (
    <table className="sums">
      <thead>
        <tr>
          <th>NDT Method</th>
          <th>Records</th>
          <th>Hours</th>
        </tr>
      </thead>
      <tbody>
        {sums.map(({ group, records, hundredths }) => (
          <tr key={group}>
            <th scope="row">
              <span className="plate">{group}</span>
            </th>
            <td>{records}</td>
            <td>{formatHours(hundredths)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total Hours:</th>
          <td>{total(({ records }) => records)}</td>
          <td>
            <b>{formatHours(total(({ hundredths }) => hundredths))}</b>
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
