import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { eraseSupervisor } from "#app/supervisors/erase-supervisor.server.ts";
import { formatInstant } from "#app/ui/calendar-date.ts";
import { count, rows } from "#tests/worker/database.ts";
import { exportHours, type ShownCheck, verifyByMailbox } from "#tests/worker/exports.ts";
import { textOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { PASSWORD } from "#tests/worker/people.ts";
import { snapshotOfEntry, storedExport } from "#tests/worker/stored-export.ts";
import { CODE_BYTES, codeFromBytes, MISTYPED } from "./export-code.ts";

/*
 * What anyone sees who checks a code. Catches a page that says more than the paper, a state that is not the record's, data
 * that outlives its account, and a guess that costs nothing.
 */

const app = await startMailApp();
const { db } = app;

async function exported() {
  const kari = await app.register({ name: "Kari Nordmann", employeeNumber: "NDT-7" });
  const { id } = await kari.addEntry({ date: "2026-11-01", location: "Mongstad", method: "ET", hours: 7.25 });
  const { email, disownPath } = await verifyByMailbox(app, kari, id);
  await kari.addVerifiedEntry({ date: "2026-11-02", location: "Kårstø", method: "UT_THK", hours: 4 });
  const { code, madeAt } = await exportHours(kari);
  return { kari, id, email, disownPath, code, madeAt };
}

const check = async (code: string) => (await app.get(`/api/check/${code}`)).json<ShownCheck>();
const states = async (code: string) => (await check(code)).records.map(({ state }) => state);
const pageOf = async (code: string) => textOf((await app.get(`/c/${code}`)).text);
const unknownCode = () => codeFromBytes(randomBytes(CODE_BYTES));

test("the call shows whose hours they are, the totals and each record as printed, and nothing more, in 1 round trip", async () => {
  const { code, madeAt } = await exported();
  const answer = await app.get(`/api/check/${code}`);
  expect([answer.status, answer.trips, answer.headers.get("Cache-Control")]).toEqual([200, 1, "no-store"]);
  const common = { type: "entry", supervisor: "Ola Hansen", broughtForward: false, state: "unchanged" };
  expect(answer.json()).toEqual({
    madeAt,
    technician: { name: "Kari Nordmann", employeeNumber: "NDT-7" },
    totals: { ET: 7.25, UT_THK: 4, total: 11.25 },
    records: [
      {
        ...common,
        date: "2026-11-01",
        location: "Mongstad",
        method: "ET",
        hours: 7.25,
        via: "mailbox",
        domain: "example.org",
      },
      { ...common, date: "2026-11-02", location: "Kårstø", method: "UT_THK", hours: 4, via: "link", domain: null },
    ],
    statement: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  });
});

test("the page says the same in words: the totals before the records, without script, not indexed, not stored", async () => {
  const { code, email, kari } = await exported();
  const page = await app.get(`/c/${code}`);
  expect([page.status, page.trips, page.headers.get("Cache-Control"), page.headers.get("X-Robots-Tag")]).toEqual([
    ...[200, 1, "no-store", "noindex"],
  ]);
  expect(page.text).not.toContain("<script");
  const text = textOf(page.text);
  for (const words of [
    ...[code, "Kari Nordmann, 11.3 verified hours in 2 records", "Made here on", "UTC", "Every record is unchanged"],
    ...["NDT-7", "Total Hours", "Mongstad", "1 Nov 2026", "7.3", "example.org", "verified through a link"],
  ]) {
    expect(text).toContain(words);
  }
  expect(text.indexOf("Total Hours")).toBeLessThan(text.indexOf("Mongstad"));
  for (const words of [email, kari.user.email, "signed by", "certified", "legally binding"]) {
    expect(page.text.toLowerCase()).not.toContain(words);
  }
  expect(page.text).not.toMatch(/VER-|submission|verificationToken|[0-9a-f]{32}/);
});

test("any spelling of a code is the same code", async () => {
  const { code } = await exported();
  const plain = code.replaceAll("-", "");
  for (const spelling of [
    plain,
    plain.toLowerCase(),
    code.toLowerCase(),
    plain.replaceAll("1", "l").replaceAll("0", "o"),
  ]) {
    expect([spelling, (await app.get(`/c/${spelling}`)).status]).toEqual([spelling, 200]);
    expect((await app.get(`/api/check/${encodeURIComponent(spelling)}`)).status).toBe(200);
  }
  const spaced = encodeURIComponent(` ${code.replaceAll("-", "  ")} `);
  expect((await app.get(`/c/${spaced}`)).status).toBe(200);
  const percent = [...plain].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");
  expect((await app.get(`/c/${percent}`)).status).toBe(200);
});

test("a mistyped code is 400, says so, asks again, and costs neither an attempt nor a round trip", async () => {
  const { code } = await exported();
  const before = await count(db, "tries");
  const wrong = code.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  for (const path of [wrong, code.slice(1), "x", "%F0%9F%98%80", "0".repeat(300)]) {
    const answer = await app.get(`/api/check/${path}`);
    expect([path, answer.status, answer.trips, answer.json()]).toEqual([path, 400, 0, { message: MISTYPED }]);
    const page = await app.get(`/c/${path}`);
    expect([path, page.status, page.trips]).toEqual([path, 400, 0]);
    expect(textOf(page.text)).toContain(MISTYPED);
    expect(page.text).toContain('action="/check"');
  }
  expect(await count(db, "tries")).toBe(before);
});

test("/check leads to the page of a code, and says of a mistyped one that it is", async () => {
  const { code } = await exported();
  const form = await app.get("/check");
  expect([form.status, form.text.includes("<script"), form.text.includes('name="code"')]).toEqual([200, false, true]);
  const found = await app.get(`/check?code=${code.toLowerCase().replaceAll("-", "+")}`);
  expect([found.status, found.location]).toEqual([303, `/c/${code}`]);
  const wrong = await app.get("/check?code=%22%3E%3Cb%3E");
  expect([wrong.status, wrong.trips, textOf(wrong.text).includes(MISTYPED), wrong.text.includes('"><b>')]).toEqual([
    ...[400, 0, true, false],
  ]);
});

test("an unknown code is 404; after 30 from one network the next is 429, and a known one still opens", async () => {
  const { code } = await exported();
  const visitor = app.as(new Map());
  for (let attempt = 0; attempt < 30; attempt++) {
    const path = attempt % 2 ? `/c/${unknownCode()}` : `/api/check/${unknownCode()}`;
    const answer = await visitor.get(path);
    expect([attempt, answer.status, answer.trips]).toEqual([attempt, 404, 1]);
  }
  const full = await visitor.get(`/api/check/${unknownCode()}`);
  expect([full.status, Number(full.headers.get("Retry-After")) > 0]).toEqual([429, true]);
  expect((await visitor.get(`/c/${unknownCode()}`)).status).toBe(429);
  expect((await visitor.get(`/c/${code}`)).status).toBe(200);
  expect((await app.as(new Map()).get(`/c/${unknownCode()}`)).status).toBe(404);
});

test("a code on another technician's paper shows whose it is", async () => {
  const { code } = await exported();
  const jan = await app.register({ name: "Jan Kowalski" });
  await jan.addVerifiedEntry();
  const other = await exportHours(jan);
  expect((await check(other.code)).technician.name).toBe("Jan Kowalski");
  expect(await pageOf(code)).toContain("Kari Nordmann, 11.3 verified hours");
});

test("a record is disowned, then deleted, then disowned again when restored, then changed once it is edited", async () => {
  const { kari, id, code, disownPath } = await exported();
  const path = await disownPath();
  expect((await app.json("POST", `/api${path}`, {})).json()).toMatchObject({ disowned: 1 });
  expect(await states(code)).toEqual(["disowned", "unchanged"]);
  const text = await pageOf(code);
  expect(text).toContain("1 record is unchanged");
  expect(text).toContain("1 record was disowned by its supervisor since. Show it");
  expect(text).toMatch(/Ola Hansen.*Disowned on \d+ \w+ 20\d\d/);
  expect(text).not.toContain("Every record is unchanged");
  // The printed totals stay: they are what the paper says.
  expect((await check(code)).totals.total).toBe(11.25);
  expect((await kari.json("DELETE", `/api/entries/${id}`)).status).toBe(200);
  expect(await states(code)).toEqual(["deleted", "unchanged"]);
  expect(await pageOf(code)).toContain("1 record was deleted since.");
  expect((await kari.json("POST", `/api/entries/${id}/restore`)).status).toBe(200);
  expect(await states(code)).toEqual(["disowned", "unchanged"]);
  expect((await kari.json("PATCH", `/api/entries/${id}`, { hours: 8 })).status).toBe(200);
  expect(await states(code)).toEqual(["changed", "unchanged"]);
  expect(await pageOf(code)).toContain("1 record was changed since.");
  // What it prints stays, and the new hours are not shown.
  expect((await check(code)).records[0]).toMatchObject({ hours: 7.25, supervisor: "Ola Hansen" });
});

test("a record that is verified again as it was printed is unchanged; by another supervisor or by link it is changed", async () => {
  const { kari, id, code, disownPath } = await exported();
  await app.json("POST", `/api${await disownPath()}`, {});
  await verifyByMailbox(app, kari, id);
  expect(await states(code)).toEqual(["unchanged", "unchanged"]);
  const other = await exported();
  await app.json("POST", `/api${await other.disownPath()}`, {});
  const token = await other.kari.requestVerification(other.id);
  await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
  expect(await states(other.code)).toEqual(["changed", "unchanged"]);
});

// Seen to fail: each, without the comparison of the seal; of the hours then only one record was changed.
test.each([
  ["the name", "UPDATE exports SET name = 'Per Hansen' WHERE id = ?"],
  ["the employee number", "UPDATE exports SET employee_number = NULL WHERE id = ?"],
  ["the day", "UPDATE exports SET made_on = '2020-01-01' WHERE id = ?"],
  ["the moment", "UPDATE exports SET made_at = made_at - 86400000 WHERE id = ?"],
  [
    "the hours of one record",
    "UPDATE export_records SET content = json_set(content, '$.hours', 9) WHERE export_id = ? AND position = 1",
  ],
  ["the number of records", "DELETE FROM export_records WHERE export_id = ? AND position = 1"],
])("once %s of a stored export is altered past the app, every record is changed", async (_what, sql) => {
  const { kari, code } = await exported();
  const own = await rows<{ id: number }>(db, "SELECT id FROM exports WHERE user_id = ?", kari.user.id);
  expect(await states(code)).toEqual(["unchanged", "unchanged"]);
  await db.prepare(sql).bind(own[0]?.id).run();
  const after = await states(code);
  expect([after.length > 0, new Set(after)]).toEqual([true, new Set(["changed"])]);
  expect(await pageOf(code)).not.toContain("unchanged");
  // Another export of the same records is as it was.
  const other = await exportHours(kari);
  expect(await states(other.code)).toEqual(["unchanged", "unchanged"]);
  expect((await check(other.code)).records[0]).toMatchObject({ hours: 7.25 });
});

// The dates are then wrong by a day, and nothing else: no date decides what is unchanged, valid or open.
test.each([
  ["ahead", 1],
  ["behind", -1],
])("an export of a clock that was a day %s shows that day, and its records stay unchanged", async (_how, days) => {
  const { kari } = await exported();
  const wrong = new Date(Date.now() + days * 86_400_000);
  const entries = await rows<{ id: number }>(db, "SELECT id FROM entries WHERE user_id = ?", kari.user.id);
  const { id, code, statements } = storedExport(db, kari.user.id, {
    ...snapshotOfEntry(entries[1]?.id ?? 0, "Kari Nordmann", "Kårstø"),
    ...{ madeAt: wrong, madeOn: wrong.toISOString().slice(0, 10) },
    records: [
      {
        ...{ recordId: entries[1]?.id ?? 0, supervisor: "Ola Hansen", via: "link", domain: null },
        content: { date: "2026-11-02", location: "Kårstø", method: "UT_THK", hours: 4, broughtForward: false },
      },
    ],
  });
  await db.batch(statements);
  await db.prepare("UPDATE export_records SET via = 'link' WHERE export_id = ?").bind(id).run();
  const answer = await check(code);
  expect([answer.madeAt, answer.records.map(({ state }) => state)]).toEqual([wrong.toISOString(), ["unchanged"]]);
  expect(await pageOf(code)).toContain(`Made here on ${formatInstant("UTC", wrong)} UTC`);
  // It is listed by its date, and a new one is made.
  const listed = (await kari.get("/api/exports")).json<{ id: number }[]>().map((one) => one.id);
  expect(listed.indexOf(id)).toBe(days > 0 ? 0 : 1);
  expect((await exportHours(kari)).code).not.toBe(code);
});

test("a record that an admin deleted is deleted", async () => {
  const { id, code } = await exported();
  const admin = await app.register({ isAdmin: true });
  expect((await admin.json("DELETE", `/api/admin/entries/${id}`)).status).toBe(200);
  expect(await states(code)).toEqual(["deleted", "unchanged"]);
});

test("rope hours are checked as entries are, and list the skills that the form prints", async () => {
  const kari = await app.register({ name: "Kari Nordmann" });
  const { id } = await kari.addRopeHours({ skills: "Rescue" });
  await verifyByMailbox(app, kari, id, "verify-request-rope");
  const { code } = await exportHours(kari, "rope_hours");
  const { totals, records } = await check(code);
  expect([totals, records]).toEqual([
    { total: 38.5 },
    [
      {
        ...{
          type: "rope_hour",
          startDate: "2026-11-16",
          endDate: "2026-11-20",
          location: "Mongstad",
          skills: "Rescue",
        },
        ...{ hours: 38.5, supervisor: "Ola Hansen", via: "mailbox", domain: "example.org", state: "unchanged" },
      },
    ],
  ]);
  expect(await pageOf(code)).toContain("38.5 verified hours in 1 record");
});

test("after the account is deleted only the dates remain, and nothing of the technician is stored", async () => {
  const { kari, code, id, madeAt } = await exported();
  await exportHours(kari);
  const gone = await kari.json("DELETE", "/api/user", { password: PASSWORD });
  expect(gone.status).toBe(200);
  const answer = await app.get(`/api/check/${code}`);
  expect(answer.json()).toEqual({ madeAt, accountDeletedAt: expect.stringMatching(/^20.*Z$/) });
  expect(Math.abs(Date.parse(answer.json<{ accountDeletedAt: string }>().accountDeletedAt) - Date.now())).toBeLessThan(
    60_000,
  );
  const text = await pageOf(code);
  expect(text).toContain("This account was deleted");
  expect(text).not.toContain("Kari");
  expect(await count(db, "export_records", "record_id = ?", id)).toBe(0);
  const left = await rows<Record<string, unknown>>(db, "SELECT * FROM exports WHERE account_deleted_at IS NOT NULL");
  expect(left).toHaveLength(2);
  for (const row of left) {
    const kept = Object.entries(row).filter(([, value]) => value !== null && value !== 0);
    expect(kept.map(([name]) => name)).toEqual(["id", "code_hash", "made_at", "account_deleted_at"]);
  }
});

test("an account that an admin deletes leaves its exports as its owner would", async () => {
  const { kari, code, madeAt } = await exported();
  const admin = await app.register({ isAdmin: true });
  expect((await admin.json("DELETE", `/api/admin/users/${kari.user.id}`)).status).toBe(200);
  expect((await app.get(`/api/check/${code}`)).json()).toEqual({ madeAt, accountDeletedAt: expect.any(String) });
});

test("when a supervisor is erased, the domain goes and the record stays unchanged", async () => {
  const { code, email } = await exported();
  const erased = await eraseSupervisor((sql) => rows(db, sql), email);
  expect(erased).toContain("domains in exports (1)");
  expect((await check(code)).records).toMatchObject([
    { supervisor: "Ola Hansen", via: "mailbox", domain: null, state: "unchanged" },
    { state: "unchanged" },
  ]);
});

test("of 10,000 records the first 500 are shown at first, and the verdict is about all", async () => {
  const kari = await app.register({ name: "Kari Nordmann" });
  const list = Array.from({ length: 10_000 }, (_, index) => index);
  await db
    .prepare(
      `INSERT INTO entries (user_id, date, location, method, hours, verified, verified_by, verified_at, search, created_at)
      SELECT ?, date('2000-01-01', '+' || value || ' days'), 'Place ' || value, 'MT', 7.5, 1, 'Ola', 1, '', 1 FROM json_each(?)`,
    )
    .bind(kari.user.id, JSON.stringify(list))
    .run();
  const answer = await kari.json("POST", "/api/exports", { kind: "entries" });
  expect([answer.status, answer.trips]).toEqual([201, 2]);
  const { code, form } = answer.json<{ code: string; form: { rows: unknown[] } }>();
  expect(form.rows).toHaveLength(10_000);
  const page = await app.get(`/c/${code}`);
  expect([page.status, page.trips, page.text.match(/Place \d+/g)?.length]).toEqual([200, 1, 500]);
  expect(textOf(page.text)).toContain("75000.0 verified hours in 10000 records");
  expect(textOf(page.text)).toContain("Every record is unchanged");
  await db.prepare("DELETE FROM entries WHERE user_id = ? AND location = 'Place 9000'").bind(kari.user.id).run();
  const after = await app.get(`/c/${code}`);
  expect(textOf(after.text)).toContain("9999 records are unchanged");
  expect(after.text).toContain('href="?all#r9001"');
  const all = await app.get(`/c/${code}?all`);
  expect([all.text.match(/Place \d+/g)?.length, all.text.includes('id="r9001"')]).toEqual([10_000, true]);
  // One more is too many for one form.
  await db
    .prepare(
      `INSERT INTO entries (user_id, date, location, method, hours, verified, verified_by, verified_at, search, created_at)
      SELECT ?, '2030-01-01', 'x', 'MT', 1, 1, 'Ola', 1, '', 1 FROM json_each('[1,2]')`,
    )
    .bind(kari.user.id)
    .run();
  const refused = await kari.json("POST", "/api/exports", { kind: "entries" });
  expect([refused.status, refused.json()]).toEqual([409, { message: "One form has at most 10,000 records." }]);
});
