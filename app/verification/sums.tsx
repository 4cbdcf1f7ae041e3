import { KINDS, kindNamed } from "#app/records/all-kinds.ts";
import { formatHours } from "#app/records/hours.ts";
import { hundredthsOf, isExperience, type ShownRecord } from "#app/records/kind.ts";

/** The records of one NDT method, all rope hours, all training, or the certificates of one category. */
export interface GroupSum {
  group: string;
  records: number;
  /** Null for a kind without hours. */
  hundredths: number | null;
}

/** The sums of records by NDT method, in the order of the log; the other kinds have groups of their own. */
export function sumsByGroup(records: readonly { kind: string; record: ShownRecord }[]): GroupSum[] {
  return addSums(
    records.map(({ kind, record }) => ({
      group: kindNamed(kind).groupOf(record),
      records: 1,
      hundredths: hundredthsOf(record),
    })),
  );
}

/** The sum of hours in hundredths; null if there are none at all. */
export function addHundredths(parts: readonly (number | null)[]): number | null {
  return parts.reduce((sum, part) => (part === null ? sum : (sum ?? 0) + part), null);
}

/** The texts of a table of sums, and of its last row. */
export function sumsTable(sums: readonly GroupSum[]) {
  const total = addHundredths(sums.map(({ hundredths }) => hundredths));
  const experience = new Set(KINDS.filter(isExperience).flatMap(({ groups }) => groups));
  const isExperienceOnly = sums.every(({ group }) => experience.has(group));
  const cells = (name: string, records: number, hundredths: number | null): string[] => [
    ...[name, String(records)],
    ...(total === null ? [] : [hundredths === null ? "" : formatHours(hundredths)]),
  ];
  return {
    head: [isExperienceOnly ? "NDT Method" : "Records of", "Records", ...(total === null ? [] : ["Hours"])],
    rows: sums.map(({ group, records, hundredths }) => cells(group, records, hundredths)),
    total: cells(
      isExperienceOnly ? "Total Hours:" : "Total:",
      sums.reduce((all, { records }) => all + records, 0),
      total,
    ),
  };
}

/** Adds up the sums of each group, in the order of the log. */
export function addSums(parts: readonly GroupSum[]): GroupSum[] {
  const sums = new Map<string, GroupSum>();
  for (const { group, records, hundredths } of parts) {
    const sum = sums.get(group) ?? { group, records: 0, hundredths: null };
    sum.records += records;
    sum.hundredths = addHundredths([sum.hundredths, hundredths]);
    sums.set(group, sum);
  }
  return KINDS.flatMap(({ groups }) => groups.flatMap((group) => sums.get(group) ?? []));
}

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
