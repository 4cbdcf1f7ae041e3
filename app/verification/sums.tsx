import { KINDS, kindNamed } from "#app/records/all-kinds.ts";
import { formatHours } from "#app/records/hours.ts";
import { countRecords, hasMethods, hundredthsOf, isExperience, type ShownRecord } from "#app/records/kind.ts";

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
  const methods = new Set(KINDS.filter(hasMethods).flatMap(({ groups }) => groups));
  const experience = new Set(KINDS.filter(isExperience).flatMap(({ groups }) => groups));
  const isExperienceOnly = sums.every(({ group }) => experience.has(group));
  const isByMethod = isExperienceOnly && sums.some(({ group }) => methods.has(group));
  const cells = (name: string, records: number, hundredths: number | null): string[] => [
    ...[name, String(records)],
    ...(total === null ? [] : [hundredths === null ? "" : formatHours(hundredths)]),
  ];
  return {
    head: [isByMethod ? "NDT Method" : "Records of", "Records", ...(total === null ? [] : ["Hours"])],
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

interface SumsTableProps {
  sums: GroupSum[];
  /** The part that is still verified, in place of the number of records: four columns are too wide for a phone. */
  still?: GroupSum[] | undefined;
}

/** Sums by NDT method, and the total. */
export function SumsTable({ sums, still }: SumsTableProps) {
  const { head, rows, total } = sumsTable(sums);
  if (still) {
    const hours = (of: readonly GroupSum[]) => addHundredths(of.map(({ hundredths }) => hundredths));
    const count = (of: readonly GroupSum[]) => of.reduce((all, { records }) => all + records, 0);
    const isOfHours = hours(sums) !== null;
    for (const line of [head, ...rows, total]) if (isOfHours) line.splice(1, 1);
    head.push("Still verified");
    for (const [index, row] of rows.entries()) row.push(stillText(sums[index], still));
    total.push(isOfHours ? formatHours(hours(still) ?? 0) : `${count(still)} of ${count(sums)}`);
  }
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
          {total.slice(1).map((cell, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as `Cells`
            <td key={index}>{head[index + 1] === "Records" ? cell : <b>{cell}</b>}</td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}

/** The same sums on the page of a supervisor, with the total in the last cell. */
export function SumsList({ sums }: Pick<SumsTableProps, "sums">) {
  const [label = "", records, hours] = sumsTable(sums).total;
  return (
    <dl className="sums">
      {sums.map((sum) => (
        <div key={sum.group}>
          <dt>
            <span className="plate">{sum.group}</span>
          </dt>
          <dd>{sum.hundredths === null ? countRecords(sum.records) : formatHours(sum.hundredths)}</dd>
        </div>
      ))}
      <div className="all">
        <dt>{label}</dt>
        <dd>{hours ?? countRecords(Number(records))}</dd>
      </div>
    </dl>
  );
}

/** Returns the part of a sum that is still verified: its hours, or how many of its records. */
function stillText(sum: GroupSum | undefined, still: readonly GroupSum[]): string {
  const now = still.find(({ group }) => group === sum?.group);
  return sum?.hundredths === null ? `${now?.records ?? 0} of ${sum.records}` : formatHours(now?.hundredths ?? 0);
}

function Cells({ of: cells }: { of: string[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row have an order and nothing else
  return cells.map((cell, index) => <td key={index}>{cell}</td>);
}
