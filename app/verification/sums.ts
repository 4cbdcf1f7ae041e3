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
  const sums = new Map<string, GroupSum>();
  for (const { kind, record } of records) {
    const group = kindNamed(kind).groupOf(record);
    const sum = sums.get(group) ?? { group, records: 0, hundredths: 0 };
    sum.records += 1;
    sum.hundredths += toHundredths(record.hours);
    sums.set(group, sum);
  }
  return KINDS.flatMap(({ groups }) => groups.flatMap((group) => sums.get(group) ?? []));
}
