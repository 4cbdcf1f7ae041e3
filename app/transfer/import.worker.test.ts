import { describe, expect, test } from "vitest";
import type { ImportView } from "#app/transfer/import-view.server.ts";
import { startApp } from "#tests/worker/app.ts";
import { count, rows } from "#tests/worker/database.ts";
import {
  applyImport as apply,
  changeImport as change,
  csvOf,
  importFixture,
  sendCsv,
  upload,
} from "#tests/worker/imports.ts";
import { aRopeHours, PASSWORD } from "#tests/worker/people.ts";

/* Uploading a file, changing what its columns mean, and finding what is in the log already. */

const app = await startApp();

const ROW = "2026-11-20,Mongstad,MT,7.5";

describe("POST /api/imports", () => {
  test("shows what would be saved in 2 round trips, and saves no record", async () => {
    const kari = await app.register();
    const answer = await sendCsv(kari, csvOf(ROW, "2026-11-21,Sture,XT,1"));
    expect(answer.status).toBe(201);
    expect(answer.trips).toBe(2);
    const record = { date: "2026-11-20", location: "Mongstad", method: "MT", hours: 7.5, details: {} };
    expect(answer.json()).toEqual({
      id: expect.any(Number),
      kind: "entry",
      encoding: "utf-8",
      sheet: null,
      sheets: [],
      dateOrder: "ymd",
      ambiguous: null,
      ...{ hoursUnit: "hours", hoursPerDay: null, timeZone: "asWritten" },
      columns: ["Date", "Location", "Method", "Hours"],
      mapping: ["date", "location", "method", "hours"],
      rows: [
        { row: 2, cells: ["2026-11-20", "Mongstad", "MT", "7.5"], records: [record] },
        { row: 3, cells: ["2026-11-21", "Sture", "XT", "1"], records: [] },
      ],
      errors: [
        { row: 3, column: "Method", message: "“XT” is not a known method. Choose what it means, or correct it." },
      ],
      notes: [],
      values: { method: {} },
      unknown: { method: [{ word: "XT", rows: 1 }] },
      people: [],
      person: null,
      sums: { total: 7.5, method: { MT: 7.5 }, stated: null },
      duplicates: [],
      possibleTotals: [],
      skip: [],
      count: 2,
      ready: 1,
    });
    expect(await kari.storedEntries()).toBe(0);
  });

  test("takes pasted text as JSON", async () => {
    const kari = await app.register();
    const answer = await kari.json("POST", "/api/imports", { text: csvOf(ROW).replaceAll(",", "\t") });
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({ ready: 1 });
    expect((await kari.json("POST", "/api/imports", { csv: "x" })).status).toBe(400);
  });

  test.each([
    ["nothing", "", "There is nothing in it. Choose another file, or paste the rows."],
    ["a header alone", csvOf(), "There is a header, but no row below it."],
    ["5,001 rows", csvOf(...Array<string>(5_001).fill(ROW)), /^There are more than 5,000 rows/],
    ["10,001 records", `Date,Location,MT,PT,RT\n${`2026-11-20,Rig,1,1,1\n`.repeat(3_334)}`, /more than 10,000 records/],
    ["a picture", Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), /^This file is not text/],
    ["10,000 columns", `${"a,".repeat(9_999)}a\n1`, /^There are 10,000 columns/],
  ])("answers 400 with a message for %s", async (_what, body, message) => {
    const kari = await app.register();
    const answer = await sendCsv(kari, body);
    expect(answer.status).toBe(400);
    expect(answer.json()).toEqual({ code: "invalid", message: expect.stringMatching(message) });
    expect(await count(app.db, "imports", "user_id = ?", kari.user.id)).toBe(0);
  });

  test("answers 413 over 1 MiB and over 2 MiB, and takes exactly 1 MiB", async () => {
    const kari = await app.register();
    const MIB = 1024 * 1024;
    const fill = (length: number) => `${csvOf(ROW)}\n2026-11-20,"${"x".repeat(length - csvOf(ROW).length - 17)}",MT`;
    expect((await sendCsv(kari, fill(MIB + 1))).status).toBe(413);
    expect((await sendCsv(kari, fill(2 * MIB))).status).toBe(413);
    const view = await upload(kari, fill(MIB));
    expect(view).toMatchObject({ ready: 1, count: 2 });
    expect(JSON.stringify(view).length).toBeLessThan(5_000);
  });

  test("answers 415 for any other type, as every other call does for text/csv", async () => {
    const kari = await app.register();
    expect((await sendCsv(kari, csvOf(ROW), "entries", "text/plain")).status).toBe(415);
    expect((await sendCsv(kari, csvOf(ROW), "entries", "")).status).toBe(415);
    const other = await kari.send("POST", "/api/entries", {
      headers: { "Content-Type": "text/csv" },
      body: csvOf(ROW),
    });
    expect(other.status).toBe(415);
  });

  test("answers 403 to another site and 401 without a session", async () => {
    const kari = await app.register();
    const headers = { "Content-Type": "text/csv", "Sec-Fetch-Site": "cross-site" };
    expect((await kari.send("POST", "/api/imports", { headers, body: csvOf(ROW) })).status).toBe(403);
    expect((await sendCsv(app.as(new Map()), "")).status).toBe(401);
  });

  test("takes a kind by the name that records have, and by its earlier one", async () => {
    const kari = await app.register();
    for (const kind of ["entry", "entries"]) expect((await sendCsv(kari, csvOf(ROW), kind)).status).toBe(201);
  });

  test("answers 400 for an unknown kind", async () => {
    const kari = await app.register();
    const answer = await sendCsv(kari, csvOf(ROW), "logbook");
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      code: "invalid",
      message: "kind must be one of entry, rope_hour, training, certificate",
    });
  });

  test("keeps the five newest uploads that are not imported", async () => {
    const kari = await app.register();
    const ids: number[] = [];
    for (let index = 0; index < 7; index++) ids.push((await upload(kari, csvOf(ROW))).id);
    const stored = await rows<{ id: number }>(app.db, "SELECT id FROM imports WHERE user_id = ?", kari.user.id);
    expect(stored.map(({ id }) => id)).toEqual(ids.slice(2));
  });
});

