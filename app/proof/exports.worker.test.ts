import { expect, test } from "vitest";
import { count, rows } from "#tests/worker/database.ts";
import { exportHours, type MadeExport, type ShownCheck, verifyByMailbox } from "#tests/worker/exports.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { parseCode } from "./export-code.ts";

/*
 * Making, listing and closing exports. Catches an export that is made twice by one submission, a snapshot of two moments,
 * another technician's export, and a code that is stored.
 */

const app = await startMailApp();
const { db } = app;

async function technician() {
  const kari = await app.register({ name: "Kari Nordmann", employeeNumber: "NDT-7" });
  const { entry } = await kari.addVerifiedEntry({ date: "2026-11-19", hours: 7.25, location: "Mongstad" });
  return { kari, entry };
}

const check = async (code: string) => (await app.get(`/api/check/${code}`)).json<ShownCheck>();

test("an export has a code, its address, and a form of the verified records alone, in 2 round trips", async () => {
  const { kari, entry } = await technician();
  await kari.addEntry({ location: "Not verified" });
  const answer = await kari.json("POST", "/api/exports", { form: "ojt" });
  expect([answer.status, answer.trips, answer.headers.get("Cache-Control")]).toEqual([201, 2, "no-store"]);
  const made = answer.json<MadeExport>();
  expect(Object.keys(made)).toEqual(["id", "code", "url", "madeAt", "statement", "form"]);
  expect(made.code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){4}[0-9A-HJKMNP-TV-Z]$/);
  expect(parseCode(made.code)).toBe(made.code);
  expect(made.url).toBe(`http://hours.example.com/c/${made.code}`);
  expect(made.form.rows.map(({ id }) => id)).toEqual([entry.id]);
});

test("only the hash of a code is stored", async () => {
  const { kari } = await technician();
  const { code } = await exportHours(kari);
  const stored = JSON.stringify([
    await rows(db, "SELECT * FROM exports"),
    await rows(db, "SELECT * FROM export_records"),
  ]);
  expect(stored).not.toContain(code);
  expect(stored).not.toContain(code.replaceAll("-", ""));
  // Nor does the statement have it.
  const [row] = await rows<{ statement: string }>(db, "SELECT statement FROM exports WHERE user_id = ?", kari.user.id);
  const payload = Buffer.from(row?.statement.split(".")[1] ?? "", "base64url").toString();
  expect([payload.includes("Kari Nordmann"), payload.includes(code.slice(0, 4))]).toEqual([true, false]);
});

test("the same Idempotency-Key makes one export, whatever changed since; another key makes another", async () => {
  const { kari } = await technician();
  const first = await exportHours(kari, "ojt", "one");
  await kari.addVerifiedEntry();
  expect(await exportHours(kari, "ojt", "one")).toEqual(first);
  const second = await exportHours(kari, "ojt", "two");
  expect(second.code).not.toBe(first.code);
  expect(second.form.rows).toHaveLength(2);
  // The key belongs to the kind, and to the technician.
  const other = await technician();
  expect((await exportHours(other.kari, "ojt", "one")).code).not.toBe(first.code);
});

// Ten, because one account has one turn, and on a busy machine fifty wait for longer than they may.
test("10 concurrent exports with one Idempotency-Key are one", async () => {
  const { kari } = await technician();
  const made = await Promise.all(Array.from({ length: 10 }, () => exportHours(kari, "ojt", "race")));
  expect(new Set(made.map(({ code }) => code)).size).toBe(1);
  expect(await count(db, "exports", "user_id = ?", kari.user.id)).toBe(1);
  expect(await count(db, "export_records", "export_id = ?", made[0]?.id)).toBe(1);
});

test("without a verified record there is nothing to export: 409, and nothing is stored", async () => {
  const kari = await app.register();
  await kari.addEntry();
  for (const [form, message] of [
    ["ojt", "You need at least one verified entry to export as PDF."],
    ["detailed-log", "You need at least one verified entry to export as PDF."],
    ["rope-access-log", "You need at least one verified record of rope hours to export."],
    ["training-and-certificates", "You need at least one verified course, certificate or test to export."],
  ]) {
    const answer = await kari.json("POST", "/api/exports", { form });
    expect([answer.status, answer.json()]).toEqual([409, { code: "nothing_verified", message }]);
  }
  expect(await count(db, "exports", "user_id = ?", kari.user.id)).toBe(0);
});

