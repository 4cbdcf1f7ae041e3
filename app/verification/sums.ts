import { toHundredths } from "#app/records/hours.ts";
import { KINDS, kindNamed, type ShownRecord } from "#app/records/kinds.ts";

/** The records of one NDT method, or all rope hours. */
export interface GroupSum {
  group: string;
  records: number;
  hundredths: number;
}

/** The sums of records by NDT method, in the order of the log, with rope hours as one group. */
export function sumsByGroup(records: readonly { kind: string; record: ShownRecord }[]): GroupSum[] {
  return addSums(
    records.map(({ kind, record }) => ({
      group: kindNamed(kind).groupOf(record),
      records: 1,
      hundredths: toHundredths(record.hours),
    })),
  );
}

/** Adds up the sums of each group, in the order of the log. */
export function addSums(parts: readonly GroupSum[]): GroupSum[] {
  const sums = new Map<string, GroupSum>();
  for (const { group, records, hundredths } of parts) {
    const sum = sums.get(group) ?? { group, records: 0, hundredths: 0 };
    sum.records += records;
    sum.hundredths += hundredths;
    sums.set(group, sum);
  }
  return KINDS.flatMap(({ groups }) => groups.flatMap((group) => sums.get(group) ?? []));
}
