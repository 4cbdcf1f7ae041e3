import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { formIn, textOf, textsOf } from "#tests/worker/html.ts";
import { csvOf, importFixture } from "#tests/worker/imports.ts";
import type { Technician } from "#tests/worker/people.ts";

const app = await startApp();

/** Presses *Import*, which sends the preview's form to an address of its own. */
async function pressImport(kari: Technician, path: string, fields: Record<string, string> = {}) {
  const page = await kari.get(path);
  expect(page.text).toContain(`formaction="${path}/apply"`);
  return kari.post(`${path}/apply`, formIn(page.text, path).values(fields));
}

/** Uploads a file by the form, as a browser does without JavaScript. */
async function uploadFile(kari: Technician, bytes: Uint8Array, kind = "entry") {
  const body = new FormData();
  body.set("kind", kind);
  body.set("file", new File([bytes as BlobPart], "log.csv", { type: "text/csv" }));
  body.set("text", "");
  return kari.send("POST", "/import", { body });
}

test("a file is checked, its dates are asked for, and it is imported, without script", async () => {
  const kari = await app.register();
  const uploaded = await uploadFile(kari, new TextEncoder().encode(csvOf("03/04/2026,Mongstad,MT,7.5", ",,,")));
  expect(uploaded.status).toBe(303);
  const preview = await kari.follow(uploaded);
  const path = uploaded.location ?? "";
  expect(preview.text).toContain("Which comes first, the day or the month?");
  const asked = await kari.submit(preview, path, { dateOrder: "dmy" }, "Update preview");
  const ready = await kari.follow(asked);
  expect(ready.text).toContain("3 Apr 2026");
  expect(ready.text).toContain("<b>1 record</b>");
  const applied = await pressImport(kari, path);
  const done = await kari.follow(applied);
  expect(textOf(done.text)).toContain("1 record saved");
  expect(await rows(app.db, "SELECT date, location FROM entries WHERE user_id = ?", kari.user.id)).toEqual([
    { date: "2026-04-03", location: "Mongstad" },
  ]);
});

test("pasted rows with a problem are shown with row and column; those without a file or rows are refused", async () => {
  const kari = await app.register();
  const page = await kari.get("/import");
  const empty = await kari.submit(page, "/import", { kind: "entry", text: "" });
  expect(empty.status).toBe(400);
  expect(empty.text).toContain("Choose a file, or paste rows below");
  const sent = await kari.submit(page, "/import", { kind: "entry", text: csvOf("yesterday,Mongstad,MT,7.5") });
  const preview = await kari.follow(sent);
  expect(preview.text).toMatch(/Row 2.*Date.*“yesterday” cannot be read as a date/s);
});

test("a text that cannot be imported comes back with its message and what was typed", async () => {
  const kari = await app.register();
  const answer = await kari.post("/import", { kind: "rope_hour", text: "Date,Location" });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("There is a header, but no row below it.");
  expect(answer.text).toContain("Date,Location</textarea>");
});

test("Import takes what the form says, without Update preview", async () => {
  const kari = await app.register();
  await kari.addEntry();
  const text = csvOf(
    "2026-11-20,Mongstad,MT,7.5",
    "2026-11-21,Sture,NDT,8",
    "2026-11-22,Sture,MT/PT,7.25",
    "Total,,,30",
  );
  const { location } = await kari.post("/import", { kind: "entry", text });
  const path = location ?? "";
  const preview = textOf((await kari.get(path)).text);
  expect(preview).toContain("Row 5 is a total: no hours of its own.");
  expect(preview).toContain("2 words for methods to choose");
  const words = { "choices[0].one": "UTSW", "choices[1].one": "MT", "choices[1].two": "PT" };
  const fields = formIn((await kari.get(path)).text, path).values(words);
  fields.delete("choices[0].skip"); // the duplicate is wanted too
  const applied = await kari.post(`${path}/apply`, fields);
  expect([applied.location, applied.trips]).toEqual([path, 2]);
  const stored = "SELECT method, hours FROM entries WHERE user_id = ? ORDER BY id";
  expect(await rows(app.db, stored, kari.user.id)).toEqual([
    ...[7.5, 7.5].map((hours) => ({ method: "MT", hours })),
    { method: "UTSW", hours: 8 },
    { method: "MT", hours: 3.63 },
    { method: "PT", hours: 3.62 },
  ]);
});

