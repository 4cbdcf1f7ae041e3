import { expect } from "vitest";
import { pick } from "#demo/random.ts";
import { endWaiting, type Request, renewable, type World } from "./request-model.ts";

const DAY = 86_400_000;

type Act = (world: World) => Promise<void>;

/** Asks about one entry: a new request, or the one of its own again, for the same supervisor or another. */
const askOne: Act = async (world) => {
  const { ada, next, entries, supervisors, requests } = world;
  const [entry, supervisor] = [pick(next, entries), pick(next, supervisors)];
  if (!entry) return;
  const answer = await ada.json("POST", `/api/verify-request/${entry.id}`, { supervisorId: supervisor.id });
  expect([world.trace, answer.status]).toEqual([world.trace, entry.verifiedBy ? 409 : 200]);
  if (entry.verifiedBy) return;
  const { verificationToken: token } = answer.json<{ verificationToken: string }>();
  const renewed = renewable(entry);
  expect([world.trace, token === renewed?.token]).toEqual([world.trace, renewed !== null]);
  if (renewed) {
    renewed.email = supervisor.email;
    return;
  }
  const all = (await ada.get("/api/verification-requests")).json<{ id: number; verificationToken: string }[]>();
  const id = all.find(({ verificationToken }) => verificationToken === token)?.id ?? 0;
  const made = { id, token, email: supervisor.email, reminders: true, notices: [] };
  entry.own = { ...made, items: new Map([[entry.id, "waiting" as const]]) };
  entry.isDeclined = false;
  requests.push(entry.own);
};

const askSeveral: Act = async (world) => {
  const { ada, next, entries, supervisors, requests } = world;
  const some = entries.filter(({ verifiedBy }) => next() < (verifiedBy ? 0.05 : 0.6));
  const supervisor = pick(next, supervisors);
  if (some.length === 0) return;
  const records = some.map(({ id }) => ({ type: "entry", id }));
  const answer = await ada.json("POST", "/api/verification-requests", { supervisorId: supervisor.id, records });
  const isRefused = some.some(({ verifiedBy }) => verifiedBy);
  expect([world.trace, answer.status]).toEqual([world.trace, isRefused ? 409 : 201]);
  if (isRefused) return;
  const { id, verificationToken: token } = answer.json<{ id: number; verificationToken: string }>();
  for (const entry of some) entry.isDeclined = false;
  const items = new Map(some.map((entry) => [entry.id, "waiting" as const]));
  requests.push({ id, token, email: supervisor.email, reminders: true, items, notices: [] });
};

/** A supervisor verifies, declines and leaves for later. */
const answer: Act = async (world) => {
  const { app, next, entries, requests } = world;
  if (requests.length === 0) return;
  const request = pick(next, requests);
  const waiting = [...request.items].flatMap(([id, state]) => (state === "waiting" ? [id] : []));
  const dice = new Map([...request.items.keys()].map((id) => [id, next()]));
  const item = (id: number) => ({ type: "entry", id });
  const isDeclined = (id: number) => (dice.get(id) ?? 0) < 0.3;
  const isSkipped = (id: number) => (dice.get(id) ?? 0) > 0.75;
  const ids = [...request.items.keys()];
  const body = {
    supervisorName: "Ola Hansen",
    declined: ids.filter(isDeclined).map((id) => ({ ...item(id), reason: "No" })),
    skipped: ids.filter(isSkipped).map(item),
  };
  const { status } = await app.json("POST", `/api/verify/${request.token}`, body);
  const decided = waiting.filter((id) => !isSkipped(id));
  expect([world.trace, status === 200]).toEqual([world.trace, waiting.length > 0]);
  for (const id of decided) {
    const entry = entries.find((one) => one.id === id);
    request.items.set(id, isDeclined(id) ? "declined" : "verified");
    endWaiting(world, id, request);
    if (entry && isDeclined(id)) entry.isDeclined = true;
    else if (entry) Object.assign(entry, { verifiedBy: "Ola Hansen", isDeclined: false });
  }
  const verified = decided.filter((id) => !isDeclined(id));
  if (verified.length > 0) await notice(world, request, verified);
};

