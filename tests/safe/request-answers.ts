import { expect } from "vitest";
import { pick } from "#demo/random.ts";
import { type Act, endWaiting, keyOf, type Named, type Request, type World } from "./request-model.ts";

/** A supervisor verifies, declines and leaves for later. */
export const answer: Act = async (world) => {
  const { app, next, records, requests } = world;
  if (requests.length === 0) return;
  const request = pick(next, requests);
  const keys = [...request.items.keys()];
  const waiting = keys.filter((key) => request.items.get(key) === "waiting");
  const dice = new Map(keys.map((key) => [key, next()]));
  const isDeclined = (key: string) => (dice.get(key) ?? 0) < 0.3;
  const isSkipped = (key: string) => (dice.get(key) ?? 0) > 0.75;
  const body = {
    supervisorName: "Ola Hansen",
    declined: keys.filter(isDeclined).map((key) => ({ ...named(key), reason: "No" })),
    skipped: keys.filter(isSkipped).map(named),
  };
  const { status } = await app.json("POST", `/api/verify/${request.token}`, body);
  const decided = waiting.filter((key) => !isSkipped(key));
  expect([world.trace, status === 200]).toEqual([world.trace, waiting.length > 0]);
  for (const key of decided) {
    const record = records.find((one) => keyOf(one) === key);
    request.items.set(key, isDeclined(key) ? "declined" : "verified");
    endWaiting(world, key, request);
    if (record && isDeclined(key)) record.isDeclined = true;
    else if (record) Object.assign(record, { verifiedBy: "Ola Hansen", isDeclined: false });
  }
  const verified = decided.filter((key) => !isDeclined(key));
  if (verified.length > 0) await notice(world, request, verified);
};

/** The record of a key, as the calls name it. */
function named(key: string): Named {
  const [type, id] = key.split(" ");
  return { type: type === "entry" ? "entry" : "rope_hour", id: Number(id) };
}

/** Gets the notice of the verifications at once: as if the last notice to the address was a day ago. */
async function notice({ app }: World, request: Request, keys: string[]): Promise<void> {
  await app.nextDay();
  app.mailChannels.reset();
  await app.tick(new Date());
  await app.idle();
  const mail = app.mailChannels.delivered.find(({ to, text }) => to === request.email && text.includes("/disown/"));
  const path = mail?.text.match(/\/disown\/[\w.-]+/)?.[0];
  expect(path).toBeDefined();
  request.notices.push({ path: path ?? "", keys });
}

export const disown: Act = async (world) => {
  const all = world.requests.flatMap((request) => request.notices.map((one) => ({ request, ...one })));
  if (all.length === 0) return;
  const { request, path, keys } = pick(world.next, all);
  const mine = keys.filter((key) => request.items.get(key) === "verified");
  const answer = await world.app.json("POST", `/api${path}`, {});
  expect([world.trace, answer.json()]).toMatchObject([world.trace, { disowned: mine.length }]);
  for (const key of mine) {
    request.items.set(key, "ended");
    const record = world.records.find((one) => keyOf(one) === key);
    if (record) record.verifiedBy = null;
  }
};