test("Import with a question still open says which, and keeps what was chosen", async () => {
  const kari = await app.register();
  const uploaded = await uploadFile(kari, importFixture("spreadsheet-us.csv"));
  const path = uploaded.location ?? "";
  const swapped = await pressImport(kari, path, { "choices[1].target": "", "choices[0].target": "" });
  expect([swapped.location, swapped.trips]).toEqual([path, 2]);
  const again = textOf((await kari.get(path)).text);
  expect(again).toContain("Choose the column of the date.");
  expect(again).toContain("2 rows cannot be read before each column is chosen.");
  expect(await kari.storedEntries()).toBe(0);
});

test("Import into a full account keeps what was chosen", async () => {
  const kari = await app.register();
  const fill = `INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
    SELECT ?, 'entry', '2026-01-01', 'Rig', 'MT', 100, '', 1 FROM json_each(?)`;
  await app.db
    .prepare(fill)
    .bind(kari.user.id, JSON.stringify(Array(20_000).fill(0)))
    .run();
  const { location } = await kari.post("/import", { kind: "entry", text: csvOf("2026-11-20,Mongstad,XT,7.5") });
  const path = location ?? "";
  const answer = await pressImport(kari, path, { "choices[0].one": "PT" });
  const again = await kari.follow(answer);
  expect(textOf(again.text)).toContain("An account holds at most 20,000 OJT entries");
  expect(formIn(again.text, path).values({}).get("choices[0].one")).toBe("PT");
  expect(textOf(again.text)).toContain("1 record ready to import.");
});

// Seen to fail: it was imported, because "all duplicates" was taken for no choice.
test("a duplicate that is marked again is not imported, and stays marked after the refusal", async () => {
  const kari = await app.register();
  await kari.addEntry();
  const { location } = await kari.post("/import", { kind: "entry", text: csvOf("2026-11-20,Mongstad,MT,7.5") });
  const path = location ?? "";
  const fields = formIn((await kari.get(path)).text, path).values({});
  expect(fields.get("choices[0].skip")).toBe("2");
  const cleared = new URLSearchParams(fields);
  cleared.delete("choices[0].skip");
  await kari.post(path, cleared);
  expect(textOf((await kari.get(path)).text)).toContain("1 record ready to import.");
  const again = await kari.follow(await kari.post(`${path}/apply`, fields));
  expect(textOf(again.text)).toContain("No row is ready to import");
  expect(formIn(again.text, path).values({}).get("choices[0].skip")).toBe("2");
});

test("Import is there in every state of a preview, with the reason if nothing can be imported yet", async () => {
  const kari = await app.register();
  const before = "2026-11-20,Mongstad,MT,7.5";
  const first = "Answer the question above first";
  const states: [text: string, question: string, reason: string][] = [
    [csvOf("03/04/2026,Mongstad,MT,7.5"), "Which comes first, the day or the month?", first],
    ["Date,Place,Hrs\n2026-11-20,Mongstad,7.5", "Choose the column of the method.", first],
    [`Name,${csvOf(`Kari,${before}`, `Ola,${before}`)}`, "Choose whose rows to import", first],
    [csvOf("2026-11-20,Mongstad,NDT,7.5"), "1 word for methods to choose", "No row is ready to import"],
  ];
  for (const [text, question, reason] of states) {
    const { location } = await kari.post("/import", { kind: "entry", text });
    const path = location ?? "";
    const preview = textOf((await kari.get(path)).text);
    for (const words of [question, reason]) expect(preview).toContain(words);
    const answer = await kari.follow(await pressImport(kari, path));
    expect(answer.text).toContain(`formaction="${path}/apply"`); // the upload is still there
  }
  expect(await kari.storedEntries()).toBe(0);
});

