import fc from "fast-check";
import type { App } from "#tests/worker/app.ts";
import { PASSWORD, type Technician } from "#tests/worker/people.ts";
import type { Device, Kind } from "./offline-device.ts";
import type { Fault, Network } from "./offline-network.ts";

/** One step of a schedule: of the person, the phone, the network or the operator. */
export type Step =
  | { does: "save"; tab: number; kind: Kind; fault: Fault; next: "stay" | "die"; isRefused: boolean }
  | { does: "edit" | "send now" | "log out" | "kill"; tab: number }
  | { does: "open"; tab: number; kind: Kind }
  | { does: "sign in"; who: number }
  | { does: "restore"; fault: Fault }
  | { does: "cut" | "expire" | "deploy" | "answer" }
  | { does: "wait"; calls: number } // in schedules that are written, not drawn
  | { does: "clock"; hours: number };

const tab = fc.constantFrom(0, 0, 1);
const kind = fc.constantFrom<Kind>("entry", "entry", "rope_hour");
const fault = fc.constantFrom<Fault>("none", "none", "request lost", "answer lost", "held", "portal", "busy");
const next = fc.constantFrom<"stay" | "die">("stay", "stay", "die");
const rarely = fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0);

const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ does: fc.constant("save" as const), tab, kind, fault, next, isRefused: rarely }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("cut" as const) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("restore" as const), fault }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("open" as const), tab, kind }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("sign in" as const), who: fc.constantFrom(0, 0, 1) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("expire" as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("deploy" as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("answer" as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom("edit" as const, "send now" as const), tab }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom("log out" as const, "kill" as const), tab }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant("clock" as const), hours: fc.integer({ min: -48, max: 48 }) }),
  },
);

/** The faults and acts of a phone between two moments with a signal. */
export interface Schedule {
  seed: number;
  /** Most phones have the service worker; one without it has the same store. */
  hasWorker: boolean;
  steps: Step[];
}

export function scheduleOf(seed: number): Schedule {
  const steps = fc.array(STEP, { minLength: 5, maxLength: 12, size: "max" });
  const hasWorker = fc.integer({ min: 0, max: 9 }).map((chance) => chance > 0);
  const [schedule] = fc.sample(fc.record({ seed: fc.constant(seed), hasWorker, steps }), { seed, numRuns: 1 });
  return schedule as Schedule; // the call asked for one
}

/** Hours that a user has saved. Each edit gives them another location. */
interface Saved {
  userId: number;
  /** All that they have had. */
  locations: string[];
  /** Those that they may have now: several after an edit that may have been taken or not. */
  right: string[];
}

export interface Verdict {
  seed: number;
  saved: number;
  /** The faults, in words; empty if there are none. */
  wrong: string[];
}

/** How long the rows may take to arrive when there is a signal again. */
const ARRIVAL_MS = 30_000;

export interface World {
  app: App;
  network: Network;
  /** The text of `/sw.js`. */
  worker: string;
}

/** Runs a schedule on a phone, then gives it a signal and its users, and compares what arrived with what was saved. */
export async function runSchedule(
  world: World,
  device: Device,
  { seed, hasWorker, steps }: Schedule,
): Promise<Verdict> {
  const { app, network } = world;
  const people = await app.registerAll({}, {});
  network.reset();
  network.begin("the start");
  const saved: Saved[] = [];
  await device.signIn(sessionOf(people[0]), people[0]?.user.id ?? 0);
  if (hasWorker) await device.installWorker();
  else await device.open(0, "/profile");
  for (const [index, step] of steps.entries()) {
    network.begin(`step ${index}, ${JSON.stringify(step)}`);
    await take(world, device, people, step, `s${seed}r${index}x`, saved);
  }
  const wrong = await settle(world, device, people, saved);
  if (network.twiceUnderWay > 0) wrong.push("a row was sent twice at a time");
  return { seed, saved: saved.length, wrong };
}

function sessionOf(technician: Technician | undefined): string {
  return technician?.cookies.get("session") ?? "";
}

