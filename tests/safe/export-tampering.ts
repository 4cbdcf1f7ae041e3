import { pick } from "#demo/random.ts";
import { type Paper, type PaperRow, sumsOf } from "./export-paper.ts";
import type { ExportedForm, ExportWorld } from "./export-world.ts";

/** The checks by which an auditor finds it: each alone is enough. */
export type FoundBy = "check" | "statement";

/** The altered parts: the paper, the database past its triggers, or both. */
export interface Altered {
  paper: Paper;
  statements: string[];
}

/** A way to alter a form or what the app has of it, at a random place; null if there is no such place in this form. */
export interface ExportTampering {
  name: string;
  foundBy: FoundBy[];
  alter(place: Place): Altered | Promise<Altered> | null;
}

export interface Place {
  form: ExportedForm;
  /** Another form, of another technician or another moment. */
  other: ExportedForm;
  record: ExportedForm["records"][number];
  /** The row of that record on the paper. */
  row: PaperRow;
  world: ExportWorld;
  next: () => number;
}

/** A random place in a random form. The paper may be altered. */
export function randomPlace(world: ExportWorld, next: () => number): Place {
  const chosen = pick(next, world.forms);
  const form = { ...chosen, paper: structuredClone(chosen.paper) };
  const other = pick(
    next,
    world.forms.filter(({ id }) => id !== form.id),
  );
  const record = pick(next, form.records);
  const row = form.paper.rows[record.position - 1];
  if (!row) throw new Error("a record is not on its paper");
  return { form, other, record, row, world, next };
}

/** Alters the paper alone. `change` returns false if there is no such place. */
export function onPaper(
  name: string,
  foundBy: FoundBy[],
  change: (paper: Paper, place: Place) => unknown,
): ExportTampering {
  return {
    name: `on paper: ${name}`,
    foundBy,
    alter: (place) => (change(place.form.paper, place) === false ? null : { paper: place.form.paper, statements: [] }),
  };
}

/** Alters the database alone, past its triggers. */
export function inDatabase(name: string, change: (place: Place) => string[]): ExportTampering {
  return {
    name: `in the database: ${name}`,
    foundBy: ["check"],
    alter: (place) => {
      const statements = change(place);
      return statements.length > 0 ? { paper: place.form.paper, statements } : null;
    },
  };
}

/** Prints the sums of the rows again. */
export function sumUp(paper: Paper): void {
  Object.assign(paper, sumsOf(paper.rows));
}

/** At least what changes the printed hours. */
export function moreHundredths(next: () => number): number {
  return 10 + Math.floor(next() * 1_000);
}

export function movedDay(day: string, next: () => number): string {
  const days = (2 + Math.floor(next() * 300)) * (next() < 0.5 ? -1 : 1);
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
