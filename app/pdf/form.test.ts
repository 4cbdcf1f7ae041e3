import { expect, test } from "vitest";
import { METHODS } from "#app/db/enumerations.ts";
import { shownSums, sumsOf } from "#app/pdf/sheets.ts";
import { type FormRecord, makeForm } from "./form.ts";
import { legendOf } from "./form-words.ts";

const user = { name: "Kari Nordmann", email: "kari@example.com", employeeNumber: "NDT-7" };

function entry(over: Partial<FormRecord> = {}): FormRecord {
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

function form(entries: FormRecord[]) {
  return makeForm("ojt", user, entries, "2026-11-21");
}

/** The totals as they are shown: of each method, and of all. */
function totals(entries: FormRecord[]) {
  const made = form(entries);
  return shownSums(sumsOf(made.rows, made));
}

function totalOf(entries: FormRecord[], method: Method) {
  return totals(entries).hours[METHODS.indexOf(method)];
}

test("the form has the words of the spec", () => {
  expect(form([entry()])).toEqual({
    kind: "entries",
    title: "Experience Hours (OJT)",
    employeeName: "Kari Nordmann",
    employeeNumber: "NDT-7",
    dates: "Job Date",
    texts: ["Job Location"],
    columns: ["ET", "RFT", "MT", "PT", "RT", "UT Thk.", "UTSW", "PMI", "LSI"],
    supervisors: "Supervisor",
    rows: [{ id: 1, days: ["2026-11-21"], texts: ["Mongstad"], column: 2, hundredths: 800, supervisor: "Ola Hansen" }],
    statement: "The above is true and accurate to the best of my knowledge.",
    signature: "Kari Nordmann",
    day: "2026-11-21",
    code: "100-FORM-95 Rev 0",
    proof: null,
  });
});

test("the form of rope hours has their period, location, skills, hours and supervisor", () => {
  const hours = { id: 3, startDate: "2026-11-03", endDate: "2026-11-21", location: "Gullfaks C", skills: "Rescue" };
  const verified = { hours: 12.25, verified: true, verifiedBy: "Ola Hansen", verifiedVia: "link" as const };
  expect(makeForm("rope-access-log", user, [{ ...hours, ...verified }], "2026-11-21")).toMatchObject({
    kind: "rope_hours",
    title: "Rope Hours",
    dates: "Period",
    texts: ["Location", "Skills"],
    columns: ["Hours"],
    rows: [
      {
        id: 3,
        days: ["2026-11-03", "2026-11-21"],
        texts: ["Gullfaks C", "Rescue"],
        column: 0,
        hundredths: 1225,
        supervisor: "Ola Hansen",
        via: "link",
      },
    ],
    code: null,
  });
});

test("the domain of a mailbox is on the form, and a link has none", () => {
  const { rows } = form([
    entry({ id: 1, verifiedVia: "mailbox", domain: "equinor.example" }),
    entry({ id: 2, verifiedVia: "link", domain: "equinor.example" }),
    entry({ id: 3, verifiedVia: "mailbox", domain: null }),
    entry({ id: 4 }),
  ]);
  expect(rows.map(({ via, domain }) => [via, domain])).toEqual([
    ["mailbox", "equinor.example"],
    ["link", undefined],
    ["mailbox", undefined],
    [undefined, undefined],
  ]);
});

test("a form says for whom a record was verified, that the names are one, and of a date with more than 24 hours", () => {
  const anna = { name: "Anna Experienced", employeeNumber: "E-1" };
  const { rows } = form([
    entry({ id: 1 }),
    entry({ id: 2, verifiedFor: anna }),
    entry({ id: 3, verifiedBy: " kari  NORDMANN" }),
    entry({ id: 4, verifiedBy: "anna experienced", verifiedFor: anna, dayHundredths: 2650 }),
    entry({ id: 5, verifiedFor: { name: null, employeeNumber: null } }),
  ]);
  const [same, long] = ["The supervisor has the technician’s name.", "This date has 26.5 hours in all, more than 24."];
  expect(rows.map(({ notes }) => notes)).toEqual([
    undefined,
    ["verified for Anna Experienced, E-1"],
    [same],
    ["verified for Anna Experienced, E-1", same, long],
    ["verified for a technician without a name"],
  ]);
});

test("wherever a form shows mailbox it shows the domain, or says that it does not", () => {
  const mailbox = { verifiedVia: "mailbox" } as const;
  const legend = (...entries: Partial<FormRecord>[]) => legendOf(form(entries.map(entry))).map(({ text }) => text);
  const known = { ...mailbox, domain: "equinor.example" };
  expect(legend(known)).toEqual(["verified through the supervisor’s mailbox, at the domain shown"]);
  expect(legend(mailbox)).toEqual(["verified through the supervisor’s mailbox, domain not shown"]);
  expect(legend(known, mailbox, { verifiedVia: "link" }, {})).toEqual([
    "verified through the supervisor’s mailbox, at the domain shown, if any",
    "verified through a link passed on by the technician",
    "Verified by the supervisor named",
  ]);
});

test("only verified entries are on the form and in its totals", () => {
  const entries = [entry({ id: 1 }), entry({ id: 2, verified: false, verifiedBy: null, hours: 100 })];
  expect(form(entries).rows.map(({ id }) => id)).toEqual([1]);
  expect(totalOf(entries, "MT")).toBe("8.0");
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

test("a total is the sum of what is printed", () => {
  const quarter = entry({ hours: 0.25 });
  expect(totalOf([quarter], "MT")).toBe("0.25");
  expect(totalOf([quarter, quarter, quarter, quarter], "MT")).toBe("1.0");
});

test("the total of all methods is the exact sum: adding the totals shown would give 0.6", () => {
  const quarter = entry({ hours: 0.25 });
  expect(totals([quarter, { ...quarter, id: 2, method: "ET" }]).total).toBe("0.5 h");
});

test("without a name the form shows the email address", () => {
  const nameless = makeForm("ojt", { name: "", email: "kari@example.com", employeeNumber: null }, [], "2026-11-21");
  expect(nameless).toMatchObject({
    employeeName: "kari@example.com",
    employeeNumber: "",
    signature: "kari@example.com",
    rows: [],
  });
});
