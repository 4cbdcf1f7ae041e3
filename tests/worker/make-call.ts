import { expect } from "vitest";
import { snapshotOf } from "#tests/safe/snapshot.ts";
import type { App } from "./app.ts";
import type { Call, Fault } from "./calls/call.ts";
import type { Answer, Client, Sending } from "./client.ts";
import type { Technician } from "./people.ts";
import type { World } from "./world.ts";

/** The name of a call in tests. */
export function nameOf({ method, path }: Call): string {
  return `${method} ${path({} as World).replace("undefined", "{id}")}`; // the address of a world with nothing in it
}

/** Makes a call as its owner would, with the given faults and no others. */
export async function make(
  app: App,
  call: Call,
  world: World,
  faults: Fault[] = [],
  sending: Sending = {},
): Promise<Answer> {
  const headers: Record<string, string> = { ...(call.body && { "Content-Type": "application/json" }) };
  let body = call.body && JSON.stringify(call.body(world, faults));
  if (faults.includes("body") && call.badBodies) body = JSON.stringify(call.badBodies?.[0]?.[0]);
  if (faults.includes("size")) body += " ".repeat(1024 * 1024);
  if (faults.includes("type")) headers["Content-Type"] = "text/plain";
  if (faults.includes("crossSite")) headers["Sec-Fetch-Site"] = "cross-site";
  const method = faults.includes("method") ? "PUT" : call.method;
  const answer = await clientFor(app, call, world, faults).send(method, call.path(world, faults), {
    headers: { "x-when-idle": "1", ...headers, ...sending.headers },
    ...(body !== undefined && { body }),
    ...(sending.body !== undefined && { body: sending.body }),
  });
  // No call takes more round trips than this, whatever its answer.
  expect(answer.trips).toBeLessThanOrEqual(call.method === "GET" ? 1 : 2);
  return answer;
}

function clientFor(app: App, call: Call, world: World, faults: Fault[]): Client {
  if (call.access === "public") return faults.includes("ownHours") ? world.owner : app;
  if (faults.includes("session")) return app;
  return faults.includes("role") ? world.owner : callerOf(call, world);
}

/** The signed-in user who may make a call. */
export function callerOf({ access }: Call, { owner, admin }: World): Technician {
  return access === "admin" ? admin : owner;
}

/** Returns everything that is stored, to compare it afterwards. */
export async function stored(app: App): Promise<unknown> {
  const requests = ["verification_requests", "verification_items", "verification_answers"];
  const tables = ["users", "supervisors", "records", "imports", "sessions", "api_tokens", ...requests];
  const all = await snapshotOf(app.db);
  return tables.map((table) => all.get(table));
}

/** The message of a refusal, which is never empty. */
export function messageIn(answer: Answer): string {
  const { message } = answer.json<{ message: string }>();
  expect(message).toMatch(/\S/);
  return message;
}