test("the preview compares the total of the file with the records, and asks whose rows they are", async () => {
  const kari = await app.register();
  const preview = async (text: string) => {
    const { location } = await kari.post("/import", { kind: "entry", text });
    return textOf((await kari.get(location ?? "")).text);
  };
  expect(await preview(csvOf("2026-11-20,Mongstad,MT,7.5", "Total,,,7.5"))).toContain("own total is the same");
  expect(await preview(csvOf("2026-11-20,Mongstad,MT,7.5", "Total,,,9"))).toContain(
    "own total (row 3) is 9.0 hours: 1.5 more than these records.",
  );
  expect(await preview(`Name,${csvOf("Kari,2026-11-20,Rig,MT,7.5", "Ola,2026-11-20,Rig,MT,7.5")}`)).toContain(
    "Choose whose rows to import: the file has the rows of 2 people.",
  );
});

test("a column of dates that the technician names is read in its own order, or that is asked", async () => {
  const kari = await app.register();
  const text = "When,Rig,What,How long\n03/04/26,Mongstad,MT,7.5";
  const { location } = await kari.post("/import", { kind: "entry", text });
  const path = location ?? "";
  const targets = ["date", "location", "method", "hours"].map((target, index) => [`choices[${index}].target`, target]);
  const answer = await kari.submit(await kari.get(path), path, Object.fromEntries(targets), "Update preview");
  expect((await kari.follow(answer)).text).toContain("Which comes first, the day or the month?");
});

test("a duplicate is imported if its mark is taken away", async () => {
  const kari = await app.register();
  await kari.addEntry();
  const { location } = await kari.post("/import", { kind: "entry", text: csvOf("2026-11-20,Mongstad,MT,7.5") });
  const path = location ?? "";
  const page = await kari.get(path);
  expect(page.text).toContain("<b>0 records</b>");
  const fields = { "choices[0].target": "date", "choices[1].target": "location", "choices[2].target": "method" };
  const all = { ...fields, "choices[3].target": "hours", dateOrder: "ymd" };
  expect((await kari.follow(await kari.post(path, all))).text).toContain("<b>1 record</b>");
  await kari.post(`${path}/apply`, all);
  expect(await kari.storedEntries()).toBe(2);
});

test("more than 100 duplicates are all imported if the box of the others is cleared too", async () => {
  const kari = await app.register();
  await kari.addEntry();
  const text = csvOf(...Array<string>(103).fill("2026-11-20,Mongstad,MT,7.5"));
  const { location } = await kari.post("/import", { kind: "entry", text });
  const path = location ?? "";
  const page = await kari.get(path);
  expect(textOf(page.text)).toContain("Skip the other 3 rows");
  const fields = [...formIn(page.text, path).values({})];
  const unskipped = fields.filter(([name]) => name !== "skipOthers" && !name.endsWith(".skip"));
  expect(unskipped).toHaveLength(fields.length - 101);
  await kari.post(`${path}/apply`, new URLSearchParams(unskipped));
  expect(await kari.storedEntries()).toBe(104);
});

test("the records of an import are offered as one request, and undone by a button", async () => {
  const kari = await app.register();
  await kari.addEntry({ location: "By hand" });
  const uploaded = await uploadFile(kari, importFixture("form-wide.csv"));
  const path = uploaded.location ?? "";
  await pressImport(kari, path);
  const done = await kari.get(path);
  const [, href = ""] = /href="(\/requests\/new\?[^"]*)"/.exec(done.text) ?? [];
  const choice = await kari.get(href.replaceAll("&amp;", "&"));
  expect(choice.text.match(/name="records\[\d+\]\.key"/g)).toHaveLength(3);
  expect(choice.text).not.toContain("By hand");
  const undone = await kari.submit(done, `${path}/undo`, {});
  expect((await kari.follow(undone)).text).toContain("3 records were removed.");
  expect(await kari.storedEntries()).toBe(1);
});

