import { extractTextItems, type StructuredTextItem } from "unpdf";
import { describe, expect, test } from "vitest";
import { FORM_METHODS } from "#app/db/enumerations.ts";
import { hoursOf, runsOf, shownSums, sumsOf } from "#app/pdf/runs.ts";
import { nodePdf } from "#tests/pdf/node-pdf.tsx";
import { type Form, type FormRecord, makeForm } from "./form.ts";
import { type FormProof, formProof } from "./form-proof.server.ts";
import { legendOf } from "./form-words.ts";

/*
 * Builds the PDF in Node as the worker does, and reads it back with PDF.js (`unpdf` is PDF.js without its canvas and
 * viewer). It does not check how the pages look.
 */

const user = { name: "Kari Nordmann", email: "kari@example.com", employeeNumber: "NDT-7" };

/** Entries with distinct locations and hours in eighths, so that totals need rounding. */
function entries(count: number, over: Partial<FormRecord> = {}): FormRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    date: new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10),
    location: `Mongstad unit ${index + 1}`,
    method: FORM_METHODS[index % FORM_METHODS.length] ?? "ET",
    hours: 0.13 + (index % 60) / 8,
    verified: true,
    verifiedBy: "Ola Hansen",
    ...over,
  }));
}

type Page = StructuredTextItem[];

async function pagesOf(form: Form): Promise<Page[]> {
  const { items } = await extractTextItems(await nodePdf(form));
  return items.map((page) => page.filter(({ str }) => str.trim() !== ""));
}

const textOf = (page: Page) => page.map(({ str }) => str).join(" ");
const squeezed = (page: Page) =>
  page
    .map(({ str }) => str)
    .join("")
    .replace(/\s/g, "");

const has = (page: Page, text: string) => page.some(({ str }) => str === text);

/** Numbers of entries, each with its number of pages. 400 take seconds: `npm run safe` has them. */
const SIZES: [entries: number, pages: number][] = [
  [3, 1],
  [60, 3],
];
if (process.env.SAFE) SIZES.push([400, 14]);

describe.each(SIZES)("%i entries", async (count, pageCount) => {
  const form = makeForm("ojt", user, entries(count), "2026-11-21");
  const pages = await pagesOf(form);
  const all = pages.flat();

  test(`take ${pageCount} pages`, () => {
    expect(pages).toHaveLength(pageCount);
  });

  test("every page names the form, its technician and its page number", () => {
    pages.forEach((page, index) => {
      expect(textOf(page)).toContain("Experience Hours (OJT)");
      for (const text of [
        "Kari Nordmann",
        "NDT-7",
        form.code ?? "",
        `Page ${index + 1} of ${pageCount}`,
        ...legendOf(form).map(({ text }) => text),
      ]) {
        expect(has(page, text), `${text} on page ${index + 1}`).toBe(true);
      }
    });
  });

  test("every page repeats the column headings", () => {
    for (const page of pages) {
      for (const head of ["Job Date", "Job Location", ...form.columns, "Supervisor"]) {
        // The words of a head may be below each other.
        for (const word of has(page, head) ? [] : head.split(" ")) expect(has(page, word), head).toBe(true);
      }
    }
  });

  test("every entry appears once, in order", () => {
    const places = all.filter(({ str }) => str.startsWith("Mongstad")).map(({ str }) => str);
    expect(places).toEqual(runsOf(form).flatMap(({ rows }) => rows.flatMap(({ texts }) => texts)));
  });

  test("hours appear in the column of their method", () => {
    for (const row of form.rows.slice(0, 9)) {
      const page = pages[0] ?? [];
      const head = page.find(({ str }) => form.columns[row.column]?.endsWith(str));
      const place = page.find(({ str }) => str === row.texts[0]);
      const hours = hoursOf(row, form)[row.column];
      const cell = page.find(({ str, y }) => str === hours && Math.abs(y - (place?.y ?? 0)) < 1);
      expect(rightEdge(cell)).toBeCloseTo(rightEdge(head), 0);
    }
  });

  test("the totals and the signature appear once, on the last page, below at least one entry", () => {
    for (const text of ["Total Hours", form.statement, "Employee Signature"]) {
      expect(pages.map((page) => page.filter(({ str }) => str === text).length)).toEqual(
        pages.map((_, index) => (index === pageCount - 1 ? 1 : 0)),
      );
    }
    const last = pages.at(-1) ?? [];
    const label = last.find(({ str }) => str === "Total Hours");
    const totals = last.filter(({ str, y }) => str !== "Total Hours" && Math.abs(y - (label?.y ?? 0)) < 1);
    const { hours, total } = shownSums(sumsOf(form.rows, form));
    expect(totals.map(({ str }) => str)).toEqual([...hours, total, `${count} records`]);
    expect(last.filter(({ str }) => str.startsWith("Mongstad")).length).toBeGreaterThanOrEqual(Math.min(count, 6));
  });
});

