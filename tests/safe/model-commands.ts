import fc from "fast-check";
import { expect } from "vitest";
import type { Answer, Client } from "#tests/worker/client.ts";
import { anEntry, aRopeHours, aSupervisor } from "#tests/worker/people.ts";
import { openReset } from "#tests/worker/world.ts";
import {
  CALL,
  forget,
  type Kind,
  type Logged,
  listEvents,
  type Model,
  PEOPLE,
  type Person,
  type Real,
  recordAt,
} from "./model.ts";

type Run = (model: Model, real: Real) => Promise<void>;
type Command = fc.AsyncCommand<Model, Real>;

/** One user action. Afterwards everything that the app shows must equal the model. */
function command(name: string, run: Run): Command {
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
    const client = clientOf(real, number);
    const user = await client.get("/api/user");
    expect([person.email, user.status]).toEqual([person.email, person.isSignedIn ? 200 : 401]);
    if (!person.isSignedIn) continue;
    for (const kind of ["entry", "rope_hour"] as const) {
      const shown = (await client.get(CALL[kind])).json<Record<string, unknown>[]>();
      expect(shown.map(seen)).toEqual(listEvents(model, number, kind).map(expected));
    }
    const supervisors = (await client.get("/api/supervisors")).json<{ id: number; name: string }[]>();
    expect(supervisors.map(({ id, name }) => ({ id, name }))).toEqual(person.supervisors.toReversed());
  }
  for (const { token } of model.links.slice(-3)) {
    const record = recordAt(model, token);
    const { status } = await real.stranger.get(`/api/verify/${token}`);
    expect([token, status]).toEqual([token, record ? (record.verifiedBy ? 409 : 200) : 404]);
  }
}

const seen = ({ userId: _u, verifiedAt: _v, createdAt: _c, ...rest }: Record<string, unknown>) => rest;
const expected = ({ id, content, verifiedBy }: Logged) => ({
  id,
  ...content,
  verified: verifiedBy !== null,
  verifiedBy,
});

function clientOf({ people }: Real, number: number): Client {
  const client = people[number];
  if (!client) throw new Error(`there is no person ${number}`);
  return client;
}

function personOf({ people }: Model, number: number): Person {
  const person = people[number];
  if (!person) throw new Error(`there is no person ${number}`);
  return person;
}

/** Picks one item of a list of any length; undefined for an empty one. */
const pick = <T>(list: T[], choice: number): T | undefined => list[choice % (list.length || 1)];

/** Counts the requests with a key: each has its own. */
let sendings = 0;

/**
 * Sends a request with a key. `isLost`: its response is lost after it took effect, and it is sent again with the same
 * key, as a browser does that lost the connection.
 */
async function sendKeyed(
  isLost: boolean,
  send: (key: string, headers: Record<string, string>) => Promise<Answer>,
): Promise<Answer> {
  sendings += 1;
  const key = `sending-${sendings}`;
  if (isLost) await send(key, { "x-fail-d1-round-trip": "2 after" });
  return send(key, {});
}

const register = (number: number, password: string) =>
  command(`person ${number} registers`, async (model, real) => {
    const person = personOf(model, number);
    const client = clientOf(real, number);
    const answer = await client.json("POST", "/api/auth/register", { email: person.email, password });
    expect(answer.status).toBe(person.account ? 409 : 201);
    if (person.account) return;
    person.account = { id: answer.json<{ id: number }>().id, password };
    person.isSignedIn = true;
  });

const logIn = (number: number, isRight: boolean) =>
  command(`person ${number} logs in${isRight ? "" : " with a wrong password"}`, async (model, real) => {
    const person = personOf(model, number);
    const password = isRight ? (person.account?.password ?? "no such account") : "wrong password";
    const answer = await clientOf(real, number).post("/auth", { email: person.email, password });
    const isIn = isRight && person.account !== null;
    expect(answer.status).toBe(isIn ? 303 : 401);
    if (isIn) person.isSignedIn = true;
  });

