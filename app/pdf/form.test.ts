import { expect, test } from "vitest";
import { METHODS } from "#app/db/enumerations.ts";
import { experienceForm, type FormEntry } from "./form.ts";

const user = { name: "Kari Nordmann", email: "kari@example.com", employeeNumber: "NDT-7" };

function entry(over: Partial<FormEntry> = {}): FormEntry {
  return {
    id: 1,
    date: "2026-11-21",
    location: "Mongstad",
    method: "MT",
    hours: 8,
    verified: true,
    verifiedBy: "Ola Hansen",
    ...over,
  };
}

function form(entries: FormEntry[]) {
  return experienceForm(user, entries, "2026-11-21");
}

function totalOf(entries: FormEntry[], method: FormEntry["method"]) {
  return form(entries).totals[METHODS.indexOf(method)];
}

test("the form has the words of the spec", () => {
  expect(form([entry()])).toEqual({
    title: "Experience Hours (OJT)",
    employeeName: "Kari Nordmann",
    employeeNumber: "NDT-7",
    methods: ["ET", "RFT", "MT", "PT", "RT", "UT Thk.", "UTSW", "PMI", "LSI"],
    rows: [
      {
        id: 1,
        day: "2026-11-21",
        date: "21 Nov 2026",
        location: "Mongstad",
        hours: ["", "", "8.0", "", "", "", "", "", ""],
        supervisor: "Ola Hansen",
      },
    ],
    totals: ["0.0", "0.0", "8.0", "0.0", "0.0", "0.0", "0.0", "0.0", "0.0"],
    total: "8.0 h",
    statement: "The above is true and accurate to the best of my knowledge.",
    signature: "Kari Nordmann",
    day: "2026-11-21",
    date: "21 Nov 2026",
    code: "100-FORM-95 Rev 0",
    legend: "Verified by the supervisor named",
  });
});

test("only verified entries are on the form and in its totals", () => {
  const { rows, totals } = form([entry({ id: 1 }), entry({ id: 2, verified: false, verifiedBy: null, hours: 100 })]);
  expect(rows.map(({ id }) => id)).toEqual([1]);
  expect(totals[METHODS.indexOf("MT")]).toBe("8.0");
});

test("entries are sorted oldest first, by date and then by id", () => {
  const { rows } = form([
    entry({ id: 10, date: "2026-02-01" }),
    entry({ id: 9, date: "2026-02-01" }),
    entry({ id: 11, date: "2025-12-31" }),
  ]);
  expect(rows.map(({ id }) => id)).toEqual([11, 9, 10]);
});

test("the given list is not reordered", () => {
  const entries = [entry({ id: 2, date: "2026-02-01" }), entry({ id: 1, date: "2026-01-01" })];
  form(entries);
  expect(entries.map(({ id }) => id)).toEqual([2, 1]);
});

test("a total is exact despite binary fractions", () => {
  expect(totalOf([entry({ hours: 0.1 }), entry({ hours: 0.2 })], "MT")).toBe("0.3");
  expect(
    totalOf(
      Array.from({ length: 400 }, (_, id) => entry({ id, hours: 0.1 })),
      "MT",
    ),
  ).toBe("40.0");
});

test("a total is rounded once, when shown: adding the shown values would give 1.2", () => {
  const quarter = entry({ hours: 0.25 });
  expect(form([quarter]).rows[0]?.hours).toContain("0.3");
  expect(totalOf([quarter, quarter, quarter, quarter], "MT")).toBe("1.0");
});

test("the total of all methods is the exact sum: adding the totals shown would give 0.6", () => {
  const quarter = entry({ hours: 0.25 });
  expect(form([quarter, { ...quarter, id: 2, method: "ET" }]).total).toBe("0.5 h");
});

test("without a name the form shows the email address", () => {
  const nameless = experienceForm({ name: "", email: "kari@example.com", employeeNumber: null }, [], "2026-11-21");
  expect(nameless).toMatchObject({
    employeeName: "kari@example.com",
    employeeNumber: "",
    signature: "kari@example.com",
    rows: [],
  });
});