/** What is verified is told at once: as if the last notice to the address was a day ago. */
async function notice({ app }: World, request: Request, ids: number[]): Promise<void> {
  await app.idle();
  await app.db.prepare("UPDATE supervisor_notices SET created_at = created_at - ?").bind(DAY).run();
  app.mailChannels.reset();
  await app.tick(new Date());
  await app.idle();
  const mail = app.mailChannels.delivered.find(({ to, text }) => to === request.email && text.includes("/disown/"));
  const path = mail?.text.match(/\/disown\/[\w.-]+/)?.[0];
  expect(path).toBeDefined();
  request.notices.push({ path: path ?? "", ids });
}

const disown: Act = async (world) => {
  const all = world.requests.flatMap((request) => request.notices.map((one) => ({ request, ...one })));
  if (all.length === 0) return;
  const { request, path, ids } = pick(world.next, all);
  const mine = ids.filter((id) => request.items.get(id) === "verified");
  const answer = await world.app.json("POST", `/api${path}`, {});
  expect([world.trace, answer.json()]).toMatchObject([world.trace, { disowned: mine.length }]);
  for (const id of mine) {
    request.items.set(id, "ended");
    const entry = world.entries.find((one) => one.id === id);
    if (entry) entry.verifiedBy = null;
  }
};

const edit: Act = async (world) => {
  const entry = pick(world.next, world.entries);
  if (!entry) return;
  const hours = 1 + Math.floor(world.next() * 20);
  const { status } = await world.ada.json("PATCH", `/api/entries/${entry.id}`, { hours });
  expect([world.trace, status]).toEqual([world.trace, entry.verifiedBy ? 409 : 200]);
  if (entry.verifiedBy || hours === entry.hours) return;
  endWaiting(world, entry.id);
  Object.assign(entry, { hours, isDeclined: false, own: null });
};

const remove: Act = async (world) => {
  const entry = pick(world.next, world.entries);
  if (!entry) return;
  const { status } = await world.ada.json("DELETE", `/api/entries/${entry.id}`);
  expect([world.trace, status]).toEqual([world.trace, entry.verifiedBy ? 409 : 200]);
  if (entry.verifiedBy) return;
  endWaiting(world, entry.id);
  world.entries.splice(world.entries.indexOf(entry), 1);
};

function end(request: Request): void {
  for (const [id, state] of request.items) if (state === "waiting") request.items.set(id, "ended");
}

const withdraw: Act = async ({ ada, next, requests, trace }) => {
  if (requests.length === 0) return;
  const request = pick(next, requests);
  expect([trace, (await ada.json("DELETE", `/api/verification-requests/${request.id}`)).status]).toEqual([trace, 200]);
  end(request);
};

/** The time of a request is over, and the timer comes. */
const expire: Act = async ({ app, next, requests }) => {
  if (requests.length === 0) return;
  const request = pick(next, requests);
  await app.db
    .prepare("UPDATE verification_requests SET expires_at = asked_at + 1 WHERE id = ?")
    .bind(request.id)
    .run();
  await app.tick(new Date());
  end(request);
};

const remind: Act = async ({ app, ada, next, requests, trace }) => {
  if (requests.length === 0) return;
  const request = pick(next, requests);
  const isDue = next() < 0.5;
  if (isDue)
    await app.db
      .prepare(
        "UPDATE verification_requests SET asked_at = asked_at - 86400000, created_at = created_at - 86400000 WHERE id = ?",
      )
      .bind(request.id)
      .run();
  const isWaiting = [...request.items.values()].includes("waiting");
  const { status } = await ada.json("POST", `/api/verification-requests/${request.id}/remind`);
  // Once in 24 hours, and it counts as asked when it was renewed.
  expect([trace, isWaiting ? [200, 429] : [409]]).toEqual([trace, expect.arrayContaining([status])]);
};

const setReminders: Act = async ({ ada, next, requests }) => {
  if (requests.length === 0) return;
  const request = pick(next, requests);
  request.reminders = next() < 0.5;
  await ada.json("PATCH", `/api/verification-requests/${request.id}`, { reminders: request.reminders });
};

const ACTS = { askOne, askSeveral, answer, disown, edit, remove, withdraw, expire, setReminders, remind };

/** The common ones more often. */
const BAG: (keyof typeof ACTS)[] = [
  ...(["askOne", "askOne", "askOne", "askSeveral", "askSeveral", "answer", "answer", "answer", "answer"] as const),
  ...(["disown", "disown", "edit", "remove", "withdraw", "expire", "setReminders", "remind"] as const),
];

/** Does one random thing. */
export async function step(world: World): Promise<void> {
  const name = pick(world.next, BAG);
  world.trace.push(name);
  await ACTS[name](world);
}
