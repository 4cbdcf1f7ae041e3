import { expect } from "vitest";
import { pick } from "#demo/random.ts";
import { rows } from "#tests/worker/database.ts";
import type { MailApp } from "#tests/worker/mail.ts";
import type { Technician } from "#tests/worker/people.ts";

type State = "waiting" | "verified" | "declined" | "ended";

/** A record as the calls name it. */
export interface Named {
  type: "entry" | "rope_hour";
  id: number;
}

export interface Logged extends Named {
  hours: number;
  verifiedBy: string | null;
  isDeclined: boolean;
  /** The request of its own, whose link asking again keeps. */
  own: Request | null;
}

export interface Request {
  id: number;
  token: string;
  email: string;
  reminders: boolean;
  /** How often its supervisor was reminded. */
  reminded: number;
  items: Map<string, State>;
  /** The notices of what was verified through it, with the keys of the records. */
  notices: { path: string; keys: string[] }[];
}

/** The key of a record among the items of a request. */
export const keyOf = ({ type, id }: Named) => `${type} ${id}`;

/** The calls of each kind of record. */
export const CALLS = {
  entry: { records: "/api/entries", ask: "/api/verify-request" },
  rope_hour: { records: "/api/rope-hours", ask: "/api/verify-request-rope" },
};

/** A technician's records and requests as they should be, and the app. */
export interface World {
  app: MailApp;
  next: () => number;
  ada: Technician;
  records: Logged[];
  /** The deleted records that can be restored. */
  deleted: Logged[];
  requests: Request[];
  supervisors: { id: number; email: string }[];
  trace: string[];
}

export const isOpen = ({ items }: Request) => [...items.values()].includes("waiting");

/** One thing that happens to them. */
export type Act = (world: World) => Promise<void>;

/** Ends what waits for a record, in all requests but `except`. */
export function endWaiting({ requests }: World, key: string, except?: Request): void {
  for (const request of requests) {
    if (request !== except && request.items.get(key) === "waiting") request.items.set(key, "ended");
  }
}

/** The request of a record that asking again renews. */
export const renewable = ({ own }: Logged) => (own && isOpen(own) ? own : null);

function statusOf({ requests }: World, record: Logged): string {
  const { verifiedBy, isDeclined } = record;
  if (verifiedBy) return "verified";
  if (requests.some(({ items }) => items.get(keyOf(record)) === "waiting")) return "requested";
  return isDeclined ? "declined" : "pending";
}

interface Shown {
  id: number;
  hours: number;
  verifiedBy: string | null;
  status: string;
}

interface Listed {
  verificationToken: string;
  supervisor: { email: string };
  reminders: boolean;
  endedAt: string | null;
  items: (Named & { state: State })[];
}

/** Compares what the technician and a supervisor see with the model. */
export async function compare(world: World): Promise<void> {
  const { app, ada, records, requests, trace } = world;
  await app.idle();
  for (const type of ["entry", "rope_hour"] as const) {
    const shown = (await ada.get(CALLS[type].records)).json<Shown[]>();
    const facts = shown.map(({ id, hours, verifiedBy, status }) => ({ id, hours, verifiedBy, status }));
    const expected = records
      .filter((record) => record.type === type)
      .map((record) => {
        const { id, hours, verifiedBy } = record;
        return { id, hours, verifiedBy, status: statusOf(world, record) };
      });
    const byId = (one: { id: number }, other: { id: number }) => one.id - other.id;
    expect([trace, facts.sort(byId)]).toEqual([trace, expected.sort(byId)]);
  }
  const listed = (await ada.get("/api/verification-requests")).json<Listed[]>();
  const byToken = (one: { token: string }, other: { token: string }) => (one.token < other.token ? -1 : 1);
  expect([trace, listed.map(seen).sort(byToken)]).toEqual([trace, requests.map(told).sort(byToken)]);
  const counts = await rows<{ token: string; reminded: number }>(
    app.db,
    "SELECT token, reminded FROM verification_requests WHERE user_id = ?",
    ada.user.id,
  );
  const reminded = requests.map(({ token, reminded }) => ({ token, reminded }));
  expect([trace, counts.sort(byToken)]).toEqual([trace, reminded.sort(byToken)]);
  const request = requests.length > 0 ? pick(world.next, requests) : null;
  if (!request) return;
  const { status } = await app.get(`/api/verify/${request.token}`);
  expect([trace, request.token, status === 200]).toEqual([trace, request.token, isOpen(request)]);
}

const seen = ({ verificationToken: token, supervisor, reminders, endedAt, items }: Listed) => ({
  token,
  email: supervisor.email,
  reminders,
  isOpen: endedAt === null,
  items: items.map((item) => [keyOf(item), item.state]),
});

const told = (request: Request) => ({
  token: request.token,
  email: request.email,
  reminders: request.reminders,
  isOpen: isOpen(request),
  items: [...request.items],
});