describe("PATCH /api/imports/{id}", () => {
  test("changes what a column means", async () => {
    const kari = await app.register();
    const view = await upload(kari, "When,Rig,What,How long\n2026-11-20,Mongstad,MT,7.5");
    expect(view).toMatchObject({ mapping: [null, null, null, null], ready: 0 });
    const mapping = ["date", "location", "method", "hours"];
    const answer = await change(kari, view.id, { mapping });
    expect(answer.status).toBe(200);
    expect(answer.trips).toBe(2);
    expect(answer.json()).toMatchObject({ mapping, ready: 1, errors: [], notes: [] });
  });

  test("is 400 if it would make more than 10,000 records of the rows, and changes nothing", async () => {
    const kari = await app.register();
    const names = ["ET", "RFT", "MT"];
    const view = await upload(kari, `Date,Location,A,B,C\n${`2026-11-20,Rig,1,1,1\n`.repeat(3_334)}`);
    const answer = await change(kari, view.id, { mapping: ["date", "location", ...names] });
    expect(answer.status).toBe(400);
    expect(answer.json<{ message: string }>().message).toMatch(/more than 10,000 records/);
    expect(
      (await change(kari, view.id, { mapping: ["date", "location", "ET", "RFT", null], skip: [] })).json(),
    ).toMatchObject({
      count: 3_334,
      ready: 6_668,
    });
  });

  test("answers the question for the order of dates", async () => {
    const kari = await app.register();
    const view = await upload(kari, csvOf("03/04/2026,Mongstad,MT,7.5"));
    expect(view).toMatchObject({ dateOrder: null, ambiguous: "03/04/2026", ready: 0 });
    const refused = await apply(kari, view.id);
    expect(refused.status).toBe(409);
    expect(refused.json<{ message: string }>().message).toMatch(/^Choose the order of day, month and year/);
    await change(kari, view.id, { dateOrder: "mdy" });
    await apply(kari, view.id);
    expect(await rows(app.db, "SELECT date FROM entries WHERE user_id = ?", kari.user.id)).toEqual([
      { date: "2026-03-04" },
    ]);
  });

  test.each([
    [{ mapping: ["date"] }, "mapping must have 4 items, one for each column"],
    [{ mapping: ["date", "date", "method", "hours"] }, "Two columns have the same meaning. Choose one of them."],
    [{ mapping: ["__proto__", null, null, null] }, /^A column is one of/],
    [{ dateOrder: "ydm" }, "dateOrder must be ymd, dmy or mdy"],
    [{ skip: ["all"] }, "skip must be a list of row numbers"],
    [{ values: { method: { UT: "XX" } } }, /^A method is one of ET, .*, a list of two different ones, or null$/],
    [{ values: { method: { UT: ["MT", "MT"] } } }, /^A method is one of/],
    [{ values: { method: { UT: ["MT", "PT", "RT"] } } }, /^A method is one of/],
    [{ values: { method: ["UT"] } }, "values.method must be an object"],
    [{ values: [] }, "values must be an object with method"],
    [
      { values: { method: Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`w${index}`, "MT"])) } },
      /^At most 500 words can mean a method/,
    ],
    [{ person: 7 }, "person must be a name of the file, or null"],
    [{ person: "Ola" }, "The column of the people has no “Ola”."],
    [[], "An import is changed with mapping, dateOrder, hoursUnit, hoursPerDay, timeZone, values, person and skip"],
  ])("refuses %j", async (body, message) => {
    const kari = await app.register();
    const { id } = await upload(kari, csvOf(ROW));
    const answer = await change(kari, id, body);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ message: expect.stringMatching(message) });
  });
});

