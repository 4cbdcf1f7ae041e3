import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { appendEvents } from "#app/audit-log/log.server.ts";
import { connect } from "#app/db/client.server.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { checksOf } from "#tests/worker/checks.ts";
import { count, ownerOf, rows } from "#tests/worker/database.ts";
import { exportHours, verifyByMailbox } from "#tests/worker/exports.ts";
import { textOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { CODE_BYTES, codeFromBytes, MISTYPED } from "./export-code.ts";

/* What anyone sees who checks a code. Catches a page that says more than the paper, and a guess that costs nothing. */

const app = await startMailApp();
const { db } = app;
const { check, pageOf, exported } = checksOf(app);

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
    ...[code, "Kari Nordmann, 11.25 verified hours in 2 records", "Made here on", "UTC", "Every record is unchanged"],
    ...["NDT-7", "Total Hours", "Mongstad", "1 Nov 2026", "7.25", "example.org", "verified through a link"],
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
  expect(await pageOf(code)).toContain("Kari Nordmann, 11.25 verified hours");
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

/** Inserts entries that are verified, with their logs. `days` are those after the start of 2000. */
async function insertVerified(userId: number, list: { location: string; days: number }[]): Promise<void> {
  const inserted = await rows<{ id: number; date: string; location: string }>(
    db,
    `INSERT INTO records (user_id, kind, date, location, method, hours, verified, verified_by, verified_at, verified_via,
        search, created_at)
      SELECT ?, 'entry', date('2000-01-01', '+' || (value ->> 'days') || ' days'), value ->> 'location', 'MT', 750, 1, 'Ola', 1,
        'link', '', 1 FROM json_each(?) RETURNING id, date, location`,
    userId,
    JSON.stringify(list),
  );
  const owner = await ownerOf(db, userId);
  const verified = inserted.map((record) => ({
    position: { id: record.id, userId, last: undefined },
    event: {
      ...{ event: "verified" as const, at: new Date(1), via: "link" as const, name: "Ola" },
      recordHash: recordHash(entryKind, { ...record, owner, method: "MT", hours: 7.5 }),
    },
  }));
  for (let start = 0; start < verified.length; start += 2_000) {
    const { event, facts } = appendEvents(connect(db), verified.slice(start, start + 2_000));
    await event;
    await facts;
  }
}

test("of 10,000 records the first 500 are shown at first, and the verdict is about all", async () => {
  const kari = await app.register({ name: "Kari Nordmann" });
  const list = Array.from({ length: 10_000 }, (_, index) => index);
  await insertVerified(
    kari.user.id,
    list.map((value) => ({ location: `Place ${value}`, days: value })),
  );
  const answer = await kari.json("POST", "/api/exports", { kind: "entries" });
  expect([answer.status, answer.trips]).toEqual([201, 2]);
  const { code, form } = answer.json<{ code: string; form: { rows: unknown[] } }>();
  expect(form.rows).toHaveLength(10_000);
  const page = await app.get(`/c/${code}`);
  expect([page.status, page.trips, page.text.match(/Place \d+/g)?.length]).toEqual([200, 1, 500]);
  expect(textOf(page.text)).toContain("75000.0 verified hours in 10000 records");
  expect(textOf(page.text)).toContain("Every record is unchanged");
  await db.prepare("DELETE FROM records WHERE user_id = ? AND location = 'Place 9000'").bind(kari.user.id).run();
  const after = await app.get(`/c/${code}`);
  expect(textOf(after.text)).toContain("9999 records are unchanged");
  expect(after.text).toContain('href="?all#r9001"');
  const all = await app.get(`/c/${code}?all`);
  expect([all.text.match(/Place \d+/g)?.length, all.text.includes('id="r9001"')]).toEqual([10_000, true]);
  // One more is too many for one form.
  await insertVerified(kari.user.id, [
    { location: "x", days: 1 },
    { location: "y", days: 2 },
  ]);
  const refused = await kari.json("POST", "/api/exports", { kind: "entries" });
  expect([refused.status, refused.json()]).toEqual([409, { message: "One form has at most 10,000 records." }]);
});
