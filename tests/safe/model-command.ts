import type fc from "fast-check";
import { expect } from "vitest";
import type { Answer, Client } from "#tests/worker/client.ts";
import { CALL, type Logged, type Model, type Person, type Real, recordAt, recordsOf } from "./model.ts";

type Run = (model: Model, real: Real) => Promise<void>;
export type Command = fc.AsyncCommand<Model, Real>;

/** Makes a command of one user action. Afterwards everything that the app shows must equal the model. */
export function command(name: string, run: Run): Command {
  return {
    check: () => true,
    async run(model, real) {
      await run(model, real);
      await compare(model, real);
    },
    toString: () => name,
  };
}

/** Compares what each user sees with the model. */
async function compare(model: Model, real: Real): Promise<void> {
  for (const [number, person] of model.people.entries()) {
    const client = readClient(real, number);
    const user = await client.get("/api/user");
    expect([person.email, user.status]).toEqual([person.email, person.isSignedIn ? 200 : 401]);
    if (!person.isSignedIn) continue;
    for (const kind of ["entry", "rope_hour"] as const) {
      const shown = (await client.get(CALL[kind])).json<Record<string, unknown>[]>();
      expect(shown.map(seen)).toEqual(recordsOf(model, number, kind).map(expected));
    }
    const supervisors = (await client.get("/api/supervisors")).json<{ id: number; name: string }[]>();
    expect(supervisors.map(({ id, name }) => ({ id, name }))).toEqual(person.supervisors.toReversed());
  }
  for (const { token } of model.links.slice(-3)) {
    const record = recordAt(model, token);
    const { status } = await real.anonymous.get(`/api/verify/${token}`);
    expect([token, status]).toEqual([token, record ? (record.verifiedBy ? 409 : 200) : 404]);
  }
}

const seen = ({ userId: _u, verifiedAt: _v, createdAt: _c, ...rest }: Record<string, unknown>) => rest;
const expected = ({ kind, id, content, verifiedBy, token }: Logged) => ({
  id,
  ...content,
  ...(kind === "entry" && { broughtForward: false }),
  details: kind === "entry" ? { workedAs: "Trainee" } : {},
  verified: verifiedBy !== null,
  verifiedBy,
  verifiedVia: verifiedBy && "link",
  confirmedAt: null,
  status: verifiedBy ? "verified" : token ? "requested" : "pending",
});

export function readClient({ people }: Real, number: number): Client {
  const client = people[number];
  if (!client) throw new Error(`there is no person ${number}`);
  return client;
}

export function personOf({ people }: Model, number: number): Person {
  const person = people[number];
  if (!person) throw new Error(`there is no person ${number}`);
  return person;
}

/** Picks one item of a list of any length; undefined for an empty one. */
export const pick = <T>(list: T[], choice: number): T | undefined => list[choice % (list.length || 1)];

/** Counts the requests with a key: each has its own. */
let sendings = 0;

/**
 * Sends a request with a key. `isLost`: its response is lost after it took effect, and it is sent again with the same
 * key, as a browser does that lost the connection.
 */
export async function sendKeyed(
  isLost: boolean,
  send: (key: string, headers: Record<string, string>) => Promise<Answer>,
): Promise<Answer> {
  sendings += 1;
  const key = `sending-${sendings}`;
  if (isLost) await send(key, { "x-fail-d1-round-trip": "2 after" });
  return send(key, {});
}

/** The expected result of a user's attempt to change a record. */
export function statusOf(person: Person, number: number, record: Logged): number {
  return !person.isSignedIn ? 401 : record.owner !== number ? 404 : record.verifiedBy ? 409 : 200;
}