const logOut = (number: number) =>
  command(`person ${number} logs out`, async (model, real) => {
    await clientOf(real, number).post("/logout", {});
    personOf(model, number).isSignedIn = false;
  });

const rowNames = (entry: object) =>
  Object.fromEntries(Object.entries(entry).map(([name, value]) => [`entries[0].${name}`, String(value)]));
const strings = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

/** Logs a record by page or API. */
const log = (number: number, kind: Kind, isPage: boolean, isLost: boolean, day: number, hours: number) => {
  const date = `2026-11-${String(day).padStart(2, "0")}`;
  const content =
    kind === "entry" ? anEntry({ date, hours }) : aRopeHours({ startDate: date, endDate: "2026-11-30", hours });
  const form = kind === "entry" ? "/profile/entries" : "/rope-hours/new";
  const how = `${isPage ? "by the page" : "by the call"}${isLost ? ", and the answer is lost" : ""}`;
  return command(`person ${number} logs a ${kind} ${how}`, async (model, real) => {
    const person = personOf(model, number);
    const client = clientOf(real, number);
    const answer = await sendKeyed(isLost, (key, headers) =>
      isPage
        ? client.post(`${form}/${key}`, kind === "entry" ? rowNames(content) : strings(content), headers)
        : client.json("POST", CALL[kind], content, { ...headers, "Idempotency-Key": key }),
    );
    if (!person.isSignedIn) return expect([401, 303]).toContain(answer.status);
    expect(answer.status).toBe(isPage ? 303 : 201);
    const saved = isPage ? [] : [answer.json<{ id: number } | { id: number }[]>()].flat();
    const id = isPage
      ? Number(new URL(answer.location ?? "", "http://localhost").searchParams.get("saved"))
      : saved[0]?.id;
    model.records.push({ kind, id: id ?? 0, owner: number, date, content, token: null, verifiedBy: null });
  });
};

const addSupervisor = (number: number, isLost: boolean) =>
  command(`person ${number} adds a supervisor${isLost ? ", and the answer is lost" : ""}`, async (model, real) => {
    const person = personOf(model, number);
    const name = `Supervisor ${sendings}`;
    const answer = await sendKeyed(isLost, (key, headers) =>
      clientOf(real, number).json("POST", "/api/supervisors", aSupervisor({ name }), {
        ...headers,
        "Idempotency-Key": key,
      }),
    );
    expect(answer.status).toBe(person.isSignedIn ? 201 : 401);
    if (person.isSignedIn) person.supervisors.push({ id: answer.json<{ id: number }>().id, name });
  });

/** Asks a saved supervisor to verify any record: one's own, another user's, a verified one. */
const request = (number: number, choice: number, isLost: boolean) =>
  command(
    `person ${number} asks about record ${choice}${isLost ? ", and the answer is lost" : ""}`,
    async (model, real) => {
      const person = personOf(model, number);
      const record = pick(model.records, choice);
      const supervisor = pick(person.supervisors, choice);
      if (!record || !supervisor) return;
      const path = record.kind === "entry" ? "/api/verify-request" : "/api/verify-request-rope";
      const answer = await sendKeyed(isLost, (key, headers) =>
        clientOf(real, number).json(
          "POST",
          `${path}/${record.id}`,
          { supervisorId: supervisor.id },
          { ...headers, "Idempotency-Key": key },
        ),
      );
      const status = !person.isSignedIn ? 401 : record.owner !== number ? 404 : record.verifiedBy ? 409 : 200;
      expect(answer.status).toBe(status);
      if (status !== 200) return;
      const { verificationToken: token } = answer.json<{ verificationToken: string }>();
      if (record.token) return expect(token).toBe(record.token);
      record.token = token;
      model.links.push({ token, kind: record.kind, id: record.id });
    },
  );