const rightEdge = (item: StructuredTextItem | undefined) => (item ? item.x + item.width : Number.NaN);

// Catches a column that is too narrow for its widest text: the text then runs into the next column or wraps.
test.each([
  ["in Latin letters", "Kari"],
  ["beside a Japanese name", "鈴木"],
])("no date touches its location, and no hours their neighbour, %s", async (_, name) => {
  const location = "Mongstad";
  const hours = [24, 9999.9, 10000, 99999.9, 100000].flatMap((hours) => [hours, hours]);
  const rows = hours.map((hours, index) => {
    const [row] = entries(1, {
      id: index,
      location,
      hours,
      method: FORM_METHODS[index % 9] ?? "ET",
      date: "2026-03-20",
    });
    return row as FormRecord;
  });
  const form = makeForm("ojt", { ...user, name }, rows, "2026-11-21");
  const [page = []] = await pagesOf(form);
  const dates = page.filter(({ str }) => str === "20 Mar 2026");
  const places = page.filter(({ str }) => str === location);
  expect([dates.length, places.length]).toEqual([rows.length, rows.length]);
  for (const date of dates) expect(rightEdge(date)).toBeLessThan(Math.min(...places.map(({ x }) => x)) - 5);
  const heads = form.columns.map((column) => rightEdge(page.find(({ str }) => column.endsWith(str))));
  const cells = page.filter(({ str }) => /^\d+\.\d$/.test(str));
  const { hours: totals } = shownSums(sumsOf(form.rows, form));
  // On one page these are the sums of its one way and the totals; in the first a method without hours has no cell.
  const sums = [...totals, ...totals.filter((total) => total !== "0.0")];
  const shown = form.rows.flatMap((row) => hoursOf(row, form).filter(Boolean));
  expect(cells.map(({ str }) => str).sort()).toEqual([...shown, ...sums].sort());
  for (const cell of cells) {
    const column = heads.findIndex((right) => Math.abs(right - rightEdge(cell)) < 1);
    const before = column === 0 ? Math.max(...places.map(rightEdge)) : (heads[column - 1] ?? 0);
    expect(cell.x - before, cell.str).toBeGreaterThan(2);
  }
});

test.each([
  ["without a space", "W".repeat(200)],
  ["of words", "crude unit, piperack 7, level 3, line 20-HC ".repeat(5).slice(0, 199)],
  ["of parts with slashes", "AREA-51/UNIT-7/PIPE-RACK-3/LINE-20-HC-1001-A1A/".repeat(5).slice(0, 200)],
  ["in Japanese", "東京都千代田区丸の内一丁目第三製油所の配管ラック上部".repeat(8).slice(0, 200)],
])("a location of 200 characters %s wraps inside its column, whole and without hyphens", async (_, location) => {
  const [page = []] = await pagesOf(makeForm("ojt", user, entries(2, { location }), "2026-11-21"));
  expect(squeezed(page)).toContain(location.replace(/\s/g, ""));
  const hours = page.find(({ str }) => str === "ET");
  // In Japanese each character may come from another of many font files.
  const written = page.filter(({ str }) => location.includes(str.trim()) && (str.length > 3 || str > "\u3000"));
  expect(new Set(written.map(({ y }) => Math.round(y))).size).toBeGreaterThan(2);
  for (const line of written) expect(rightEdge(line)).toBeLessThan(hours?.x ?? 0);
});

