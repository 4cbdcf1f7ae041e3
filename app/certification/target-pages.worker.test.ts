import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { formIn, textOf } from "#tests/worker/html.ts";
import type { Technician } from "#tests/worker/people.ts";

/* The pages of targets without script: every button sends the form. */

const app = await startApp();
const NEW = "/progress/targets/new/key-1";

interface Target {
  id: number;
  title: string;
  items: object[];
}

const listed = async (technician: Technician) => (await technician.get("/api/targets")).json<Target[]>();

/** The form of a target in a page, and its values. */
function formOf(html: string) {
  const { action, fields } = formIn(html, "/progress/targets");
  return { action, fields: Object.fromEntries(fields) as Record<string, string> };
}

const UT = {
  "items[0].title": "UT",
  "items[0].measure": "hours entry",
  "items[0].required": "210",
  "items[0].UT_THK": "on",
  "items[0].UTSW": "on",
};
const button = (type: string, payload: object) => ({
  __intent__: JSON.stringify({ type, payload: { name: "items", ...payload } }),
});

test("the first page offers every level of every standard, and an empty form", async () => {
  const ada = await app.register();
  const { text } = await ada.get("/progress/targets/new");
  expect(text.match(/href="\/progress\/targets\/new\?preset=/g)).toHaveLength(22);
  expect(text).toContain("Your employer&#x27;s written practice decides.");
  expect(text).toContain('href="/progress/targets/new?own=1"');
});

test("a preset is shown with what it asks for and its sources, once, before its form, which saves a copy with what was changed", async () => {
  const ada = await app.register();
  const { text } = await ada.get("/progress/targets/new?preset=snt-tc-1a-level-1-ut-college");
  expect(textOf(text.slice(0, text.indexOf('<form method="post" action="/progress')))).toContain(
    "SNT-TC-1A, UT, Level I, two years of college UT classroom training: 30.0 h UT experience: 210.0 h Total NDT experience: 400.0 h General: 70 of 100",
  );
  expect(textOf(text).match(/nde\.com, 2020/g)).toHaveLength(1);
  expect(text).toContain("Your employer&#x27;s written practice decides.");
  expect(textOf(text)).toContain("Total NDT experience: told by a practitioner; no source was found");
  // Save is reached before the sources and the editor are opened, which are closed.
  let place = 0;
  for (const words of [
    "<details><summary>Where these figures come from",
    ...["nde.com, 2020", "Records Count From", ">Save Target"],
    ...["<details><summary>Change the title or the figures", "Item 1"],
  ]) {
    place = text.indexOf(words, place);
    expect([words, place]).toEqual([words, expect.toSatisfy((index) => index > 0)]);
  }
  expect(textOf(text)).toContain("UT counts UT and UTSW. UT Thk., PAUT and TOFD are left out: tick them");
  const { action, fields } = formOf(text);
  const box = (method: string) => [text.includes(`name="items[1].${method}"`), fields[`items[1].${method}`]];
  expect(["UT", "UTSW"].map(box)).toEqual(Array(2).fill([true, "on"]));
  expect(["UT_THK", "PAUT", "TOFD"].map(box)).toEqual(Array(3).fill([true, undefined]));
  expect(fields).toMatchObject({
    ...{ title: "SNT-TC-1A, UT, Level I, two years of college", "items[1].UTSW": "on", "items[1].required": "210" },
    ...{ "items[0].measure": "hours training", "items[0].level": "Level I", "items[3].part": "general" },
    ...{ "items[7].measure": "valid certificate near_vision", "items[7].withinYears": "1" },
  });
  const answer = await ada.post(action, { ...fields, since: "2026-02-01", "items[1].required": "200,5" });
  expect([answer.status, answer.location]).toEqual([303, "/progress"]);
  const [target] = await listed(ada);
  expect(target).toMatchObject({ since: "2026-02-01", standard: "SNT-TC-1A" });
  expect(target?.items[7]).toMatchObject({ unit: "valid", category: "near_vision", methods: [], withinYears: 1 });
  expect(target?.items[1]).toMatchObject({ title: "UT experience", methods: ["UTSW", "UT"], required: 200.5 });
});

test("a level is a choice of its methods, and of the education where figures depend on it", async () => {
  const ada = await app.register();
  const links = async (level: string) =>
    [...(await ada.get(`/progress/targets/new?preset=${level}`)).text.matchAll(/new\?preset=([\w-]+)"/g)].map(
      ([, name]) => name,
    );
  expect(await links("snt-tc-1a-level-2")).toHaveLength(12);
  expect(await links("iso-9712-level-1")).toEqual(
    ["et", "rt", "ut", "ae", "lt", "ir", "mt", "pt", "vt"].map((method) => `iso-9712-level-1-${method}`),
  );
  expect(await links("snt-tc-1a-level-2")).toContain("snt-tc-1a-level-2-ut-college");
});

test("an unknown preset is answered with the choice of presets", async () => {
  const { status, text } = await (await app.register()).get("/progress/targets/new?preset=snt-tc-1a-level-9");
  expect([status, text.includes("Figures of a standard")]).toEqual([200, true]);
});

test("items are added and removed by buttons, and what was typed stays", async () => {
  const ada = await app.register();
  const typed = { title: "Mine", ...UT };
  const insert = button("insert", { defaultValue: { measure: "hours entry" } });
  const more = formOf((await ada.post(NEW, { ...typed, ...insert })).text);
  expect(more.fields).toMatchObject({ ...typed, "items[1].title": "", "items[1].measure": "hours entry" });
  const less = await ada.post(NEW, { ...more.fields, ...button("remove", { index: 0 }) });
  expect(less.status).toBe(200);
  const { fields } = formOf(less.text);
  expect(fields).toMatchObject({ title: "Mine", "items[0].title": "" });
  expect(Object.keys(fields)).not.toContain("items[1].title");
  expect(await listed(ada)).toEqual([]);
});

test("an invalid form comes back with a message at each field and what was typed", async () => {
  const ada = await app.register();
  const answer = await ada.post(NEW, {
    title: " ",
    since: "2999-01-01",
    "items[0].title": "UT",
    "items[0].measure": "hours entry",
    ...{
      "items[0].required": "0",
      "items[1].title": "Rope",
      "items[1].measure": "months rope_hour",
      "items[1].MT": "on",
    },
    ...{
      "items[1].required": "1.5",
      "items[2].title": "MT",
      "items[2].measure": "hours entry",
      "items[2].required": "7",
    },
  });
  expect(answer.status).toBe(400);
  for (const message of [
    "Title is required",
    "The day must not be in the future",
    "The figure must be greater than 0",
    "Choose at least one NDT method",
    "Months are a whole number",
  ]) {
    expect(answer.text).toContain(message);
  }
  expect(answer.text).not.toContain("Rope hours have no NDT method");
  expect(formOf(answer.text).fields).toMatchObject({ since: "2999-01-01", "items[1].MT": "on" });
  expect(await listed(ada)).toEqual([]);
});

test("a form without items, or with a measure or method that no page offers, is refused with a message", async () => {
  const ada = await app.register();
  const none = await ada.post(NEW, { title: "Mine" });
  expect([none.status, none.text.includes("Add at least one item")]).toEqual([400, true]);
  const odd = await ada.post(NEW, { title: "Mine", ...UT, "items[0].measure": "years entry" });
  expect([odd.status, odd.text.includes("The unit must be hours")]).toEqual([400, true]);
  const st = { title: "Mine", ...UT, "items[0].UT_THK": "", "items[0].UTSW": "", "items[0].ST": "on" };
  const unknown = await ada.post(NEW, st);
  expect([unknown.status, unknown.text.includes("Choose at least one NDT method")]).toEqual([400, true]);
  expect(await listed(ada)).toEqual([]);
});

test("the same form sent twice saves one target", async () => {
  const ada = await app.register();
  const form = { title: "Mine", ...UT };
  await Promise.all([ada.post(NEW, form), ada.post(NEW, form)]);
  expect((await ada.post(NEW, form)).location).toBe("/progress");
  expect(await listed(ada)).toHaveLength(1);
});

test("the twenty-first target is refused on the form, with what was typed", async () => {
  const ada = await app.register();
  for (let n = 0; n < 20; n += 1) await ada.json("POST", "/api/targets", { preset: "irata-level-2" });
  const answer = await ada.post(NEW, { title: "One more", ...UT });
  expect([answer.status, answer.text.includes("You have 20 targets, which is the most.")]).toEqual([409, true]);
  expect(formOf(answer.text).fields).toMatchObject({ title: "One more", ...UT });
});

test("a target is edited on its page, which shows what is stored", async () => {
  const ada = await app.register();
  await ada.json("POST", "/api/targets", { preset: "sprat-level-2" });
  const [target] = await listed(ada);
  const path = `/progress/targets/${target?.id}`;
  const { action, fields } = formOf((await ada.get(path)).text);
  expect(fields).toMatchObject({
    title: "SPRAT, Level 1 to Level 2",
    "items[1].measure": "elapsedMonths certificate certificate",
  });
  const answer = await ada.post(action, {
    ...fields,
    title: "SPRAT II",
    "items[1].required": "7",
    "items[0].MT": "on",
  });
  expect([answer.status, answer.location]).toEqual([303, "/progress"]);
  expect((await listed(ada))[0]).toMatchObject({ title: "SPRAT II", items: [{ methods: [] }, { required: 7 }, {}] });
  const wrong = await ada.post(action, { ...fields, title: "" });
  expect([wrong.status, wrong.text.includes("Title is required")]).toEqual([400, true]);
});

test("a target is deleted after a question, and is then not found", async () => {
  const ada = await app.register();
  await ada.json("POST", "/api/targets", { preset: "irata-level-2" });
  const [target] = await listed(ada);
  const path = `/progress/targets/${target?.id}`;
  expect((await ada.get(`${path}/delete`)).text).toContain("Your hours stay as they are.");
  expect(await listed(ada)).toHaveLength(1);
  expect((await ada.post(`${path}/delete`, {})).location).toBe("/progress");
  for (const address of [path, `${path}/delete`]) expect((await ada.get(address)).status).toBe(404);
  expect((await ada.post(`${path}/delete`, {})).status).toBe(404);
  expect(await listed(ada)).toEqual([]);
});