/** Opens any link ever created and verifies, signed out or as any user. */
const confirm = (choice: number, by: number, name: string, isPage: boolean, isLost: boolean) =>
  command(
    `${by < PEOPLE ? `person ${by}` : "a stranger"} confirms by link ${choice}${isLost ? ", and the answer is lost" : ""}`,
    async (model, real) => {
      const link = pick(model.links, choice);
      if (!link) return;
      const record = recordAt(model, link.token);
      const client = by < PEOPLE ? clientOf(real, by) : real.stranger;
      const isOwn = record?.owner === by && personOf(model, by).isSignedIn;
      // The facts that the verifier was shown; the opening is in the audit log by the time they send.
      const shown = (await real.stranger.get(`/api/verify/${link.token}`)).headers.get("ETag") ?? "";
      await real.app.idle();
      const body = { supervisorName: name, shown };
      const send = (headers: Record<string, string>) =>
        isPage
          ? client.post(`/verify/${link.token}`, body, headers)
          : client.json("POST", `/api/verify/${link.token}`, body, headers);
      const isOpen = record !== undefined && !record.verifiedBy && !isOwn;
      if (isLost) {
        await send({ "x-fail-d1-round-trip": "2 after" });
        if (isOpen) record.verifiedBy = name;
      }
      const answer = await send({});
      if (!record) return expect(answer.status).toBe(404);
      if (isOwn) return expect([403, 303]).toContain(answer.status); // a used link's page shows who used it
      if (isLost || !isOpen) return expect([409, 303]).toContain(answer.status);
      expect([200, 303]).toContain(answer.status);
      record.verifiedBy = name;
    },
  );

/** The expected result of a user's attempt to change a record. */
function statusOf(person: Person, number: number, record: Logged): number {
  return !person.isSignedIn ? 401 : record.owner !== number ? 404 : record.verifiedBy ? 409 : 200;
}

const edit = (number: number, choice: number, hours: number) =>
  command(`person ${number} edits record ${choice}`, async (model, real) => {
    const record = pick(model.records, choice);
    if (!record) return;
    const answer = await clientOf(real, number).json("PATCH", `${CALL[record.kind]}/${record.id}`, { hours });
    const status = statusOf(personOf(model, number), number, record);
    expect(answer.status).toBe(status);
    if (status !== 200 || record.content.hours === hours) return;
    // A supervisor was asked to verify other values.
    record.token = null;
    record.content = { ...record.content, hours };
  });

const remove = (number: number, choice: number) =>
  command(`person ${number} deletes record ${choice}`, async (model, real) => {
    const record = pick(model.records, choice);
    if (!record) return;
    const answer = await clientOf(real, number).json("DELETE", `${CALL[record.kind]}/${record.id}`);
    const status = statusOf(personOf(model, number), number, record);
    expect(answer.status).toBe(status);
    if (status !== 200) return;
    model.records = model.records.filter((one) => one !== record);
    model.deleted.push({ ...record, token: null });
  });

const undo = (number: number, choice: number) =>
  command(`person ${number} takes deletion ${choice} back`, async (model, real) => {
    const record = pick(model.deleted, choice);
    if (!record) return;
    const answer = await clientOf(real, number).json("POST", `${CALL[record.kind]}/${record.id}/restore`, {});
    const status = statusOf(personOf(model, number), number, record);
    expect(answer.status).toBe(status);
    if (status !== 200) return;
    model.deleted = model.deleted.filter((one) => one !== record);
    model.records.push(record);
  });

const withdraw = (number: number, choice: number) =>
  command(`person ${number} withdraws the request about record ${choice}`, async (model, real) => {
    const record = pick(model.records, choice);
    if (!record) return;
    const page = record.kind === "entry" ? "/profile" : "/rope-hours";
    const answer = await clientOf(real, number).post(`${page}/record/${record.id}/withdraw`, {});
    const status = statusOf(personOf(model, number), number, record);
    expect(answer.status).toBe(status === 404 ? 404 : 303);
    if (status === 200) record.token = null;
  });

