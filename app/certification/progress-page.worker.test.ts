import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Client } from "#tests/worker/client.ts";
import { tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { aCertificate, aTraining, type Technician } from "#tests/worker/people.ts";
import { anItem, aTarget } from "#tests/worker/targets.ts";

const app = await startApp();

const addTarget = (client: Client, over: Record<string, unknown>) => client.json("POST", "/api/targets", aTarget(over));

/** The addresses of the page's links with this text. */
function linksTo(html: string, pattern: RegExp): string[] {
  return [...new Set(tagsOf(html, "a").map(({ href = "" }) => href.replaceAll("&amp;", "&")))].filter((href) =>
    pattern.test(href),
  );
}

test("without a target the page says what one is for, and leads to the presets", async () => {
  const page = await (await app.register()).get("/progress");
  const text = textOf(page.text);
  expect(text).toContain("No target yet");
  expect(text).toContain("Your employer's written practice decides.");
  expect(text).toContain("Nothing here yet. Log the hours of your last shift");
  expect(linksTo(page.text, /^\/progress\/targets/)).toEqual(["/progress/targets/new"]);
  expect(page.text).not.toContain("/progress/print");
});

test("an item shows verified hours and others apart, whether a supervisor was asked for them, what remains, and never says qualified", async () => {
  const ada = await app.register();
  await ada.addVerifiedEntry({ date: "2026-03-02", method: "UT_THK", hours: 60 });
  const { id } = await ada.addEntry({ date: "2026-03-03", method: "UTSW", hours: 7.5 });
  await addTarget(ada, { source: "nde.com, high confidence" });
  const text = textOf((await ada.get("/progress?year=2026")).text);
  expect(text).toContain("60.0 of 210.0 h verified 7.5 h not verified yet 150.0 h to go.");
  expect(text).toContain("1 record is not with a supervisor. Request verification");
  expect(text).toContain("150.0 h to go. 7.5 h pending. No figures for training, exams and vision");
  expect(text).toContain("Your employer's written practice decides.");
  expect(text).toContain("Where these figures come from Standard: SNT-TC-1A. nde.com, high confidence");
  expect(text).toContain("Experience 60 / 210 h In progress, 28 %");
  expect(text).not.toMatch(/qualified|waiting/i);
  const { id: supervisorId } = await ada.addSupervisor();
  await ada.json("POST", `/api/verify-request/${id}`, { supervisorId });
  expect(textOf((await ada.get("/progress")).text)).toContain(
    "60.0 of 210.0 h verified 7.5 h requested 150.0 h to go.",
  );
  await ada.addEntry({ date: "2026-03-04", method: "UTSW", hours: 0.5 });
  expect(textOf((await ada.get("/progress")).text)).toContain("8.0 h not verified yet, of which 7.5 requested");
});

test("the sources of a target are folded away on the screen, and a preset's are no page of the printed summary", async () => {
  const ada = await app.register();
  const long = "UT, all NDT hours: told by a practitioner; no source was found (low confidence). ".repeat(3);
  await addTarget(ada, { title: "Long", source: long });
  await addTarget(ada, { title: "Short", source: "Procedure 12" });
  const [screen, paper] = [await ada.get("/progress"), await ada.get("/progress/print")];
  expect(textsOf(screen.text, "details")).toEqual(
    expect.arrayContaining([
      `Where these figures come from Standard: SNT-TC-1A. ${long.trim()}`,
      "Where these figures come from Standard: SNT-TC-1A. Procedure 12",
    ]),
  );
  expect(textOf(paper.text)).not.toContain("practitioner");
  expect(textOf(paper.text)).toContain("Where these figures come from: on the screen, under Progress.");
  expect(textOf(paper.text)).toContain("Procedure 12");
});

test("more than is required is reached, and nothing remains", async () => {
  const ada = await app.register();
  await ada.addVerifiedEntry({ date: "2026-03-02", method: "UTSW", hours: 100_000 });
  await addTarget(ada, {});
  const text = textOf((await ada.get("/progress")).text);
  expect(text).toContain("100000.0 h verified, 210.0 h needed Target reached");
  expect(text).not.toContain("to go");
  expect(text).toContain("Experience 100000 / 210 h Met");
});

// Catches a link whose filter is ignored: it would show records that do not count.
test("every hour that counts, or does not, is one link away in the log", async () => {
  const ada = await app.register();
  await ada.addVerifiedEntry({ date: "2026-03-02", location: "Counted", method: "MT", hours: 8 });
  await ada.addVerifiedEntry({ date: "2026-01-31", location: "Too early", method: "MT", hours: 5 });
  await ada.addVerifiedEntry({ date: "2026-03-04", location: "Elsewhere", method: "LSI", hours: 3 });
  await addTarget(ada, { items: [anItem({ title: "MT", methods: ["MT"], required: 70 })] });
  const page = await ada.get("/progress?year=2026");
  const rows = textsOf(page.text, "tr");
  expect(rows).toContain("MT: dated before 1 Feb 2026. Show records 1 5.0");
  expect(rows).toContain("Methods that are not part of this target. Show records 1 3.0");
  const places = async (href: string | undefined) =>
    textsOf((await ada.get(href ?? "")).text, "td").filter((text) => /Counted|early|Elsewhere/.test(text));
  const [counted, early, elsewhere] = ["status=verified.*method=MT", "to=2026-01-31.*method=MT", "method=LSI"].map(
    (query) => linksTo(page.text, new RegExp(query))[0],
  );
  expect(await places(counted)).toEqual(["Counted"]);
  expect(await places(early)).toEqual(["Too early"]);
  expect(await places(elsewhere)).toEqual(["Elsewhere"]);
  expect(await places("/profile?from=2026-03-01&to=2026-03-31")).toEqual(["Elsewhere", "Counted"]);
  expect(linksTo(page.text, /to=2026-03-31/)).toEqual(["/profile?from=2026-03-01&to=2026-03-31"]);
});

test("of an item of the last years one link has what counts, and one what is too old", async () => {
  const ada = await app.register();
  await ada.addVerifiedEntry({ date: "2026-03-02", location: "Recent", method: "MT", hours: 8 });
  await ada.addVerifiedEntry({ date: "2015-03-02", location: "Long ago", method: "MT", hours: 5 });
  const items = [anItem({ title: "MT", methods: ["MT"], required: 70, withinYears: 5 })];
  await addTarget(ada, { since: null, items });
  const page = await ada.get("/progress");
  expect(textsOf(page.text, "tr")).toContain("MT: too long ago. Show records 1 5.0");
  const places = [/status=verified.*method=MT/, /\?to=.*method=MT/].map(async (query) => {
    const log = await ada.get(linksTo(page.text, query)[0] ?? "");
    return textsOf(log.text, "td").filter((text) => /^(Recent|Long ago)/.test(text));
  });
  expect(await Promise.all(places)).toEqual([["Recent"], ["Long ago"]]);
});

test("the pictures are of the year in the URL, whose days have a table", async () => {
  const ada = await app.register();
  await ada.addEntry({ date: "2025-12-31", method: "MT", hours: 26 });
  await ada.addEntry({ date: "2026-01-01", method: "PT", hours: 4 });
  const last = await ada.get("/progress?year=2025&days=table");
  expect(textsOf(last.text, "tr").filter((row) => /\d\.\d/.test(row))).toEqual([
    "December 2025 26.0",
    "31 Dec 2025 26.0",
  ]);
  expect(linksTo(last.text, /year=/)).toEqual(["/progress?year=2025#months", "/progress?year=2026#months"]);
  const next = await ada.get("/progress?year=2026");
  expect(textsOf(next.text, "tr").filter((row) => /\d\.\d/.test(row))).toEqual(["January 2026 4.0"]);
  expect(linksTo(next.text, /days=table/)).toEqual(["/progress?year=2026&days=table#days"]);
});

test("a year without records, or that is none, answers with a page", async () => {
  const ada = await app.register();
  await ada.addEntry({ date: "2026-01-01" });
  for (const query of ["year=1000", "year=99999999999999999999", "year=x", "year=2019&year=2020", "year="]) {
    expect([query, (await ada.get(`/progress?${query}`)).status]).toEqual([query, 200]);
  }
});

test("titles are text, in any script, of any length", async () => {
  const ada = await app.register();
  const title = `<b>${"x".repeat(150)}</b> مشروع 😀`;
  await addTarget(ada, { title, items: [anItem({ title, clause: title })] });
  for (const path of ["/progress", "/progress/print"]) {
    const page = await ada.get(path);
    expect(page.text).not.toContain("<b>xxx");
    expect(textsOf(page.text, "h2")).toContain(title);
  }
});

test("rope hours have a chart of their own, and are never added to OJT hours", async () => {
  const ada = await app.register();
  await ada.addRopeHours({ startDate: "2026-03-02", endDate: "2026-03-05", hours: 40 });
  await ada.addEntry({ date: "2026-03-02", method: "MT", hours: 6 });
  const rows = textsOf((await ada.get("/progress?year=2026")).text, "tr").filter((row) => row.startsWith("March"));
  expect(rows).toEqual(["March 2026 6.0", "March 2026 40.0"]);
});

test("the printed summary says whose it is and as of when, and has no links into the log", async () => {
  const ada = await app.register({ name: "Kari Nordmann", employeeNumber: "NDT-7" });
  await ada.addVerifiedEntry({ date: "2026-03-02", method: "UTSW", hours: 8 });
  await addTarget(ada, {});
  const page = await ada.get("/progress/print?year=2026");
  const text = textOf(page.text);
  expect(text).toMatch(/Kari Nordmann , Employee # NDT-7 As of \d+ \w+ \d{4}/);
  expect(text).toContain("8.0 of 210.0 h verified");
  expect(textsOf(page.text, "tr")).toContain("March 2026 8.0");
  expect(linksTo(page.text, /./)).toEqual(["/progress?year=2026"]);
});

test("a technician sees no other technician's targets or hours", async () => {
  const ada = await app.register();
  await ada.addVerifiedEntry({ method: "UTSW", hours: 8 });
  await addTarget(ada, { title: "Ada's" });
  const page = await (await app.register()).get("/progress");
  expect(page.text).not.toContain("Ada's");
  expect(page.text).not.toContain("8.0");
});

interface Part {
  part: string;
  state: string;
  endsOn: string | null;
}
interface Progress {
  parts: Part[];
  items: { title: string; verified: number; waiting: number; requested: number; notCounted: object[] }[];
}

/** Records that are stored, each of which a supervisor has verified or is asked to verify. */
async function evidence(who: Technician, call: "training" | "certificates", bodies: object[], isVerified = true) {
  const type = call === "training" ? "training" : "certificate";
  const records = [];
  for (const body of bodies) {
    const answer = await who.json("POST", `/api/${call}`, body);
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    records.push({ type, id: answer.json<{ id: number }>().id });
  }
  const { id: supervisorId } = await who.addSupervisor();
  const asked = await who.json("POST", "/api/verification-requests", { supervisorId, records });
  const token = asked.json<{ verificationToken: string }>().verificationToken;
  if (isVerified) await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
  return records;
}

const aVisionTest = (over: object = {}) =>
  aCertificate({
    ...{ category: "near_vision", title: "Near vision", method: null, level: null, number: null },
    ...over,
  });
const aMark = (part: string, score: number, over: object = {}) =>
  aCertificate({ category: "examination", part, score, issuedOn: "2026-02-10", expiresOn: null, ...over });

const progressOf = async (who: Technician) => (await who.get("/api/progress")).json<Progress[]>();
const states = async (who: Technician) =>
  (await progressOf(who)).map(({ parts }) => parts.map(({ part, state }) => `${part} ${state}`));

test("from registration to a Level I target with one part met, one waiting, one missing and one that ends soon", async () => {
  const ada = await app.register();
  await app.setClock(new Date("2026-11-24T12:00:00Z"));
  expect((await ada.json("POST", "/api/targets", { preset: "snt-tc-1a-level-1-ut" })).status).toBe(201);
  expect(await states(ada)).toEqual([
    ["training", "experience", "examinations", "vision"].map((part) => `${part} missing`),
  ]);
  await evidence(ada, "training", [aTraining({ method: "UTSW", level: "Level I", hours: 40 })]);
  await ada.addEntry({ date: "2026-03-02", method: "UTSW", hours: 400 });
  await evidence(ada, "certificates", [aMark("general", 86), aMark("specific", 78)]);
  const sees = { issuedOn: "2026-01-04", expiresOn: "2027-01-03" };
  const colour = aVisionTest({ category: "colour_vision", title: "Colours", expiresOn: null, issuedOn: "2023-02-28" });
  await evidence(ada, "certificates", [aVisionTest(sees), colour]);
  expect(await states(ada)).toEqual([
    ["training met", "experience waiting", "examinations missing", "vision ends_soon"],
  ]);
  expect((await progressOf(ada))[0]?.parts[3]?.endsOn).toBe("2027-01-03");
  const page = await ada.get("/progress");
  const text = textOf(page.text);
  expect(page.trips).toBe(1);
  expect(text).toContain("2 of 4 parts met");
  expect(textsOf(page.text, "h3")).toEqual(
    expect.arrayContaining([
      "Training Met",
      "Experience Logged, not verified yet",
      "Examinations In progress",
      "Vision Met, expires soon",
    ]),
  );
  for (const words of [
    "General : 86, at least 70",
    "Practical : nothing logged yet, at least 80",
    "Composite : nothing logged yet, at least 80",
  ])
    expect(text).toContain(words);
  expect(text).toContain("Near vision : valid, expires in 40 days");
  for (const words of [
    "Training 40 / 40 h Met",
    "Exams 2 / 3 In progress, 66 %",
    "Vision 2 / 2 Met, expires in 40 days",
  ])
    expect(text).toContain(words);
  expect(text).not.toMatch(/qualified|missing/i);
  const paper = textOf((await ada.get("/progress/print")).text);
  expect(paper).toContain("2 of 4 parts met");
  // Everything logged, asked for and not verified is waiting; a supervisor who was asked is told apart.
  await evidence(ada, "certificates", [aMark("practical", 90)], false);
  expect((await states(ada))[0]).toContain("examinations requested");
  await app.setClock(new Date());
});

test("an average with a failed part is not met, until the part is passed; the latest examination counts", async () => {
  const ada = await app.register();
  await ada.json("POST", "/api/targets", { preset: "snt-tc-1a-level-2-mt" });
  const at = (issuedOn: string) => ({ method: "MT", level: "Level II", issuedOn });
  const passed = ["general", "specific"].map((part) => aMark(part, 100, at("2026-02-10")));
  await evidence(ada, "certificates", [...passed, aMark("practical", 79.99, at("2026-02-10"))]);
  const average = async () => (await progressOf(ada))[0]?.items.find(({ title }) => title === "Composite");
  expect(await average()).toMatchObject({ verified: 0, notCounted: [{ reason: "failed_part", records: 1, hours: 0 }] });
  expect(textOf((await ada.get("/progress")).text)).toContain("Composite : a part is failed, at least 80");
  await evidence(ada, "certificates", [aMark("practical", 80, at("2026-03-10"))]);
  expect([await average(), (await states(ada))[0]]).toMatchObject([
    { verified: 93.33, notCounted: [] },
    expect.arrayContaining(["examinations met"]),
  ]);
  // One that nobody verified lowers a mark, and raises none.
  await ada.json("POST", "/api/certificates", aMark("general", 50, at("2026-04-10")));
  expect((await states(ada))[0]).toContain("examinations missing");
});

test("a certificate that has ended is not valid, nor is a vision test of longer ago than the years that count", async () => {
  const ada = await app.register();
  await ada.json("POST", "/api/targets", { preset: "iso-9712-level-1-ut" });
  await app.setClock(new Date("2025-02-28T12:00:00Z"));
  const leap = aVisionTest({ issuedOn: "2024-02-29", expiresOn: null });
  const ended = aVisionTest({ category: "colour_vision", issuedOn: "2023-01-01", expiresOn: "2025-02-27" });
  await evidence(ada, "certificates", [leap, ended]);
  const vision = async () =>
    (await progressOf(ada))[0]?.items.slice(2).map(({ title, verified }) => `${title} ${verified}`);
  expect(await vision()).toEqual(["Near vision 1", "Colour vision 0"]);
  expect(textOf((await ada.get("/progress")).text)).toContain("Colour vision : expired 27 Feb 2025");
  await app.setClock(new Date("2025-03-01T12:00:00Z"));
  expect(await vision()).toEqual(["Near vision 0", "Colour vision 0"]);
  await app.setClock(new Date());
});

test("a mark to another standard is named in its line, and a target keeps its filters in the form", async () => {
  const ada = await app.register();
  const { id } = (await ada.json("POST", "/api/targets", { preset: "snt-tc-1a-level-1-ut" })).json<{ id: number }>();
  await evidence(ada, "certificates", [aMark("general", 86, { standard: "Northgate WP-01" })]);
  expect(textOf((await ada.get("/progress")).text)).toContain(
    "General : nothing logged yet, at least 70 (1 not counted: not to SNT-TC-1A)",
  );
  type Items = { items: { methods: string[] }[] }[];
  const items = async () =>
    (await ada.get("/api/targets")).json<Items>()[0]?.items.map((one) => ({ ...one, methods: one.methods.sort() }));
  const before = await items();
  const form = await ada.get(`/progress/targets/${id}`);
  expect((await ada.submit(form, `/progress/targets/${id}`, {})).status).toBe(303);
  expect(await items()).toEqual(before);
});

test("rope hours of training count for SPRAT and not for IRATA; months are those since the certificate", async () => {
  const ada = await app.register();
  await app.setClock(new Date("2026-11-24T12:00:00Z"));
  for (const preset of ["irata-level-2", "sprat-level-2"]) await ada.json("POST", "/api/targets", { preset });
  const period = { startDate: "2026-03-02", endDate: "2026-03-05", location: "Rig", skills: "Rescue" };
  for (const [hours, details] of [
    [8, { purpose: "training" }],
    [16, { purpose: "work" }],
    [4, {}],
  ] as const) {
    const saved = await ada.json("POST", "/api/rope-hours", { ...period, hours, details });
    expect([saved.status, saved.text]).toEqual([201, saved.text]);
  }
  await evidence(ada, "certificates", [
    ...["SPRAT", "IRATA International"].map((standard) =>
      aCertificate({ standard, method: null, issuedOn: "2026-02-24", expiresOn: "2029-02-23" }),
    ),
  ]);
  const [sprat, irata] = await progressOf(ada);
  expect(sprat?.items.map(({ verified, waiting }) => [verified, waiting])).toEqual([
    [0, 28],
    [9, 0],
    [1, 0],
  ]);
  expect(irata?.items[0]).toMatchObject({
    waiting: 20,
    notCounted: [{ reason: "training_hours", records: 1, hours: 8 }],
  });
  expect(textOf((await ada.get("/progress")).text)).toContain(
    "9 of 12 months verified 3 months to go. Reached on 24 Feb 2027.",
  );
  const rope = (await ada.get("/api/rope-hours")).json<{ details: object }[]>();
  expect(rope.map(({ details }) => details)).toContainEqual({ purpose: "training" });
  await app.setClock(new Date());
});
