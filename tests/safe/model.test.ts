import fc from "fast-check";
import { expect } from "vitest";
import { type App, startApp } from "#tests/worker/app.ts";
import { reportFigure, search } from "./figures.ts";
import { newModel, PEOPLE } from "./model.ts";
import { COMMANDS } from "./model-commands.ts";

/*
 * Random sequences of user actions, compared with a model that consists of a few lists: after each step every user sees
 * what the model says. A failing sequence can be repeated by its seed, and is shrunk. The last tests check the test
 * itself: the same app with a piece removed from its SQL must fail here.
 */

const runs = Number(process.env.SAFE_SEQUENCES) || 8;
const seed = Number(process.env.SAFE_SEED) || 2026_11_21;

/** Runs sequences on an app. Returns what fast-check found, and the number of steps. */
async function explore(app: App, numRuns: number, shrink: boolean) {
  const admin = await app.register({ isAdmin: true });
  let run = 0;
  let steps = 0;
  const sequences = fc.commands(COMMANDS, { maxCommands: 60, size: "max" });
  const property = fc.asyncProperty(sequences, async (commands) => {
    run += 1;
    const model = newModel(String(run));
    const people = Array.from({ length: PEOPLE }, () => app.as(new Map()));
    const real = { app, people, admin, anonymous: app };
    await fc.asyncModelRun(() => ({ model, real }), commands);
    steps += [...commands].length;
  });
  const details = await fc.check(property, { seed, numRuns, endOnFailure: !shrink });
  return { details, steps };
}

search(
  `what users see equals the model after every step of ${runs} sequences`,
  {
    timeout: 10 * 60_000 + runs * 60_000,
  },
  async () => {
    const app = await startApp();
    const { details, steps } = await explore(app, runs, true);
    if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
    expect(steps).toBeGreaterThan(runs * 5);
    reportFigure("Random sequences against the model", `${steps} steps in ${runs} sequences, no difference`);
  },
);

const BROKEN: [what: string, from: string, to: string][] = [
  ["saves a form that came twice", 'NOT EXISTS (SELECT 1 FROM "records"', '1 OR EXISTS (SELECT 1 FROM "records"'],
  [
    "leaves sessions open behind a reset",
    'delete from "sessions" where user_id',
    'delete from "sessions" where 0 AND user_id',
  ],
  ["lists entries by their id alone", 'order by "records"."date" desc, ', "order by "],
];

for (const [what, from, to] of BROKEN) {
  search(`the test detects an app that ${what}`, async () => {
    const broken = await startApp({ sabotage: [[from, to]] });
    expect((await explore(broken, 20, false)).details.failed).toBe(true);
  });
}
