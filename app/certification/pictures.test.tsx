import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ItemGauge } from "#app/certification/target-section.tsx";
import { METHODS, type Method, type Status } from "#app/db/enumerations.ts";
import { YearCalendar } from "#app/routes/progress.tsx";
import { MonthChart } from "./month-chart.tsx";
import type { DaySum, MonthSum } from "./progress-rows.ts";
import { chartMonths } from "./year-rows.ts";

/** The attributes of each element with this class. */
function drawn(html: string, name: string): Record<string, string>[] {
  return [...html.matchAll(new RegExp(`<(?:rect|path) class="${name}"([^>]*)`, "g"))].map(([, attributes = ""]) =>
    Object.fromEntries([...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value])),
  );
}

const gauge = (required: number, verified: number, waiting: number) =>
  renderToStaticMarkup(<ItemGauge title="UT" unit="hours" required={required} verified={verified} waiting={waiting} />);

test("a gauge shows verified and waiting hours beside each other, on a scale that ends at what is required", () => {
  const html = gauge(21_000, 10_500, 2_100);
  expect(drawn(html, "verified")).toMatchObject([{ width: "50%" }]);
  expect(drawn(html, "requested")).toMatchObject([{ x: "50%", width: "10%" }]);
  expect(html).toContain('<svg x="100%"');
  expect(html).toContain('aria-label="UT: 105.0 of 210.0 h verified, 21.0 not verified yet"');
});

test("the scale runs past what is required where hours do", () => {
  const html = gauge(7_000, 10_000, 4_000);
  expect(html).toContain('<svg x="46.67%"');
  expect(drawn(html, "verified")).toMatchObject([{ width: "66.67%" }]);
  expect(html).toContain(">150</text>");
});

test("a gauge without verified hours has no bar, and one of 100,000 hours stays on its scale", () => {
  expect(drawn(gauge(7_000, 0, 0), "verified")).toEqual([]);
  expect(drawn(gauge(10, 10_000_000, 10_000_000), "requested")).toMatchObject([{ x: "50%", width: "50%" }]);
});

const sum = (month: string, method: Method | null, status: Status, hundredths: number): MonthSum => ({
  ...{
    kind: method ? "entry" : "rope_hour",
    month,
    months: [month],
    method,
    status,
    hundredths,
    records: 1,
    level: null,
    purpose: null,
    broughtForward: 0,
    from: "",
    first: null,
    last: null,
  },
});

const chart = (year: number, rows: MonthSum[], kind = "entry") =>
  renderToStaticMarkup(
    <MonthChart title={`Hours in ${year}`} months={chartMonths(year, kind, rows)} byMethod={kind === "entry"} />,
  );

/** The table's rows, as texts. */
function table(html: string): string[][] {
  const rows = html.match(/<tr>.*?<\/tr>/g) ?? [];
  return rows.map((row) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, text = ""]) => text));
}

test("a month is stacked by method, with what waits on top, and its table has the same numbers", () => {
  const html = chart(2026, [
    sum("2026-03", "MT", "verified", 2_400),
    sum("2026-03", "ET", "verified", 2_250),
    sum("2026-03", "ET", "pending", 400),
    sum("2026-03", "UT_THK", "requested", 350),
    sum("2026-03", "PT", "declined", 9_900),
  ]);
  const [et, mt, waiting] = ["ET", "MT", "requested"].map((name) => drawn(html, name)[0]);
  // March is the third month, and the scale ends at 60 h: 22.5 h are 74 of its 196 pixels.
  expect([et?.d, mt?.d]).toEqual(["M2 147h.66V219H2z", "M2 68h.66V219H2z"]);
  expect(waiting).toMatchObject({ y: "44", height: "23" });
  expect(drawn(html, "PT")).toEqual([]);
  const [head, , , march] = table(html);
  expect(head).toEqual(["Month", "ET", "MT", "Not verified yet"]);
  expect(march).toEqual(["March 2026", "22.5", "24.0", "7.5"]);
});

test("every method has a class of its own, which is none of a meaning colour", () => {
  const html = chart(
    2026,
    METHODS.map((method) => sum("2026-01", method, "verified", 100)),
  );
  for (const method of METHODS) expect(drawn(html, method)).toHaveLength(2); // its part of the bar, and its swatch
  expect(drawn(html, "verified")).toEqual([]);
});

test("hours of New Year's Eve and New Year's Day are in their own year", () => {
  const rows = [sum("2025-12", "MT", "verified", 500), sum("2026-01", "MT", "verified", 700)];
  expect(table(chart(2025, rows)).at(-1)).toEqual(["December 2025", "5.0"]);
  expect(table(chart(2026, rows))[1]).toEqual(["January 2026", "7.0"]);
});

test("a year without hours has a scale, twelve months and no bar", () => {
  const html = chart(2026, []);
  expect(html).toContain(">5 h</text>");
  expect(table(html)).toHaveLength(13);
  expect(html).not.toContain("<rect");
});

const day = (date: string, status: Status, hundredths: number): DaySum => ({
  kind: "entry",
  date,
  status,
  hundredths,
  records: 1,
});

const calendar = (year: number, rows: DaySum[], hasTable = false) =>
  renderToStaticMarkup(
    <YearCalendar year={year} rows={rows} hasTable={hasTable} kind="entry" hrefOf={(month) => `/${month}`} />,
  );

test("a day's bar is two pixels an hour, and a day of 26 hours is cut off at 12 and marked", () => {
  const html = calendar(2026, [day("2026-03-05", "verified", 750), day("2026-03-06", "verified", 2_600)]);
  expect(drawn(html, "verified")).toEqual([{ d: "M0 32V32h4V17h1V8h1V32" }]);
  expect(drawn(html, "cut")).toEqual([{ d: "M5 5h1" }]);
  expect(html).toContain(">33.5</b>");
});

test("what waits stands on what is verified, and declined hours are not in a month's sum", () => {
  const rows = [
    day("2026-03-05", "verified", 400),
    day("2026-03-05", "pending", 200),
    day("2026-03-05", "declined", 100),
  ];
  const html = calendar(2026, rows, true);
  expect(drawn(html, "requested")).toEqual([{ d: "M4.15 24v-4h.7v4z" }]);
  expect(drawn(html, "declined")).toEqual([{ d: "M4.5 20v-2" }, {}]); // and its swatch
  expect(html).toContain(">6.0</b>");
  expect(table(html)).toEqual([
    ["Day", "Verified", "Not verified yet", "Declined"],
    ["5 Mar 2026", "4.0", "2.0", "1.0"],
  ]);
});

test("a month's ruler is as long as the month, and a month without hours is no link", () => {
  const rulers = drawn(calendar(2024, []), "base").map(({ d }) => d);
  expect(rulers).toEqual([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].map((days) => `M0 32h${days}`));
  expect(calendar(2024, [])).not.toContain("<a ");
  expect(calendar(2024, [day("2024-02-29", "verified", 1)])).toContain('href="/2024-02"');
});