test("undoing an import asks about records that were edited since", async () => {
  const kari = await app.register();
  const { location } = await kari.post("/import", { kind: "entry", text: csvOf("2026-11-20,Mongstad,MT,7.5") });
  const path = location ?? "";
  await pressImport(kari, path);
  const [entry] = (await kari.get("/api/entries")).json<{ id: number }[]>();
  const before = await kari.get(path);
  expect(textOf(before.text)).not.toContain("edited since");
  await kari.json("PATCH", `/api/entries/${entry?.id}`, { hours: 3 });
  const refused = await kari.follow(await kari.submit(before, `${path}/undo`, {}));
  expect(textOf(refused.text)).toContain("1 record of this import was edited since. Nothing was deleted.");
  expect(textOf(refused.text)).toContain("Also delete 1 record that you edited since");
  const undone = await kari.follow(await kari.post(`${path}/undo`, { edited: "on" }));
  expect(undone.text).toContain("1 record was removed.");
  expect(await kari.storedEntries()).toBe(0);
});

test("the page asks what a file leaves open: hours of a day, parts of a day, the time zone of moments", async () => {
  const kari = await app.register();
  const ask = async (text: string, kind: string, answer: Record<string, string>) => {
    const path = (await kari.post("/import", { kind, text })).location ?? "";
    const page = await kari.get(path);
    const [question = ""] = textsOf(page.text, "p", 'id="question"');
    const answered = await kari.follow(await kari.submit(page, path, answer));
    return [question, textOf(answered.text)];
  };
  const course = "Start date,End date,Course,Provider,Duration (days)\n2026-11-16,2026-11-20,UT 2,NDT School,5";
  const [days, read] = await ask(course, "training", { hoursPerDay: "7,5" });
  expect(days).toBe("“5” is a number of days. Choose how many hours a day has.");
  expect(read).toContain("37.5 hours");
  const [parts, hours] = await ask(csvOf("2026-11-20,Mongstad,MT,0.3125"), "entry", { hoursUnit: "fraction" });
  expect(parts).toContain("may be hours, or a part of a day (7.5 h)");
  expect(hours).toContain("7.5 hours");
  const [zone, day] = await ask(csvOf("2026-11-19T23:00:00Z,Mongstad,MT,8"), "entry", { timeZone: "Europe/Oslo" });
  expect(zone).toContain("is a moment in UTC, not a day");
  expect(day).toContain("20 Nov 2026");
});

test("an import of more than 100 records says how many wait for the next request", async () => {
  const kari = await app.register();
  const list = Array.from({ length: 101 }, (_, index) => `2026-11-20,Rig ${index},MT,1.5`);
  const { location } = await kari.post("/import", { kind: "entry", text: csvOf(...list) });
  const path = location ?? "";
  await pressImport(kari, path);
  const done = await kari.get(path);
  expect(textOf(done.text)).toContain("A request has at most 100 records.");
  expect(textOf(done.text)).toContain("101 records have no request yet.");
  const { id: supervisorId } = await kari.addSupervisor();
  const entries = (await kari.get("/api/entries")).json<{ id: number }[]>();
  const records = entries.slice(0, 100).map(({ id }) => ({ type: "entry", id }));
  expect((await kari.json("POST", "/api/verification-requests", { supervisorId, records })).status).toBe(201);
  expect(textOf((await kari.get(path)).text)).not.toContain("A request has at most");
});

