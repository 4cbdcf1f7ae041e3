import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Client } from "#tests/worker/client.ts";
import { tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
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

test("an item shows verified and waiting hours apart, what remains, and never says qualified", async () => {
  const ada = await app.register();
  await ada.addVerifiedEntry({ date: "2026-03-02", method: "UT_THK", hours: 60 });
  await ada.addEntry({ date: "2026-03-03", method: "UTSW", hours: 7.5 });
  await addTarget(ada, { source: "nde.com, high confidence" });
  const text = textOf((await ada.get("/progress?year=2026")).text);
  expect(text).toContain("60.0 of 210.0 h verified 7.5 h waiting 150.0 h to go.");
  expect(text).toContain("1 record is not with a supervisor. Request verification");
  expect(text).toContain(
    "Your employer's written practice decides. Standard: SNT-TC-1A. Source: nde.com, high confidence",
  );
  expect(text).not.toMatch(/qualified/i);
});

test("more than is required is reached, and nothing remains", async () => {
  const ada = await app.register();
  await ada.addVerifiedEntry({ date: "2026-03-02", method: "UTSW", hours: 100_000 });
  await addTarget(ada, {});
  const text = textOf((await ada.get("/progress")).text);
  expect(text).toContain("100000.0 of 210.0 h verified Target reached");
  expect(text).not.toContain("to go");
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
