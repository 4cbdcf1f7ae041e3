import { expect } from "vitest";
import { pick } from "#demo/random.ts";
import { answer, disown } from "./request-answers.ts";
import { type Act, isOpen, type Request, type World } from "./request-model.ts";
import { askOne, askSeveral, edit, remove, restore } from "./request-records.ts";

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
    .prepare("UPDATE verification_requests SET expires_at = requested_at + 1 WHERE id = ?")
    .bind(request.id)
    .run();
  await app.tickOnWorkday();
  end(request);
};

const remind: Act = async ({ app, ada, next, requests, trace }) => {
  if (requests.length === 0) return;
  const request = pick(next, requests);
  const isDue = next() < 0.5;
  if (isDue)
    await app.db
      .prepare(
        "UPDATE verification_requests SET requested_at = requested_at - 86400000, created_at = created_at - 86400000 WHERE id = ?",
      )
      .bind(request.id)
      .run();
  const { status } = await ada.json("POST", `/api/verification-requests/${request.id}/remind`);
  // Once in 24 hours, and it counts as asked when it was renewed.
  expect([trace, isOpen(request) ? [200, 429] : [409]]).toEqual([trace, expect.arrayContaining([status])]);
};

const setReminders: Act = async ({ ada, next, requests }) => {
  if (requests.length === 0) return;
  const request = pick(next, requests);
  request.reminders = next() < 0.5;
  await ada.json("PATCH", `/api/verification-requests/${request.id}`, { reminders: request.reminders });
};

/**
 * Runs the timer at noon of every zone's day when reminders are due: each address gets one email for all requests that
 * wait there, and none for a request with three reminders already.
 */
const timer: Act = async ({ app, ada, requests, supervisors, trace }) => {
  await app.nextDay();
  const offset = new Date().getUTCHours() - 12;
  const zone = `Etc/GMT${offset < 0 ? "" : "+"}${offset}`; // its sign is the opposite of the usual one
  await app.db
    .prepare(
      `UPDATE verification_requests SET remind_at = iif(remind_at IS NULL, NULL, 1), time_zone = ?1,
        supervisor_time_zone = ?1 WHERE user_id = ?2`,
    )
    .bind(zone, ada.user.id)
    .run();
  app.mailChannels.reset();
  await app.tickOnWorkday();
  await app.idle();
  for (const { email } of supervisors) {
    const mails = app.mailChannels.delivered.filter(
      ({ to, subject }) => to === email && subject.startsWith("Reminder"),
    );
    const due = requests.filter(
      (request) => request.email === email && isOpen(request) && request.reminders && request.reminded < 3,
    );
    const waiting = due.flatMap(({ items }) => [...items.values()].filter((state) => state === "waiting"));
    const counts = mails.map(({ subject }) => Number(subject.match(/\d+/)?.[0]));
    expect([trace, email, counts]).toEqual([trace, email, due.length > 0 ? [waiting.length] : []]);
    for (const request of due) request.reminded += 1;
  }
};

const ACTS = {
  askOne,
  askSeveral,
  answer,
  disown,
  edit,
  remove,
  withdraw,
  expire,
  setReminders,
  remind,
  restore,
  timer,
};

/** The common ones more often. */
const BAG: (keyof typeof ACTS)[] = [
  ...(["askOne", "askOne", "askOne", "askSeveral", "askSeveral", "answer", "answer", "answer", "answer"] as const),
  ...([
    "disown",
    "disown",
    "edit",
    "remove",
    "withdraw",
    "expire",
    "setReminders",
    "remind",
    "restore",
    "restore",
  ] as const),
  ...(["timer", "timer", "timer"] as const),
];

/** Does one random thing. */
export async function step(world: World): Promise<void> {
  const name = pick(world.next, BAG);
  world.trace.push(name);
  await ACTS[name](world);
}
