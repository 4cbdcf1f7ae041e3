import { expect } from "vitest";
import { pick } from "#demo/random.ts";
import type { MailApp } from "#tests/worker/mail.ts";
import type { Technician } from "#tests/worker/people.ts";

type State = "waiting" | "verified" | "declined" | "ended";

export interface Entry {
  id: number;
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
  items: Map<number, State>;
  /** The notices of what was verified through it, with the records. */
  notices: { path: string; ids: number[] }[];
}

/** A technician's entries and requests as they should be, and the app. */
export interface World {
  app: MailApp;
  next: () => number;
  ada: Technician;
  entries: Entry[];
  requests: Request[];
  supervisors: { id: number; email: string }[];
  trace: string[];
}

const isOpen = ({ items }: Request) => [...items.values()].includes("waiting");

/** Ends what waits for an entry, in all requests but `except`. */
export function endWaiting({ requests }: World, id: number, except?: Request): void {
  for (const request of requests) {
    if (request !== except && request.items.get(id) === "waiting") request.items.set(id, "ended");
  }
}

/** The request of an entry that asking again renews. */
export const renewable = ({ own }: Entry) => (own && isOpen(own) ? own : null);

function statusOf({ requests }: World, { id, verifiedBy, isDeclined }: Entry): string {
  if (verifiedBy) return "verified";
  if (requests.some(({ items }) => items.get(id) === "waiting")) return "requested";
  return isDeclined ? "declined" : "pending";
}

interface Listed {
  verificationToken: string;
  supervisor: { email: string };
  reminders: boolean;
  endedAt: string | null;
  items: { id: number; state: State }[];
}

/** Compares what the technician and a supervisor see with the model. */
export async function compare(world: World): Promise<void> {
  const { app, ada, entries, requests, trace } = world;
  await app.idle();
  const shown = (await ada.get("/api/entries")).json<
    { id: number; hours: number; verifiedBy: string; status: string }[]
  >();
  const facts = shown.map(({ id, hours, verifiedBy, status }) => ({ id, hours, verifiedBy, status }));
  const expected = entries.map((entry) => {
    const { id, hours, verifiedBy } = entry;
    return { id, hours, verifiedBy, status: statusOf(world, entry) };
  });
  const byId = (one: { id: number }, other: { id: number }) => one.id - other.id;
  expect([trace, facts.sort(byId)]).toEqual([trace, expected.sort(byId)]);
  const listed = (await ada.get("/api/verification-requests")).json<Listed[]>();
  const byToken = (one: { token: string }, other: { token: string }) => (one.token < other.token ? -1 : 1);
  expect([trace, listed.map(seen).sort(byToken)]).toEqual([trace, requests.map(told).sort(byToken)]);
  const request = requests.length > 0 ? pick(world.next, requests) : null;
  if (!request) return;
  const { status } = await app.get(`/api/verify/${request.token}`);
  expect([trace, request.token, status === 200]).toEqual([trace, request.token, isOpen(request)]);
}

const seen = ({ verificationToken: token, supervisor, reminders, endedAt, items }: Listed) => ({
  ...{ token, email: supervisor.email, reminders, isOpen: endedAt === null },
  items: items.map(({ id, state }) => [id, state]),
});

const told = (request: Request) => ({
  ...{ token: request.token, email: request.email, reminders: request.reminders, isOpen: isOpen(request) },
  items: [...request.items],
});