test("a body without a form, and one with impossible dates is 400, and signed out it is 401 before that", async () => {
  const { kari } = await technician();
  for (const body of [
    ...[{}, { kind: "entries" }, { form: "entries" }, { form: null }, { form: ["ojt"] }, [], null, "no json"],
    ...[{ from: "2026-02-30" }, { from: "2026-03-01", to: "2026-02-01" }, { supervisorId: "x" }].map((over) => ({
      form: "ojt",
      ...over,
    })),
  ]) {
    const answer = await kari.json("POST", "/api/exports", body);
    expect([body, answer.status]).toEqual([body, 400]);
    expect((await app.json("POST", "/api/exports", body)).status).toBe(401);
  }
  const tooLong = { "Idempotency-Key": "k".repeat(201) };
  expect((await kari.json("POST", "/api/exports", { form: "ojt" }, tooLong)).status).toBe(400);
});

test("a disowning at the same time is in the export as a whole or not at all", async () => {
  const kari = await app.register({ name: "Kari Nordmann" });
  const entries = await kari.addEntries(10);
  const email = "whole@example.org";
  const supervisor = await kari.addSupervisor({ email });
  const records = entries.map(({ id }) => ({ type: "entry", id }));
  const asked = await kari.json("POST", "/api/verification-requests", { supervisorId: supervisor.id, records });
  const { verificationToken } = asked.json<{ verificationToken: string }>();
  await app.json("POST", `/api/verify/${verificationToken}`, { supervisorName: "Ola" });
  await kari.addVerifiedEntry();
  await app.idle();
  await app.tick(new Date());
  await app.idle();
  const notice = app.mailChannels.delivered.find(({ to, subject }) => to === email && subject.includes("in your name"));
  const path = notice?.text.match(/(\/disown\/\S+)/)?.[1] ?? "";
  const [disowned, ...made] = await Promise.all([
    app.json("POST", `/api${path}`, {}),
    ...Array.from({ length: 20 }, () => exportHours(kari)),
  ]);
  expect(disowned.json()).toMatchObject({ disowned: 10 });
  const sizes = made.map(({ form }) => form.rows.length);
  expect(sizes.filter((size) => size !== 11 && size !== 1)).toEqual([]);
  // The stored snapshot is the one that the form shows, and each export says what was disowned since.
  for (const { code, form } of made) {
    const { records: checked } = await check(code);
    expect(checked).toHaveLength(form.rows.length);
    expect(checked.map(({ state }) => state).sort()).toEqual([
      ...Array.from({ length: form.rows.length - 1 }, () => "disowned"),
      "unchanged",
    ]);
  }
});

test("the list says how often and when each export was checked; HEAD and a mistyped code do not count", async () => {
  const { kari } = await technician();
  const { id, code, url, madeAt } = await exportHours(kari);
  const list = async () => (await kari.get("/api/exports")).json<Record<string, unknown>[]>();
  const fresh = { id, form: "ojt", code, url, madeAt, records: 1, hours: 7.25, closedAt: null };
  expect(await list()).toEqual([{ ...fresh, checks: 0, checkedAt: null }]);
  await app.get(`/api/check/${code}`);
  await app.get(`/c/${code.toLowerCase()}`);
  await app.send("HEAD", `/c/${code}`);
  await app.send("HEAD", `/api/check/${code}`);
  await app.get(`/c/${code.slice(0, -1)}`);
  expect(await list()).toEqual([{ ...fresh, checks: 2, checkedAt: expect.stringMatching(/^20.*Z$/) }]);
  expect((await kari.get("/api/exports")).trips).toBe(1);
  const other = await technician();
  expect((await other.kari.get("/api/exports")).json()).toEqual([]);
});