test.each([
  ["Polish", "Łódź, żółta śluza w Płocku"],
  ["Greek", "Πειραιάς, ναυπηγείο"],
  ["Russian", "Новороссийск, причал №5"],
  ["Vietnamese", "Cần Thơ"],
  ["Japanese", "横浜市、配管ラック"],
  ["several at once", "Łódź Πειραιάς Новороссийск 横浜"],
])("a name in %s can be read and copied", async (_, name) => {
  const form = makeForm("ojt", { ...user, name }, entries(1, { location: name, verifiedBy: name }), "2026-11-21");
  const [page = []] = await pagesOf(form);
  // Name, location, supervisor and signature.
  expect(squeezed(page).split(name.replace(/\s/g, "")).length - 1).toBe(4);
});

test("a character that no font has is a box, and each page says where to read it", async () => {
  const proof = { code: "7K3M-Q9TX-2HVP-8RDN-4", url: "https://hours.example.com/c/7K3MQ9TX2HVP8RDN4" };
  const pagesWith = (location: string, code: FormProof | null) =>
    pagesOf(makeForm("ojt", { ...user, name: "Kari 🚀" }, entries(30, { location }), "2026-11-21", code));
  const coded = await pagesWith("عمر 🏗️", formProof({ ...proof, statement: null, checkpoint: null }));
  expect(coded).toHaveLength(2);
  for (const page of coded) {
    expect(has(page, "Kari □")).toBe(true);
    expect(has(page, "□□□ □")).toBe(true);
    expect(textOf(page)).toContain("a character that this PDF cannot show: read it at hours.example.com/check");
  }
  for (const page of await pagesWith("Rig", null)) {
    expect(textOf(page)).toContain("a character that this PDF cannot show: print the form in the app instead");
  }
  const whole = makeForm("ojt", user, entries(1), "2026-11-21");
  for (const page of await pagesOf(whole)) expect(textOf(page)).not.toContain("cannot show");
});

// Catches letters so far apart that a reader copies "GA J2": the pairs with J are the widest.
test.each(["QV5S-5D6N-GAJ2-NF54-F", "AJAH-EJEH-J8JA-JEJK-7"])(
  "the code %s is copied from a page as it is printed",
  async (code) => {
    const url = `https://hours.example.com/c/${code.replaceAll("-", "")}`;
    const proof = formProof({ code, url, statement: null, checkpoint: null });
    const [page = []] = await pagesOf(makeForm("ojt", user, entries(1), "2026-11-21", proof));
    expect(has(page, code)).toBe(true);
  },
);

test("an export has the checkpoint of the audit log on its last page, and a form without one no such line", async () => {
  const checkpoint = { size: 4102, root: "Bz5W4h0o0xY8qUuA" };
  const proof = {
    code: "7K3M-Q9TX-2HVP-8RDN-4",
    url: "https://hours.example.com/c/7K3MQ9TX2HVP8RDN4",
    statement: null,
  };
  const pagesWith = (kept: typeof checkpoint | null) =>
    pagesOf(makeForm("ojt", user, entries(30), "2026-11-21", formProof({ ...proof, checkpoint: kept })));
  const printed = await pagesWith(checkpoint);
  expect(printed.length).toBeGreaterThan(1);
  expect(printed.map((page) => has(page, "Log checkpoint: 4102 events, root hash begins Bz5W4h0o0xY8qUuA"))).toEqual(
    printed.map((_, index) => index === printed.length - 1),
  );
  for (const page of await pagesWith(null)) expect(textOf(page)).not.toContain("Log checkpoint");
});

test("spaces, hyphens and signs that no font has are on the paper in another way, also beside the signature", async () => {
  const named = { ...user, name: "Anna\u00a0Berg\u2011Lie", employeeNumber: "N\u20127" };
  const location = "⌀\u202f60 pipe, 7⅜″, CO₂, 10⁻⁶, ∆T";
  const form = makeForm("ojt", named, entries(1, { location, verifiedBy: "Ola\u3000Hansen" }), "2026-11-21");
  const text = textOf((await pagesOf(form)).flat());
  expect(text).toContain("Ø 60 pipe, 7 3/8″, CO2, 10^-6, Δ T"); // PDF.js puts a space between two font files;
  expect(text).toContain("Ola Hansen");
  expect(text.match(/Anna Berg-Lie/g)?.length).toBeGreaterThan(1);
  expect(text).toContain("N-7");
  expect(text).not.toMatch(/□|cannot show/);
});