// Zod checks a length first since 4.6: else each of 260,000 wrong items would be a problem with a message of its own.
test("a list that is too long is refused before its items are looked at", async () => {
  const kari = await app.register();
  const { id } = await upload(kari, csvOf(ROW));
  const refused = [await change(kari, id, { mapping: Array(5).fill("a") })];
  refused.push(await change(kari, id, { skip: Array(5_001).fill("a") }));
  expect(refused.map((answer) => answer.json())).toMatchObject([
    { message: "mapping must have 4 items, one for each column" },
    { message: "skip has at most 5,000 rows" },
  ]);
});

test("words for methods are mapped, of several people one is read, and the sums are those of what is saved", async () => {
  const kari = await app.register();
  const list = ["Kari,2026-11-20,Rig,NDT,8", "Kari,2026-11-21,Rig,MT/PT,7.25", "Ola,2026-11-21,Rig,__proto__,9"];
  const view = await upload(kari, ["Name,Date,Location,Method,Hours", ...list, "Total,,,,24.25"].join("\n"));
  expect(view).toMatchObject({ people: ["Kari", "Ola"], person: null, ready: 0, count: 4 });
  const values = (method: string) => change(kari, view.id, `{"values":{"method":${method}},"person":"Kari"}`);
  const answer = await values('{"NDT":"UTSW","MT/PT":["MT","PT"],"__proto__":"RT","x":"MT"}');
  expect([answer.status, answer.trips]).toEqual([200, 2]);
  expect(answer.json()).toMatchObject({
    person: "Kari",
    ready: 3,
    errors: [],
    sums: { total: 15.25, method: { UTSW: 8, MT: 3.63, PT: 3.62 }, stated: null },
  });
  expect(answer.text).toContain('"__proto__":"RT"');
  // Words that are not sent stay; null makes one unknown again.
  expect((await values('{"x":null,"__proto__":null}')).json<ImportView>().values.method).toEqual({
    ndt: "UTSW",
    "mt/pt": ["MT", "PT"],
  });
  expect((await apply(kari, view.id)).json()).toEqual({ created: 3, skipped: 0 });
  const stored = "SELECT method, hours FROM entries WHERE user_id = ? ORDER BY id";
  expect(await rows(app.db, stored, kari.user.id)).toEqual([
    { method: "UTSW", hours: 8 },
    { method: "MT", hours: 3.63 },
    { method: "PT", hours: 3.62 },
  ]);
  const again = await upload(kari, csvOf("2026-11-21,Rig,MT/PT,7.25", "Total,,,7.25"));
  const mapped = await change(kari, again.id, { values: { method: { "MT/PT": ["MT", "PT"] } } });
  expect(mapped.json()).toMatchObject({ duplicates: [2], skip: [2], ready: 0, sums: { total: 0, stated: 7.25 } });
  expect((await kari.json("DELETE", `/api/imports/${view.id}`)).json()).toEqual({ removed: 3, kept: 0 });
  expect(await kari.storedEntries()).toBe(0);
});

