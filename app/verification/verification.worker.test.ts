import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import type { Entry, Technician } from "#tests/worker/people.ts";

/*
 * The link and its single confirmation. Catches a check before the write in place of one UPDATE (several of the 50
 * succeed), a new token for each request, and a supervisor looked up without its owner.
 */

const app = await startApp();
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function confirm(token: string, supervisorName = "Ola Hansen") {
  return app.json("POST", `/api/verify/${token}`, { supervisorName });
}

async function storedEntry(id: number) {
  const [row] = await rows(
    app.db,
    "SELECT *, (SELECT search FROM records WHERE records.id = entries.id) AS search FROM entries WHERE id = ?",
    id,
  );
  return row;
}

async function withOpenLink(): Promise<{ ada: Technician; entry: Entry; token: string }> {
  const ada = await app.register();
  const entry = await ada.addEntry();
  return { ada, entry, token: await ada.requestVerification(entry.id) };
}

test("a request returns the record with its token and link, and emailed: false if mail is not configured", async () => {
  const ada = await app.register();
  const [entry, supervisor] = [await ada.addEntry(), await ada.addSupervisor()];
  const answer = await ada.json("POST", `/api/verify-request/${entry.id}`, { supervisorId: String(supervisor.id) });
  const { verificationToken, verificationUrl, ...rest } = answer.json<Entry & Record<string, string>>();
  expect([answer.status, rest]).toEqual([200, { ...entry, status: "requested", emailed: false, emailedReason: "off" }]);
  expect(verificationToken).toMatch(UUID);
  expect(verificationUrl).toBe(`http://localhost/verify/${verificationToken}`);
  expect((await storedEntry(entry.id))?.verification_token).toBe(verificationToken);
});

test("a record has one link, also after further and parallel requests", async () => {
  const { ada, entry, token } = await withOpenLink();
  const other = await ada.addSupervisor({ email: "other@example.org" });
  expect(await ada.requestVerification(entry.id, other.id)).toBe(token);
  const next = await ada.addEntry();
  const tokens = await Promise.all(Array.from({ length: 20 }, () => ada.requestVerification(next.id, other.id)));
  expect(new Set(tokens).size).toBe(1);
  expect(tokens[0]).not.toBe(token);
});

test("the owner's list contains no token", async () => {
  const { ada, token } = await withOpenLink();
  expect((await ada.get("/api/entries")).text).not.toContain(token);
  expect((await ada.get("/profile")).text).not.toContain(token);
});

test("another technician's or an unknown supervisor is 404 and makes no link", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const [entry, theirs] = [await ada.addEntry(), await bob.addSupervisor()];
  for (const supervisorId of [theirs.id, 999_999]) {
    const answer = await ada.json("POST", `/api/verify-request/${entry.id}`, { supervisorId });
    expect([answer.status, answer.json()]).toEqual([
      404,
      { code: "not_found", message: "That supervisor is not in your list." },
    ]);
  }
  expect((await storedEntry(entry.id))?.verification_token).toBeNull();
});

test("a link shows the record, its owner's name and employee number, and no other data", async () => {
  const { ada, entry, token } = await withOpenLink();
  const answer = await app.get(`/api/verify/${token}`);
  const { userId: _, ...seen } = entry;
  const { name, employeeNumber } = ada.user;
  const shown = { ...seen, status: "requested" };
  expect(answer.json()).toEqual({ type: "entry", user: { name, employeeNumber }, entry: shown });
  expect(answer.text).not.toContain(ada.user.email);
});

test("a confirmation stores the name and the time and changes nothing else of the record", async () => {
  const { entry, token } = await withOpenLink();
  const before = await storedEntry(entry.id);
  const started = Date.now();
  const answer = await confirm(token, "  Łukasz 👷 Ødegård ");
  const { message, entry: verified } = answer.json<{ message: string; entry: Entry }>();
  expect(message).toBe("Thank you for verifying these OJT hours.");
  expect(verified).toMatchObject({ id: entry.id, hours: entry.hours, verified: true, verifiedBy: "Łukasz 👷 Ødegård" });
  const after = await storedEntry(entry.id);
  expect(after).toEqual({
    ...before,
    verified: 1,
    verified_by: "Łukasz 👷 Ødegård",
    verified_at: Date.parse(verified.verifiedAt ?? ""),
    verified_via: "link",
    requested_at: null,
    search: "mongstad\nlukasz 👷 odegard",
  });
  expect(Number(after?.verified_at)).toBeGreaterThanOrEqual(started);
});

