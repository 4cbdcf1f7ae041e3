import { expect } from "vitest";
import { randomFrom } from "#demo/random.ts";
import { type MailApp, startMailApp } from "#tests/worker/mail.ts";
import { reportFigure, search } from "./figures.ts";
import { step } from "./request-commands.ts";
import { compare, type World } from "./request-model.ts";

/*
 * Random sequences of requests of one or several records, of both kinds: asked for again, reminded of, sent to another supervisor, answered in parts,
 * declined, disowned, withdrawn, expired, edited, deleted and restored. After each step the technician's lists, a supervisor's
 * link and the reminders are as a model of three lists says. Accounts and lost answers are in model.test.ts. The last test checks the test itself with an app in which a decision leaves the record
 * waiting in other requests.
 */

const wanted = Number(process.env.SAFE_SEQUENCES) || 2;
const first = Number(process.env.SAFE_SEED) || 1;
const STEPS = 25;

async function worldOf(app: MailApp, seed: number): Promise<World> {
  const ada = await app.register();
  const made = [
    ...(await ada.addEntries(3)).map(({ id, hours }) => ({ type: "entry" as const, id, hours })),
    ...[await ada.addRopeHours(), await ada.addRopeHours()].map(({ id, hours }) => ({
      type: "rope_hour" as const,
      id,
      hours,
    })),
  ];
  const supervisors = [await ada.addSupervisor(), await ada.addSupervisor()];
  const records = made.map((facts) => ({ ...facts, verifiedBy: null, isDeclined: false, own: null }));
  return { app, next: randomFrom(seed), ada, records, deleted: [], requests: [], supervisors, trace: [`seed ${seed}`] };
}

async function explore(app: MailApp, sequences: number): Promise<number> {
  let steps = 0;
  for (let seed = first; seed < first + sequences; seed += 1) {
    const world = await worldOf(app, seed);
    for (let n = 0; n < STEPS && world.records.length > 0; n += 1) {
      await step(world);
      await compare(world);
      steps += 1;
    }
  }
  return steps;
}

const timeout = 10 * 60_000 + wanted * 30_000;

search(`requests are as a model says after every step of ${wanted} sequences`, { timeout }, async () => {
  const steps = await explore(await startMailApp(), wanted);
  expect(steps).toBeGreaterThan(wanted * 10);
  reportFigure("Requests against the model", `${steps} steps in ${wanted} sequences, no difference`);
});

search("this test detects a decision that leaves its record waiting in other requests", async () => {
  const left: [string, string] = ["where state = 'waiting' AND record_id IN", "where 0 AND record_id IN"];
  const app = await startMailApp({}, { sabotage: [left] });
  await expect(explore(app, 20)).rejects.toThrow();
});
