import type { Via } from "#app/db/enumerations.ts";
import { toHundredths } from "#app/records/hours.ts";
import type { ShownRecord } from "#app/records/kind.ts";
import { type GroupSum, sumsByGroup } from "#app/verification/sums.tsx";
import { type CheckedRecord, type ShownExport, statesOf } from "./check.server.ts";
import type { RecordState } from "./check-state.server.ts";

/** How many records a page of a check shows. */
const PAGE_SIZE = 100;

/** A record with its place on the form, from 1. */
export interface PlacedRecord {
  record: CheckedRecord;
  place: number;
}

/**
 * A page of a check: what it says of all records, and the records of the page. It is all that the loader returns, because
 * Remix encodes that once more, which took longer than rendering.
 */
export interface CheckPage extends Omit<ShownExport, "records" | "statement"> {
  count: number;
  hundredths: number;
  sums: GroupSum[];
  vias: Via[];
  states: Record<RecordState, number>;
  /** The address of the first record in each state that has any, on this page or another. */
  firsts: Partial<Record<RecordState, string>>;
  /** From 1. */
  page: number;
  pages: number;
  /** How many records are on the pages before. */
  start: number;
  records: PlacedRecord[];
}

/** A page of a check, changed records first. One after the last page is the last. */
export function checkPage({ records, statement: _, ...shown }: ShownExport, wanted: number): CheckPage {
  const ordered = changedFirst(records);
  const pages = Math.max(1, Math.ceil(records.length / PAGE_SIZE));
  const page = Math.min(wanted, pages);
  const start = (page - 1) * PAGE_SIZE;
  const states = statesOf(records);
  const firsts = Object.keys(states).flatMap((state) => {
    const index = ordered.findIndex(({ record }) => record.state === state);
    const itsPage = Math.floor(index / PAGE_SIZE) + 1;
    const href = `${itsPage === page ? "" : `?page=${itsPage}`}#r${ordered[index]?.place}`;
    return index < 0 ? [] : [[state, href]];
  });
  return {
    ...shown,
    count: records.length,
    hundredths: records.reduce((sum, { content }) => sum + toHundredths(Number(content.hours ?? 0)), 0),
    // The sums need only the fields of the kind.
    sums: sumsByGroup(records.map(({ type, content }) => ({ kind: type, record: content as unknown as ShownRecord }))),
    vias: [...new Set(records.map(({ via }) => via))],
    states,
    firsts: Object.fromEntries(firsts),
    page,
    pages,
    start,
    records: ordered.slice(start, start + PAGE_SIZE),
  };
}

/** The records that are not unchanged, then the others, each in the order of the form. */
function changedFirst(records: CheckedRecord[]): PlacedRecord[] {
  const placed = records.map((record, index) => ({ record, place: index + 1 }));
  const isUnchanged = ({ record }: PlacedRecord) => record.state === "unchanged";
  return [...placed.filter((one) => !isUnchanged(one)), ...placed.filter(isUnchanged)];
}