describe("duplicates", () => {
  test("of records in the log are skipped, unless the technician chooses otherwise", async () => {
    const kari = await app.register();
    await kari.addEntry();
    const view = await upload(kari, csvOf(ROW, "2026-11-21,Mongstad,MT,7.5", "2026-11-21,Mongstad,MT,7.5"));
    expect(view).toMatchObject({ duplicates: [2, 4], skip: [2, 4], count: 3, ready: 1 });
    expect((await change(kari, view.id, { skip: [4] })).json()).toMatchObject({ skip: [4], ready: 2 });
    expect((await apply(kari, view.id)).json()).toEqual({ created: 2, skipped: 1 });
    expect(await kari.storedEntries()).toBe(3);
  });

  test("are found in the same file sent twice, even if both were checked before either was imported", async () => {
    const kari = await app.register();
    const [first, second] = [await upload(kari, csvOf(ROW)), await upload(kari, csvOf(ROW))];
    expect(second.duplicates).toEqual([]);
    expect((await apply(kari, first.id)).json()).toEqual({ created: 1, skipped: 0 });
    expect((await apply(kari, second.id)).json()).toEqual({ created: 0, skipped: 1 });
    expect((await upload(kari, csvOf(ROW))).duplicates).toEqual([2]);
    expect(await kari.storedEntries()).toBe(1);
  });

  test("are not another technician's records, nor the same hours brought forward", async () => {
    const [kari, ola] = [await app.register(), await app.register()];
    await ola.addEntry();
    await kari.addEntry({ broughtForward: true });
    expect((await upload(kari, csvOf(ROW))).duplicates).toEqual([]);
  });

  test("of rope hours are found too", async () => {
    const kari = await app.register();
    await kari.addRopeHours(aRopeHours({ location: "Troll A", skills: "Rigging\nrescue drill" }));
    const view = await upload(kari, importFixture("rope-logbook.csv"), "rope_hours");
    expect(view).toMatchObject({ duplicates: [2], ready: 0 });
  });
});

test("another technician's import does not exist", async () => {
  const [kari, ola] = [await app.register(), await app.register()];
  const { id } = await upload(kari, csvOf(ROW));
  for (const answer of [
    await apply(ola, id),
    await change(ola, id, { skip: [] }),
    await ola.json("DELETE", `/api/imports/${id}`),
    await ola.get(`/import/${id}`),
  ]) {
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain("Mongstad");
  }
  expect((await apply(kari, id)).json()).toEqual({ created: 1, skipped: 0 });
});

test("an upload that is not imported is deleted after 7 days, and what an import did is forgotten after 90", async () => {
  const kari = await app.register();
  const applied = await upload(kari, csvOf(ROW));
  await apply(kari, applied.id);
  await upload(kari, csvOf(ROW));
  const stored = () => rows(app.db, "SELECT id FROM imports WHERE user_id = ?", kari.user.id);
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000);
  await app.tick(inDays(6.9));
  expect(await stored()).toHaveLength(2);
  await app.tick(inDays(7.1));
  expect(await stored()).toEqual([{ id: applied.id }]);
  await app.tick(inDays(90.1));
  expect(await stored()).toEqual([]);
  expect(await kari.storedEntries()).toBe(1);
});

test("an account's uploads are deleted with it", async () => {
  const kari = await app.register();
  await upload(kari, csvOf("2026-11-20,A secret place,MT,7.5"));
  await kari.json("DELETE", "/api/user", { password: PASSWORD });
  expect(await rows(app.db, "SELECT id FROM imports WHERE instr(content, 'secret place')")).toEqual([]);
});