test("hours of earlier years are brought forward, one entry for each method, once", async () => {
  const kari = await app.register();
  const page = await kari.get("/import/brought-forward");
  const [, action = ""] = /action="(\/import\/brought-forward\/[\w-]+)"/.exec(page.text) ?? [];
  const form = { date: "2025-12-31", location: "Earlier employers", MT: "1 200,5", PT: "", RT: "0" };
  const refused = await kari.post(action, { ...form, MT: "", PT: "" });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("Enter the hours of at least one method");
  expect((await kari.post(action, { ...form, UTSW: "-1" })).text).toContain("Hours must be greater than 0");
  for (const _ of [1, 2]) expect((await kari.post(action, { ...form, UTSW: "80" })).status).toBe(303);
  const stored = await rows(
    app.db,
    "SELECT method, hours, date, brought_forward AS mark FROM entries WHERE user_id = ? ORDER BY id",
    kari.user.id,
  );
  expect(stored).toEqual([
    { method: "MT", hours: 1200.5, date: "2025-12-31", mark: 1 },
    { method: "UTSW", hours: 80, date: "2025-12-31", mark: 1 },
  ]);
});

test("a row that equals a verified record counts as already there", async () => {
  const kari = await app.register();
  await kari.addVerifiedEntry({ details: { employer: "Fjord AS" } });
  await kari.addVerifiedEntry({ location: "Sture" });
  const text = csvOf("2026-11-20,Mongstad,MT,7.5", "2026-11-20,sture ,MT,7.50", "2026-11-20,Sture,PT,7.5");
  const { location } = await kari.post("/import", { kind: "entry", text });
  const page = textOf((await kari.get(location ?? "")).text);
  expect(page).toContain("1 record ready to import.");
  expect(page).toContain("2 rows skipped.");
  await pressImport(kari, location ?? "");
  expect(await kari.storedEntries()).toBe(3);
});

test("the preview warns of days that have more than 24 hours, with the records of the log", async () => {
  const kari = await app.register();
  await kari.addEntry({ date: "2026-11-18", hours: 20 });
  const text = csvOf(
    "2026-11-17,Rig,MT,26",
    "2026-11-18,Rig,PT,6",
    "2026-11-19,Rig,PT,12",
    "2026-11-19,Rig,MT,12",
    "2026-11-20,Rig,MT,12",
    "2026-11-20,Rig,PT,12.5",
  );
  const { location } = await kari.post("/import", { kind: "entry", text });
  const page = await kari.get(location ?? "");
  expect(page.trips).toBe(1);
  expect(textOf(page.text)).toContain(
    "More than 24 hours on one day: 17 Nov 2026, 26.0 hours; 18 Nov 2026, 26.0 hours; 20 Nov 2026, 24.5 hours. They are imported all the same.",
  );
});

test("the preview of courses and certificates has no hours of a day, and no sum of hours that they do not have", async () => {
  const kari = await app.register();
  const preview = async (kind: string, text: string) => {
    const { location } = await kari.post("/import", { kind, text });
    return textOf((await kari.get(location ?? "")).text);
  };
  const course = "2026-11-20,2026-11-20,Course,School,MT,16";
  const courses = await preview(
    "training",
    `Start date,End date,Course,Organization,Method,Hours\n${course}\n${course.replace("Course", "Other")}`,
  );
  expect(courses).toContain("2 records ready to import.");
  expect(courses).toContain("32.0 hours");
  expect(courses).not.toMatch(/undefined|More than 24/);
  const tests = await preview(
    "certificate",
    "Category,Title,Standard,Method,Level,Issuer,Issued on\ncertificate,UT Level II,SNT-TC-1A,UTSW,Level II,North,2026-01-01",
  );
  expect(tests).toContain("1 record ready to import.");
  expect(tests).not.toMatch(/NaN|hours/);
});

