import { expect, test } from "vitest";
import { randomFrom } from "#demo/random.ts";
import { startApp } from "#tests/worker/app.ts";
import { type Answers, ask, audit, type Findings } from "./auditor.ts";
import { type ExportTampering, type FoundBy, randomPlace } from "./export-tampering.ts";
import { startExportWorld } from "./export-world.ts";
import { reportFigure } from "./figures.ts";
import { MATCHING_TAMPERINGS } from "./matching-tamperings.ts";
import { PAPER_TAMPERINGS } from "./paper-tamperings.ts";
import { SIGNATURE_TAMPERINGS } from "./signature-tamperings.ts";
import { restore, snapshotOf } from "./snapshot.ts";
import { STORED_EXPORT_TAMPERINGS } from "./stored-export-tamperings.ts";

/*
 * A forger alters a form on paper, the app's data about it past its triggers, or both, each time in another place. An
 * auditor who follows docs/proof.md finds every alteration by the check page or the statement, and by each of those
 * that can. The last test checks the test itself, with a check page that misses some.
 */

const WAYS: ExportTampering[] = [
  ...PAPER_TAMPERINGS,
  ...SIGNATURE_TAMPERINGS,
  ...STORED_EXPORT_TAMPERINGS,
  ...MATCHING_TAMPERINGS,
];

/** Each way at least once: only all ways together need every comparison of the auditor. */
const wanted = Math.max(Number(process.env.SAFE_TAMPERINGS) || 0, WAYS.length);
const seed = Number(process.env.SAFE_SEED) || 2026_11_22;

const app = await startApp();
const { db } = app;
const world = await startExportWorld(app);
const whole = await snapshotOf(db);
const ORIGIN = "http://localhost";

interface Found {
  name: string;
  foundBy: FoundBy[];
  statements: string[];
  findings: Findings;
}

/** Makes that many alterations, in each way in turn. Returns what an auditor finds who gets the answers of the app like this. */
async function foundOf(times: number, seen = (answers: Answers) => answers): Promise<Found[]> {
  const next = randomFrom(seed);
  const found: Found[] = [];
  while (found.length < times) {
    const { name, foundBy, alter } = WAYS[found.length % WAYS.length] ?? failed();
    const altered = await alter(randomPlace(world, next));
    if (!altered) continue; // another place
    const { paper, statements } = altered;
    if (statements.length > 0) await db.batch(statements.map((sql) => db.prepare(sql)));
    found.push({ name, foundBy, statements, findings: audit(paper, seen(await ask(app, paper)), ORIGIN) });
    if (statements.length > 0) await restore(db, whole);
  }
  return found;
}

const failed = () => {
  throw new Error("there is no way to alter a form");
};

/** The alterations that were not found by each of what can find them. */
function missedIn(found: Found[]): string[] {
  return found.flatMap(({ name, foundBy, statements, findings }) => {
    const blind = foundBy.filter((how) => findings[how].length === 0);
    return blind.length > 0 ? [`${name}, by ${blind.join(" and ")}: ${statements.join("; ")}`] : [];
  });
}

/** The comparisons of which each is the only one to find some alteration: if one is lost, the test fails. */
const ALONE = [
  ...["code", "name", "number", "day", "sums", "total", "records", "record", "state"].map((one) => `check ${one}`),
  ...["signature", "name", "number", "day", "sums", "total", "records", "rows"].map((one) => `statement ${one}`),
];

function aloneIn(found: Found[]): string[] {
  return found.flatMap(({ foundBy, findings }) =>
    foundBy.flatMap((how) => {
      const compared = new Set(findings[how].map((text) => `${how} ${text.split(":")[0]}`));
      return compared.size === 1 ? [...compared] : [];
    }),
  );
}

test("an auditor finds nothing wrong with an unaltered form", async () => {
  expect(world.forms.map(({ paper }) => paper.rows.length)).toEqual([4, 10, 3, 4]);
  for (const { paper } of world.forms) {
    expect(audit(paper, await ask(app, paper), ORIGIN)).toEqual({ check: [], statement: [] });
  }
});

test(`each of ${wanted} alterations of a form, or of what is stored of it, is found`, {
  timeout: 10 * 60_000 + wanted * 1000,
}, async () => {
  const found = await foundOf(wanted);
  expect(missedIn(found)).toEqual([]);
  expect(aloneIn(found)).toEqual(expect.arrayContaining(ALONE));
  reportFigure("Alterations of forms", `${wanted} of ${wanted} found, in ${WAYS.length} ways`);
});

test("this test detects a check page that takes every record for unchanged", async () => {
  const missed = missedIn(
    await foundOf(WAYS.length, ({ check, keys }) => ({
      check: check && { ...check, records: check.records.map((record) => ({ ...record, state: "unchanged" })) },
      keys,
    })),
  );
  const names = missed.map((text) => text.split(",")[0]);
  for (const way of ["the time of verification of a record", "an event is removed", "the seal of an export"]) {
    expect(names).toContain(`in the database: ${way}`);
  }
});