async function take(
  { app, network, worker }: World,
  device: Device,
  people: Technician[],
  step: Step,
  location: string,
  saved: Saved[],
): Promise<void> {
  switch (step.does) {
    case "save":
      return save(device, step, location, saved);
    case "cut":
      return device.setSignal(false);
    case "restore":
      network.fault = step.fault; // for what the queue sends first
      return device.setSignal(true);
    case "answer":
      return network.release();
    case "deploy":
      network.files.set("/sw.js", `${worker}// ${location}`);
      return;
    case "expire":
      await app.db.prepare("DELETE FROM sessions WHERE user_id = ?").bind(people[0]?.user.id).run();
      return;
    case "sign in": {
      const person = people[step.who];
      if (network.isCut || !person) return;
      // As in another tab: no open page gets a notice of it.
      await signInAgain(person);
      return device.signIn(sessionOf(person), person.user.id);
    }
    case "clock":
      return device.setClock(step.hours);
    case "open":
      await device.open(step.tab, step.kind === "entry" ? "/profile" : "/rope-hours");
      return;
    case "kill":
      return device.kill(step.tab);
    case "send now":
      await device.press(step.tab, "Send now");
      return;
    case "wait":
      return device.untilCalled(step.calls);
    case "edit":
      return edit(device, step.tab, location, saved);
    case "log out":
      // With a signal it would delete what is not sent, as it says.
      if (network.isCut) await device.logOut(step.tab);
  }
}

async function signInAgain(person: Technician): Promise<void> {
  person.cookies.clear();
  person.signedIn(await person.json("POST", "/api/auth/login", { email: person.user.email, password: PASSWORD }));
}

async function save(
  device: Device,
  { tab, kind, fault, next, isRefused }: Step & { does: "save" },
  location: string,
  saved: Saved[],
): Promise<void> {
  const { network } = device;
  const form = await device.formOf(tab, kind);
  if (!form) return;
  network.fault = fault;
  if (isRefused) await device.refuseStorage(tab, true);
  const isTaken = await device.save(tab, kind, location, next === "die");
  if (next === "die") await device.kill(tab);
  else if (isRefused) await device.refuseStorage(tab, false);
  network.fault = "none";
  if (isTaken) saved.push({ userId: form.userId, locations: [location], right: [location] });
}

async function edit(device: Device, tab: number, location: string, saved: Saved[]): Promise<void> {
  const edited = await device.edit(tab, location);
  const hours = saved.find(({ locations }) => edited && locations.includes(edited.from));
  if (!edited || !hours) return;
  hours.locations.push(location);
  hours.right = edited.isTaken ? [location] : [...hours.right, location];
}

/**
 * Gives the phone a signal and each of its users in turn. Returns the hours that are lost, doubled or another user's.
 */
async function settle(
  { app, network }: World,
  device: Device,
  people: Technician[],
  saved: Saved[],
): Promise<string[]> {
  network.reset();
  network.begin("the end, the signal comes back");
  await device.setSignal(true);
  const kept = new Map<string, string>();
  for (const person of people.filter(({ user }) => saved.some(({ userId }) => userId === user.id))) {
    network.begin(`the end, ${person.user.email} signs in`);
    await signInAgain(person);
    await device.signIn(sessionOf(person), person.user.id);
    network.begin(`the end, ${person.user.email} opens the log`);
    const page = await device.open(0, "/profile");
    network.begin(`the end, ${person.user.email} waits for what was not sent`);
    const isWaiting = async () => {
      const rows = await device.stored(page);
      return rows.some(({ userId, state }) => userId === String(person.user.id) && /saved|sent/.test(state));
    };
    const end = Date.now() + ARRIVAL_MS;
    while ((await isWaiting()) && Date.now() < end) await new Promise((done) => setTimeout(done, 50));
    for (const { userId, body, state } of await device.stored(page)) {
      for (const [location] of JSON.stringify(body).matchAll(/s\d+r\d+x/g)) kept.set(location, `${state} of ${userId}`);
    }
  }
  const stored = await storedRows(app, people);
  return saved.flatMap(({ userId, locations, right }) => {
    const name = locations.join(", edited to ");
    const found = stored.filter(({ location }) => locations.includes(location));
    const states = right.map((location) => kept.get(location));
    if (found.length > 1) return [`${name} is there ${found.length} times`];
    const [row] = found;
    if (!row) return states.includes(`typed of ${userId}`) ? [] : [`${name} is lost: ${states}`];
    if (row.user_id !== userId) return [`${name} is not its user's`];
    return right.includes(row.location) ? [] : [`${name} is lost: only ${row.location} is there`];
  });
}

async function storedRows(app: App, people: Technician[]): Promise<{ user_id: number; location: string }[]> {
  const ids = people.map(({ user }) => user.id).join(", ");
  const of = (table: string) => `SELECT user_id, location FROM ${table} WHERE user_id IN (${ids})`;
  const { results } = await app.db.prepare(`${of("entries")} UNION ALL ${of("rope_hours")}`).all();
  return results as { user_id: number; location: string }[]; // the columns that were selected
}