test("a word that names one method besides others is imported as that, unless the technician says otherwise", async () => {
  const kari = await app.register();
  const text = csvOf("2026-11-20,Rig,UT dikte,7.5", "2026-11-21,Rig,MT yoke,2");
  const { location } = await kari.post("/import", { kind: "entry", text });
  const path = location ?? "";
  const page = (await kari.get(path)).text;
  expect(textOf(page)).toContain("2 records ready to import.");
  expect(formIn(page, path).values({}).getAll("choices[0].one")).toEqual(["UT_THK"]);
  await pressImport(kari, path, { "choices[1].one": "" });
  const stored = "SELECT method, hours FROM entries WHERE user_id = ?";
  expect(await rows(app.db, stored, kari.user.id)).toEqual([{ method: "UT_THK", hours: 7.5 }]);
});

test("an unknown word is listed once, with its choice, before the columns", async () => {
  const kari = await app.register();
  const text = csvOf("2026-11-20,Rig,Wobble,7.5", "2026-11-21,Rig,MT,x");
  const { location } = await kari.post("/import", { kind: "entry", text });
  const page = (await kari.get(location ?? "")).text;
  expect(textOf(page).match(/Wobble/g)).toHaveLength(2); // the choice's label, and the example below its column
  expect(page.indexOf('id="words"')).toBeLessThan(page.indexOf('id="columns"'));
  expect(textOf(page)).toContain("“x” cannot be read as hours.");
  // Each row is counted once.
  expect(textOf(page)).toContain("1 word for methods to choose : 1 row left out until then.");
  expect(textOf(page)).toContain("1 row with a problem: left out.");
});

// Seen to fail: 2.0 hours were saved, and 8.0 and 2.0 were listed as read.
test("a part of a row that is in the log is named, and imported if its mark is taken away", async () => {
  const kari = await app.register();
  await kari
    .post("/import", { kind: "entry", text: csvOf("2026-07-14,P,UT,8") })
    .then(({ location }) => pressImport(kari, location ?? ""));
  const stored = "SELECT method, hours FROM entries WHERE user_id = ? ORDER BY id";
  const text = "Date,Location,UT,MT\n2026-07-14,P,8,2";
  const { location: path = "" } = await kari.post("/import", { kind: "entry", text });
  const preview = textOf((await kari.get(path ?? "")).text);
  expect(preview).toContain("A part of row 2 equals another record: 8.0 h left out. The rest is imported.");
  expect(preview).toContain("Skip a part of row 2");
  expect(preview.match(/Row 2, skipped/g)).toHaveLength(1);
  expect(preview).toContain("1 record ready to import.");
  await pressImport(kari, path ?? "", { "choices[0].skip": "" });
  expect(await rows(app.db, stored, kari.user.id)).toEqual([
    { method: "UT", hours: 8 },
    { method: "UT", hours: 8 },
    { method: "MT", hours: 2 },
  ]);
});

test("a row that may be a total is left out unless its mark is taken away", async () => {
  const kari = await app.register();
  const text = csvOf("2026-01-05,P,UT,4", "2026-01-06,P,UT,4.5", "2026-01-31,P,UT,8.5");
  const send = async (fields?: Record<string, string>) => {
    const { location: path = "" } = await kari.post("/import", {
      kind: "entry",
      text: text.replaceAll("P", fields ? "R" : "Q"),
    });
    const preview = textOf((await kari.get(path ?? "")).text);
    await pressImport(kari, path ?? "", fields);
    return preview;
  };
  const preview = await send();
  expect(preview).toContain("Row 4 is 8.5 h, the sum of rows above it. Skip it");
  expect(preview).toContain("1 row may be a total");
  expect(preview).toContain("8.5 hours");
  await send({ "choices[0].skip": "" });
  const sums = "SELECT location, sum(hours) AS hours FROM entries WHERE user_id = ? GROUP BY location";
  expect(await rows(app.db, sums, kari.user.id)).toEqual([
    { location: "Q", hours: 8.5 },
    { location: "R", hours: 17 },
  ]);
});
