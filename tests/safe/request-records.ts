import { expect } from "vitest";
import { pick } from "#demo/random.ts";
import { type Act, CALLS, endWaiting, keyOf, renewable } from "./request-model.ts";

/** Asks about one record: a new request, or the one of its own again, for the same supervisor or another. */
export const askOne: Act = async (world) => {
  const { ada, next, records, supervisors, requests } = world;
  const [record, supervisor] = [pick(next, records), pick(next, supervisors)];
  const answer = await ada.json("POST", `${CALLS[record.type].ask}/${record.id}`, { supervisorId: supervisor.id });
  expect([world.trace, answer.status]).toEqual([world.trace, record.verifiedBy ? 409 : 200]);
  if (record.verifiedBy) return;
  const { verificationToken: token } = answer.json<{ verificationToken: string }>();
  const renewed = renewable(record);
  expect([world.trace, token === renewed?.token]).toEqual([world.trace, renewed !== null]);
  if (renewed) {
    if (renewed.email !== supervisor.email) renewed.reminded = 0; // another supervisor gets all reminders
    renewed.email = supervisor.email;
    return;
  }
  const all = (await ada.get("/api/verification-requests")).json<{ id: number; verificationToken: string }[]>();
  const id = all.find(({ verificationToken }) => verificationToken === token)?.id ?? 0;
  const made = { id, token, email: supervisor.email, reminders: true, reminded: 0, notices: [] };
  record.own = { ...made, items: new Map([[keyOf(record), "waiting" as const]]) };
  record.isDeclined = false;
  requests.push(record.own);
};

export const askSeveral: Act = async (world) => {
  const { ada, next, records, supervisors, requests } = world;
  const some = records.filter(({ verifiedBy }) => next() < (verifiedBy ? 0.05 : 0.6));
  const supervisor = pick(next, supervisors);
  if (some.length === 0) return;
  const named = some.map(({ type, id }) => ({ type, id }));
  const answer = await ada.json("POST", "/api/verification-requests", { supervisorId: supervisor.id, records: named });
  const isRefused = some.some(({ verifiedBy }) => verifiedBy);
  expect([world.trace, answer.status]).toEqual([world.trace, isRefused ? 409 : 201]);
  if (isRefused) return;
  const { id, verificationToken: token } = answer.json<{ id: number; verificationToken: string }>();
  for (const record of some) record.isDeclined = false;
  const items = new Map(some.map((record) => [keyOf(record), "waiting" as const]));
  requests.push({ id, token, email: supervisor.email, reminders: true, reminded: 0, items, notices: [] });
};

export const edit: Act = async (world) => {
  const record = pick(world.next, world.records);
  const hours = 1 + Math.floor(world.next() * 20);
  const { status } = await world.ada.json("PATCH", `${CALLS[record.type].records}/${record.id}`, { hours });
  expect([world.trace, status]).toEqual([world.trace, record.verifiedBy ? 409 : 200]);
  if (record.verifiedBy || hours === record.hours) return;
  endWaiting(world, keyOf(record));
  Object.assign(record, { hours, isDeclined: false, own: null });
};

export const remove: Act = async (world) => {
  const record = pick(world.next, world.records);
  const { status } = await world.ada.json("DELETE", `${CALLS[record.type].records}/${record.id}`);
  expect([world.trace, status]).toEqual([world.trace, record.verifiedBy ? 409 : 200]);
  if (record.verifiedBy) return;
  endWaiting(world, keyOf(record));
  world.records.splice(world.records.indexOf(record), 1);
  world.deleted.push({ ...record, isDeclined: false, own: null });
};

/** Restores a deleted record: as one without a request, even if it was declined (docs/api.md). */
export const restore: Act = async ({ ada, next, records, deleted, trace }) => {
  if (deleted.length === 0) return;
  const record = pick(next, deleted);
  const { status } = await ada.json("POST", `${CALLS[record.type].records}/${record.id}/restore`, {});
  expect([trace, status]).toEqual([trace, 200]);
  deleted.splice(deleted.indexOf(record), 1);
  records.push(record);
};