test("a closed export says when it was closed and how many records were disowned, and what it printed is deleted", async () => {
  const { kari } = await technician();
  const { id, code } = await exportHours(kari, "ojt", "closing");
  const closed = await kari.json("DELETE", `/api/exports/${id}`);
  expect([closed.status, closed.trips]).toEqual([200, 2]);
  const { closedAt } = closed.json<{ closedAt: string }>();
  expect(closed.json()).toMatchObject({ id, code: null, url: null, closedAt: expect.stringMatching(/^20.*Z$/) });
  expect((await app.get(`/api/check/${code}`)).json()).toEqual({ closedAt, disowned: 0 });
  expect(await count(db, "export_records", "export_id = ? AND content IS NOT NULL", id)).toBe(0);
  expect(await rows(db, "SELECT name, employee_number, statement, seal, checks FROM exports WHERE id = ?", id)).toEqual(
    [{ name: null, employee_number: null, statement: null, seal: null, checks: 0 }],
  );
  // Again, it stays closed since then; and its form cannot be had by its key any more.
  expect((await kari.json("DELETE", `/api/exports/${id}`)).json()).toMatchObject({ closedAt });
  const again = await kari.json("POST", "/api/exports", { form: "ojt" }, { "Idempotency-Key": "closing" });
  expect([again.status, again.json()]).toEqual([
    409,
    { code: "export_closed", message: "This export was closed. Make a new one." },
  ]);
});

test("another technician's export, 0, a huge id and no number are 404", async () => {
  const { kari } = await technician();
  const other = await technician();
  const { id, code } = await exportHours(kari);
  for (const path of [id, 0, -1, 1.5, "9".repeat(15), "9".repeat(40), "x", "%00"]) {
    const answer = await other.kari.json("DELETE", `/api/exports/${path}`);
    expect([path, answer.status, answer.json()]).toEqual([
      path,
      404,
      { code: "not_found", message: "There is no such export." },
    ]);
  }
  expect((await check(code)).records).toHaveLength(1);
});

test("20 exports a day are enough: the next is 429 with the figure, and says when to try again", async () => {
  const { kari } = await technician();
  const { id } = await exportHours(kari);
  const numbers = JSON.stringify(Array.from({ length: 19 }, (_, index) => index + 1));
  await db
    .prepare(
      `INSERT INTO exports (id, user_id, record_kind, nonce, code_hash, made_at, made_on, name, records, hundredths, seal)
      SELECT value, user_id, 'entry', nonce, substr(code_hash, 4) || printf('%03d', value), made_at, made_on, name, 1, 1, seal
      FROM exports, json_each(?) WHERE exports.id = ?`,
    )
    .bind(numbers, id)
    .run();
  const answer = await kari.json("POST", "/api/exports", { form: "ojt" });
  expect([answer.status, Number(answer.headers.get("Retry-After"))]).toEqual([
    429,
    expect.toSatisfy((s) => s > 86_000),
  ]);
  expect(answer.json().message).toBe(
    "You made 20 exports in 24 hours, which is the most. An export that you made is still on your account page. Please try again in 24 hours.",
  );
  await db.prepare("UPDATE exports SET made_at = made_at - 86400000 WHERE user_id = ?").bind(kari.user.id).run();
  expect((await kari.json("POST", "/api/exports", { form: "ojt" })).status).toBe(201);
  // Exports of a clock that was a day ahead do not count.
  await db.prepare("UPDATE exports SET made_at = made_at + 2 * 86400000 WHERE user_id = ?").bind(kari.user.id).run();
  expect((await kari.json("POST", "/api/exports", { form: "ojt" })).status).toBe(201);
});

test("mailbox verifications carry the address's domain, links none", async () => {
  const kari = await app.register({ name: "Kari Nordmann" });
  const { id } = await kari.addEntry({ date: "2026-11-01" });
  await verifyByMailbox(app, kari, id);
  await kari.addVerifiedEntry({ date: "2026-11-02" });
  const { code } = await exportHours(kari);
  expect((await check(code)).records.map(({ via, domain, state }) => ({ via, domain, state }))).toEqual([
    { via: "mailbox", domain: "example.org", state: "unchanged" },
    { via: "link", domain: null, state: "unchanged" },
  ]);
});
