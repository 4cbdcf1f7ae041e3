import { type GroupSum, sumsTable } from "./sums.ts";

/** Sums by NDT method, and the total. */
export function SumsTable({ sums }: { sums: GroupSum[] }) {
  const { head, rows, total } = sumsTable(sums);
  return (
    <table className="sums">
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name}>{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([group, ...cells]) => (
          <tr key={group}>
            <th scope="row">
              <span className="plate">{group}</span>
            </th>
            <Cells of={cells} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{total[0]}</th>
          <td>{total[1]}</td>
          {total[2] !== undefined && (
            <td>
              <b>{total[2]}</b>
            </td>
          )}
        </tr>
      </tfoot>
    </table>
  );
}

function Cells({ of: cells }: { of: string[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row have an order and nothing else
  return cells.map((cell, index) => <td key={index}>{cell}</td>);
}
