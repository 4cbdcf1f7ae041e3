import { expect, test } from "vitest";
import { METHODS } from "#app/db/enumerations.ts";
import { startApp } from "#tests/worker/app.ts";
import type { Client } from "#tests/worker/client.ts";
import { tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { anItem, aTarget } from "#tests/worker/targets.ts";
import { leastHours } from "./amounts.ts";

const app = await startApp();

const addTarget = (client: Client, over: Record<string, unknown> = {}) =>
  client.json("POST", "/api/targets", aTarget(over));

/** The text about a target above the log's gauge, the end of its scale, and its hours in words. */
async function gaugeOf(client: Client) {
  const page = await client.get("/profile");
  const [card = ""] = page.text.match(/<section class="readings"[\s\S]*?<\/section>/) ?? [];
  const [line = ""] = textsOf(card, "p");
  const text = line.includes(": ") ? line.replace(/ \([^)]*\)$/, "").replace(" : ", ": ") : null;
  const end = textsOf(card, "text").at(-1);
  const words = tagsOf(card, "svg").find(({ role }) => role === "img")?.["aria-label"] ?? "";
  return { text, end, words, trips: page.trips };
}

test("without a target the log's gauge shows all hours by status, on a scale above them", async () => {
  const ada = await app.register();
  await ada.addVerifiedEntry({ hours: 8 });
  await ada.addEntry({ hours: 2.25 });
  await ada.requestVerification((await ada.addEntry({ hours: 4 })).id);
  const token = await ada.requestVerification((await ada.addEntry({ hours: 16 })).id);
  await app.json("POST", `/api/verify/${token}/decline`, { supervisorName: "Ola", reason: "No" });
  const words = "8.0 hours verified, 4.0 requested, 2.25 pending";
  expect(await gaugeOf(ada)).toEqual({ text: null, end: "100 h", words, trips: 1 });
  expect(textsOf((await ada.get("/profile")).text, "span", 'class="declined state"')).toContain("16.0 h declined");
});

test("with a target the gauge shows its methods alone, and ends at what it requires", async () => {
  const ada = await app.register();
  await ada.addVerifiedEntry({ date: "2026-03-02", method: "UTSW", hours: 60 });
  await ada.addVerifiedEntry({ date: "2026-03-02", method: "MT", hours: 100 });
  await addTarget(ada, { title: "Older" });
  const items = [anItem(), anItem({ title: "MT", methods: ["MT"], required: 70 })];
  await addTarget(ada, { title: "SNT-TC-1A, Level I", items });
  await ada.addVerifiedEntry({ date: "2026-03-02", method: "LSI", hours: 5 });
  await ada.addEntry({ date: "2026-03-03", method: "UT_THK", hours: 6 });
  await ada.addEntry({ date: "2026-03-03", method: "ET", hours: 7 });
  // 150 h of UT are missing; the 30 h of MT above what is required make up for none of them.
  expect(await gaugeOf(ada)).toEqual({
    text: "150.0 h to go: SNT-TC-1A, Level I",
    end: "280 h",
    words: "160.0 hours verified, 0.0 requested, 6.0 pending, 280.0 required",
    trips: 1,
  });
});

test("of items that share a method the larger one is required, as the same hours meet both", async () => {
  const ada = await app.register();
  const items = [
    anItem({ methods: ["UTSW"], required: 210 }),
    anItem({ title: "All", methods: ["UTSW", "MT"], required: 400 }),
  ];
  await addTarget(ada, { items });
  expect((await gaugeOf(ada)).words).toContain("400.0 required");
});

// Catches what is missing of MT added to what is missing of all methods, which has the same hours.
test("what is still to do counts no hour twice: a total of all methods covers each of them", async () => {
  const ada = await app.register();
  await ada.addVerifiedEntry({ date: "2026-03-02", method: "MT", hours: 168.25 });
  const items = [
    anItem({ title: "MT", methods: ["MT"], required: 360 }),
    anItem({ title: "All", methods: ["UTSW", "MT"], required: 530 }),
  ];
  await addTarget(ada, { items });
  expect((await gaugeOf(ada)).text).toBe("361.75 h to go: Level II");
});

// Seen to fail: Progress said 500.0 h, of the item that is least far, and the log 550.0 h.
test("Progress and the log say the same hours to go", async () => {
  const ada = await app.register();
  await ada.addVerifiedEntry({ date: "2026-03-02", method: "MT", hours: 100 });
  await ada.addVerifiedEntry({ date: "2026-03-03", method: "UTSW", hours: 50 });
  const items = [
    anItem({ title: "MT", methods: ["MT"], required: 600 }),
    anItem({ title: "All", methods: ["UTSW", "MT"], required: 700 }),
  ];
  await addTarget(ada, { items });
  expect((await gaugeOf(ada)).text).toBe("550.0 h to go: Level II");
  expect(textOf((await ada.get("/progress")).text)).toContain("550.0 h to go. No figures for");
});