test("one of 50 concurrent confirmations succeeds and 49 get 409", async () => {
  const { entry, token } = await withOpenLink();
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => confirm(token, `Supervisor ${index}`)));
  const winners = answers.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  const { entry: verified } = winners[0]?.json<{ entry: Entry }>() ?? {};
  expect((await storedEntry(entry.id))?.verified_by).toBe(verified?.verifiedBy);
});

test("neither its link nor another request changes a verified record", async () => {
  const { ada, entry, token } = await withOpenLink();
  await confirm(token);
  const before = await storedEntry(entry.id);
  const supervisor = await ada.addSupervisor();
  const request = await ada.json("POST", `/api/verify-request/${entry.id}`, { supervisorId: supervisor.id });
  expect([request.status, request.json()]).toEqual([
    409,
    { code: "already_verified", message: "This entry is already verified." },
  ]);
  const again = await confirm(token, "Somebody Else");
  const failure = {
    code: "already_answered",
    message: "This entry may have already been verified or the link is invalid.",
  };
  expect([again.status, again.json()]).toEqual([409, failure]);
  const opened = await app.get(`/api/verify/${token}`);
  expect([opened.status, opened.json()]).toEqual([409, failure]);
  expect(await storedEntry(entry.id)).toEqual(before);
});

test("a technician can open the link of their own hours but not verify them", async () => {
  const { ada, entry, token } = await withOpenLink();
  expect((await ada.get(`/api/verify/${token}`)).status).toBe(200);
  const answer = await ada.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
  expect(answer.status).toBe(403);
  expect((await storedEntry(entry.id))?.verified).toBe(0);
  // Another user with an account can verify them.
  const bob = await app.register();
  expect((await bob.json("POST", `/api/verify/${token}`, { supervisorName: "Bob" })).status).toBe(200);
});

test("a used link is 409 for its owner too", async () => {
  const { ada, token } = await withOpenLink();
  await confirm(token);
  expect((await ada.get(`/api/verify/${token}`)).status).toBe(409);
});

test("a link ends with its record, and with its owner's account", async () => {
  const { ada, entry, token } = await withOpenLink();
  const second = await ada.requestVerification((await ada.addEntry()).id);
  await app.db.prepare("DELETE FROM records WHERE id = ?").bind(entry.id).run();
  expect((await confirm(token)).status).toBe(404);
  await app.db.prepare("DELETE FROM users WHERE id = ?").bind(ada.user.id).run();
  expect((await confirm(second)).status).toBe(404);
});

test("a confirmation that the database did not store can be sent again", async () => {
  const { entry, token } = await withOpenLink();
  for (const trip of ["1", "2"]) {
    const headers = { "x-fail-d1-round-trip": trip };
    expect((await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" }, headers)).status).toBe(500);
  }
  expect((await storedEntry(entry.id))?.verified).toBe(0);
  expect((await confirm(token)).status).toBe(200);
});

test("a link starts with PUBLIC_ORIGIN, whatever the request's Host", async () => {
  const behind = await startApp({ env: { PUBLIC_ORIGIN: "https://hours.example" }, origin: "https://10.0.0.7" });
  const ada = await behind.register();
  const [entry, supervisor] = [await ada.addEntry(), await ada.addSupervisor()];
  const answer = await ada.json(
    "POST",
    `/api/verify-request/${entry.id}`,
    { supervisorId: supervisor.id },
    { "X-Forwarded-Host": "attacker.example" },
  );
  expect(answer.json().verificationUrl).toMatch(/^https:\/\/hours\.example\/verify\/[0-9a-f-]{36}$/);
});