const wrongToken = (token: string) =>
  command("a stranger tries a made-up link", async (_model, real) => {
    const answer = await real.stranger.json("POST", `/api/verify/${token}`, { supervisorName: "Mallory" });
    expect(answer.status).toBe(404);
  });

const reset = (number: number, password: string, isLost: boolean) =>
  command(`person ${number} resets the password${isLost ? ", and the answer is lost" : ""}`, async (model, real) => {
    const { account } = personOf(model, number);
    if (!account) return;
    const token = crypto.randomUUID();
    await openReset(real.app.db, account.id, token);
    const use = (headers = {}) =>
      real.stranger.json("POST", `/api/auth/reset-password/${token}`, { password }, headers);
    if (isLost) expect((await use({ "x-fail-d1-round-trip": "2 after" })).status).toBe(500);
    expect((await use()).status).toBe(isLost ? 400 : 200);
    account.password = password;
    personOf(model, number).isSignedIn = false;
  });

const adminDeletesUser = (number: number) =>
  command(`the admin deletes person ${number}`, async (model, real) => {
    const { account } = personOf(model, number);
    const answer = await real.admin.json("DELETE", `/api/admin/users/${account?.id ?? 999_999}`);
    expect(answer.status).toBe(account ? 200 : 404);
    forget(model, number);
  });

const adminDeletesEntry = (choice: number) =>
  command(`the admin deletes entry ${choice}`, async (model, real) => {
    const entry = pick(
      model.records.filter(({ kind }) => kind === "entry"),
      choice,
    );
    const path = `/api/admin/entries/${entry?.id ?? 999_999}`;
    expect((await real.admin.json("DELETE", path)).status).toBe(entry ? 200 : 404);
    expect((await real.admin.json("DELETE", path)).status).toBe(404);
    model.records = model.records.filter((record) => record !== entry);
  });

const who = fc.nat(PEOPLE - 1);
const choice = fc.nat(20);
const isLost = fc.integer({ min: 0, max: 3 }).map((n) => n === 0);
const kind = fc.constantFrom<Kind>("entry", "rope_hour");
const password = fc.constantFrom("first password", "second password");
const name = fc.constantFrom("Ola Hansen", "O’Brien", "Łukasz Żółć");
/** Hours as the audit log keeps them, with two decimals at most. */
const hours = fc.integer({ min: 10, max: 2400 }).map((hundredths) => hundredths / 100);

/** All user actions, the common ones more often. */
export const COMMANDS: fc.Arbitrary<Command>[] = [
  fc.tuple(who, password).map((args) => register(...args)),
  fc.tuple(who, fc.boolean()).map((args) => logIn(...args)),
  fc.tuple(who, fc.constant(true)).map((args) => logIn(...args)),
  who.map(logOut),
  ...[1, 2, 3].map(() =>
    fc.tuple(who, kind, fc.boolean(), isLost, fc.integer({ min: 1, max: 29 }), hours).map((args) => log(...args)),
  ),
  fc.tuple(who, isLost).map((args) => addSupervisor(...args)),
  ...[1, 2].map(() => fc.tuple(who, choice, isLost).map((args) => request(...args))),
  ...[1, 2].map(() => fc.tuple(choice, fc.nat(PEOPLE), name, fc.boolean(), isLost).map((args) => confirm(...args))),
  fc.tuple(who, choice, hours).map((args) => edit(...args)),
  fc.tuple(who, choice).map((args) => remove(...args)),
  fc.tuple(who, choice).map((args) => undo(...args)),
  fc.tuple(who, choice).map((args) => withdraw(...args)),
  fc.uuid().map(wrongToken),
  fc.tuple(who, password, isLost).map((args) => reset(...args)),
  who.map(adminDeletesUser),
  choice.map(adminDeletesEntry),
];