test.each([
  ["nothing", [], 0],
  [
    "methods of their own",
    [
      ["MT", 10],
      ["PT", 20],
    ],
    30,
  ],
  [
    "the same hours twice",
    [
      ["MT", 10],
      ["MT", 20],
    ],
    20,
  ],
  [
    "a total that is more than its methods",
    [
      ["MT", 10],
      ["MT PT ET", 50],
      ["PT", 20],
    ],
    50,
  ],
  [
    "a total that is less than its methods",
    [
      ["MT PT ET", 25],
      ["MT", 10],
      ["PT", 20],
    ],
    30,
  ],
  [
    "two that share a method",
    [
      ["MT PT", 10],
      ["PT ET", 20],
    ],
    20,
  ],
  [
    "two levels worked as, and a total of any",
    [
      ["MT Trainee", 10],
      ["MT Level_I", 20],
      ["MT PT", 25],
    ],
    30,
  ],
] as const)("the least hours for %s", (_what, asked, least) => {
  const items = asked.map(([words, amount]) => {
    const names = words.split(" ");
    const level = names.find((name) => name === "Trainee" || name === "Level_I");
    return {
      methods: METHODS.filter((method) => names.includes(method)),
      workedAs: level ? (level === "Trainee" ? ("Trainee" as const) : ("Level I" as const)) : null,
      amount,
    };
  });
  expect(leastHours(items)).toBe(least);
  expect(leastHours([...items].reverse())).toBe(least);
});

test("hours before the target's first day, in the future, or unverified do not reduce what it needs", async () => {
  const ada = await app.register();
  await ada.addVerifiedEntry({ date: "2026-01-31", method: "UTSW", hours: 10 });
  await ada.addVerifiedEntry({ date: "2026-02-01", method: "UTSW", hours: 1 });
  // Nobody can verify a day that has not begun, but a clock may have been wrong.
  await app.db
    .prepare(
      `INSERT INTO records (user_id, kind, date, location, method, hours, verified, verified_by, verified_at, verified_via,
        search, created_at) VALUES (?, 'entry', '2999-01-01', 'Mongstad', 'UTSW', 1000, 1, 'Ola', 1, 'link', '', 1)`,
    )
    .bind(ada.user.id)
    .run();
  await ada.addEntry({ date: "2026-03-02", method: "UTSW", hours: 10 });
  await addTarget(ada);
  expect((await gaugeOf(ada)).text).toBe("209.0 h to go: Level II");
});

// Catches sums of all years: an item of the last five was reached by the hours of 2015.
test("hours that are too old for an item of the last years do not reduce what it needs, and count for other items", async () => {
  const ada = await app.register();
  await ada.addVerifiedEntry({ date: "2015-03-02", method: "MT", hours: 100 });
  const recent = anItem({ title: "MT of 5 years", methods: ["MT"], required: 100, withinYears: 5 });
  await addTarget(ada, { since: null, items: [recent] });
  expect((await gaugeOf(ada)).text).toBe("100.0 h to go: Level II");
  expect((await ada.get("/progress")).text).toContain("100.0 h to go.");
  await ada.addVerifiedEntry({ date: "2026-03-02", method: "MT", hours: 40 });
  expect(await gaugeOf(ada)).toMatchObject({
    text: "60.0 h to go: Level II",
    words: "40.0 hours verified, 0.0 requested, 0.0 pending, 100.0 required",
  });
  const all = anItem({ title: "MT", methods: ["MT"], required: 150 });
  const long = anItem({ ...recent, title: "MT of 20 years", withinYears: 20 });
  await addTarget(ada, { since: null, items: [recent, all, long] });
  expect(await gaugeOf(ada)).toMatchObject({
    text: "60.0 h to go: Level II",
    words: "140.0 hours verified, 0.0 requested, 0.0 pending, 150.0 required",
    trips: 1,
  });
  // From the target's first day on, if that is later.
  await addTarget(ada, { since: "2026-04-01", items: [recent] });
  expect((await gaugeOf(ada)).text).toBe("100.0 h to go: Level II");
});

test("a target that is reached fills its scale, and one of rope hours or days alone is left out", async () => {
  const ada = await app.register();
  await ada.addVerifiedEntry({ date: "2026-03-02", method: "UTSW", hours: 210 });
  await addTarget(ada);
  await addTarget(ada, { items: [anItem({ kind: "rope_hour", methods: [] }), anItem({ unit: "days" })] });
  expect(await gaugeOf(ada)).toMatchObject({ text: "Reached: Level II", end: "210 h" });
});

test("another technician's target is not shown", async () => {
  const ada = await app.register();
  await addTarget(ada);
  expect((await gaugeOf(await app.register())).text).toBeNull();
});

test("what the gauge says agrees with the page of progress", async () => {
  const ada = await app.register();
  await ada.addVerifiedEntry({ date: "2026-03-02", method: "UTSW", hours: 7.25 });
  await ada.addVerifiedEntry({ date: "2026-03-03", method: "UT_THK", hours: 0.1 });
  await addTarget(ada);
  expect((await gaugeOf(ada)).text).toBe("202.65 h to go: Level II");
  expect((await ada.get("/progress")).text).toContain("202.65 h to go.");
});
