import { kindNamed } from "#app/records/kinds.ts";
import { recordLine } from "#app/records/record-line.tsx";
import type { Choosable } from "./new-page.server.ts";

/** The hours of some records by their method, in hundredths, or by their kind if it has no methods. The most come first. */
export function sumsOf(records: Choosable[]): [label: string, hundredths: number][] {
  const sums = new Map<string, number>();
  for (const { kind: name, record } of records) {
    const kind = kindNamed(name);
    const { label, hundredths } = recordLine(kind, record);
    const key = label && "text" in label ? label.text : kind.texts.title;
    sums.set(key, (sums.get(key) ?? 0) + hundredths);
  }
  return [...sums].sort(([, one], [, other]) => other - one);
}
