import { expect, test } from "vitest";
import { FORM_METHODS, FORM_NAMES, type FormName, type Method } from "#app/db/enumerations.ts";
import { besideOf, runsOf, shownSums, sumsByVia, sumsOf } from "#app/pdf/runs.ts";
import { laidRows, type Sheet, sheetsOf } from "#app/pdf/sheets.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { BROUGHT_FORWARD } from "#app/records/kind.ts";
import { type FormRecord, makeForm, typedNames } from "./form.ts";
import { broughtLabel, legendOf, remarksOf, runningLabel, runWords, worthsOf } from "./form-words.ts";
import { FORMS, formsBelow } from "./forms.ts";

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
  return totals(entries).hours[FORM_METHODS.indexOf(method)];
}

test("the form has the words of the spec", () => {
  expect(form([entry()])).toEqual({
    name: "ojt",
    title: "Experience Hours (OJT)",
    employeeName: "Kari Nordmann",
    employeeNumber: "NDT-7",
    dates: "Job Date",
    texts: ["Job Location"],
    columns: ["ET", "RFT", "MT", "PT", "RT", "UT Thk.", "UTSW", "PMI", "LSI"],
    supervisors: "Supervisor",
    rows: [
      {
        ...{ id: 1, days: ["2026-11-21"], texts: ["Mongstad"], column: 2, hundredths: 800 },
        ...{ supervisor: "Ola Hansen", via: "link" },
      },
    ],
    part: null,
    explained: [],
    statement: "The above is true and accurate to the best of my knowledge.",
    signature: "Kari Nordmann",
    day: "2026-11-21",
    code: "100-FORM-95 Rev 0",
    proof: null,
  });
});

test("the log of rope access has the fields of a log book, and no column that is empty", () => {
  const hours = { id: 3, startDate: "2026-11-03", endDate: "2026-11-21", location: "Gullfaks C", skills: "Rescue" };
  const verified = { hours: 12.25, verified: true, verifiedBy: "Ola Hansen", verifiedVia: "link" as const };
  const details = { employer: "Fjord AS", tasks: "Blade inspection", purpose: "work", structure: "Tower" };
  const supervisor = { certification: { scheme: "IRATA", level: "Level 3", number: "3/12" } };
  const record = { ...hours, ...verified, ...supervisor, details };
  expect(makeForm("rope-access-log", user, [record], "2026-11-21")).toMatchObject({
    name: "rope-access-log",
    title: "Rope Access Log",
    dates: "Period",
    texts: ["Location and Employer", "Work and Tasks", "Industry and Structure"],
    columns: ["Hours"],
    rows: [
      {
        id: 3,
        days: ["2026-11-03", "2026-11-21"],
        texts: ["Gullfaks C\nEmployer: Fjord AS", "Rescue\nTasks: Blade inspection\nPurpose: Work", "Structure: Tower"],
        column: 0,
        hundredths: 1225,
        supervisor: "Ola Hansen",
        via: "link",
        stated: "IRATA Level 3, No. 3/12",
      },
    ],
    code: null,
  });
  const { structure: _, ...plain } = details;
  const without = makeForm("rope-access-log", user, [{ ...record, details: plain }], "2026-11-21");
  expect([without.texts, without.rows[0]?.texts.length]).toEqual([["Location and Employer", "Work and Tasks"], 2]);
});

test("the detailed log has every detail of an entry, and its method", () => {
  const details = {
    ...{ employer: "Fjord AS", jobNumber: "J-1", sector: "Oil", testObject: "Weld", technique: "Phased array" },
    ...{ procedure: "UT-12", equipment: "X3", workedAs: "Level I", role: "performed", note: "Two\nlines" },
  };
  const { rows, columns } = makeForm("detailed-log", user, [entry({ details })], "2026-11-21");
  expect([columns, rows[0]?.column, rows[0]?.notes]).toEqual([["Hours"], 0, undefined]);
  expect(rows[0]?.texts).toEqual([
    "Mongstad\nEmployer: Fjord AS\nJob No.: J-1",
    "MT\nTechnique: Phased array\nSector: Oil\nObject: Weld",
    "Procedure: UT-12\nEquipment: X3\nWorked as: Level I\nRole: Performed",
    "Two\nlines",
  ]);
});

// A detail that no cell prints would be part of the hash of a form that does not have it.
test("a form with details prints every detail of its kinds", () => {
  for (const [name, { hasDetails, types, texts }] of Object.entries(FORMS)) {
    if (!hasDetails) continue;
    const printed = texts.flatMap(({ parts }) => parts.map(({ of }) => of));
    const details = types.flatMap((type) => kindNamed(type).details.map((detail) => detail.name));
    expect([name, printed]).toEqual([name, expect.arrayContaining(details)]);
  }
});

test("training comes first with its hours and days, then certificates and tests with their dates, number and mark", () => {
  const verified = { verified: true, verifiedBy: "Ola Hansen" };
  const course = {
    course: "UT Level II",
    organization: "Weld School",
    instructor: "Per Dahl",
    method: "UTSW",
    hours: 40,
  };
  const exam = {
    category: "near_vision",
    title: "Jaeger 1",
    issuer: "Optician",
    number: "V-7",
    score: 82.5,
    attempt: 2,
  };
  const { rows, columns } = makeForm(
    "training-and-certificates",
    user,
    [
      { ...verified, id: 2, type: "certificate", issuedOn: "2025-01-01", expiresOn: "2026-01-01", ...exam },
      { ...verified, id: 1, type: "training", startDate: "2026-03-02", endDate: "2026-03-02", ...course },
    ],
    "2026-11-21",
  );
  expect(rows.map(({ id, days, texts, hundredths }) => [id, days, texts, hundredths])).toEqual([
    [
      1,
      ["2026-03-02"],
      ["UT Level II", "Weld School\nInstructor: Per Dahl", "UTSW", "Duration: 5.71 days of 7 h"],
      4000,
    ],
    [
      2,
      ["2025-01-01"],
      ["Jaeger 1\nNear vision", "Optician", "", "No.: V-7\nScore: 82.5 of 100\nAttempt: 2\nexpired on 1 Jan 2026"],
      null,
    ],
  ]);
  expect(shownSums(sumsOf(rows, { columns })).hours).toEqual(["40.0"]);
});

test("a form says when each record was verified, and when it was logged only where that was over 7 days later, or earlier", () => {
  const at = (createdAt: string, verifiedAt: string) => ({ createdAt, verifiedAt: new Date(verifiedAt) });
  const { rows, explained } = form([
    entry({ id: 1, date: "2026-01-05", ...at("2026-01-12T23:59:00Z", "2027-02-05T00:00:00Z") }),
    // The day of the work is the technician's, that of logging is in UTC.
    entry({ id: 2, date: "2026-01-06", ...at("2026-01-05T20:00:00Z", "2026-01-07T00:00:00Z") }),
    entry({ id: 3, date: "2026-01-07", ...at("2026-01-04T20:00:00Z", "2026-01-07T00:00:00Z") }),
    entry({ id: 4, date: "2026-01-08", ...at("2026-01-16T20:00:00Z", "2026-01-17T00:00:00Z") }),
    entry({ id: 5, date: "2026-01-09", broughtForward: true, ...at("2026-11-04T20:00:00Z", "2026-11-05T00:00:00Z") }),
  ]);
  expect(rows.map(({ verifiedOn, remarks }) => [verifiedOn, remarks])).toEqual([
    ["2027-02-05", undefined],
    ["2026-01-07", undefined],
    ["2026-01-07", ["logged 3 days earlier"]],
    ["2026-01-17", ["logged 8 days later"]],
    ["2026-11-05", undefined],
  ]);
  expect(rows.at(-1)?.texts).toEqual(["Mongstad (previous experience)"]);
  expect(explained).toEqual(["previous experience: hours of earlier years in one sum, up to the date of the line"]);
  const timed = at("2026-11-21T20:00:00Z", "2026-11-22T00:00:00Z");
  const noted = { certification: { scheme: "PCN" }, verifiedFor: { name: "Kari", employeeNumber: null } };
  const noting = form([entry({ ...timed, ...noted }), entry({ ...noted, verified: false, broughtForward: true })]);
  const rule = "Each record was logged within 7 days of its date, unless its line says otherwise.";
  // Only the last sheet explains the notes.
  expect(remarksOf({ ...noting, part: "Only records from 1 Jan 2026" }, false)).toEqual([
    "Only records from 1 Jan 2026",
    rule,
  ]);
  expect(remarksOf(noting, true)).toEqual([rule, "verified for: the name and number that the supervisor saw"]);
  expect(remarksOf(form([entry()]), true)).toEqual([]);
});

test("a line says how many hours its date has where they are many, and where they are more than 24", () => {
  const remarksOfDay = (dayHundredths: number | null) => form([entry({ dayHundredths })]).rows[0]?.remarks;
  expect([null, 1600, 2400, 2650].map(remarksOfDay)).toEqual([
    undefined,
    ["16.0 h on this date"],
    ["24.0 h on this date"],
    ["26.5 h on this date, more than 24"],
  ]);
});

test("the supervisor’s level is as they stated it, and apart from it what the technician had entered", () => {
  const entered = { level: "Level II", company: "Fjord Inspection AS" };
  const said = (over: Partial<FormRecord>) =>
    form([entry({ ...over, entered })]).rows.map(({ stated, entered }) => [stated, entered]);
  expect(said({ certification: null, basis: null })).toEqual([
    ["level not stated; ground not stated", "Level II, Fjord Inspection AS"],
  ]);
  expect(said({ certification: { scheme: "PCN", level: "Level II" }, basis: "present" })).toEqual([
    ["PCN Level II; supervised on site", "Fjord Inspection AS"],
  ]);
  expect(said({ certification: { level: "Level III" }, basis: "remote" })).toEqual([
    ["Level III; supervised, not on site", "Level II, Fjord Inspection AS"],
  ]);
});

test("the records of one answer are one run, in the place of the first, with its ID, its sum and the level they were worked as", () => {
  const answer = (verificationId: string, verifiedBy = "Ola Hansen") => ({
    ...{ verificationId, verifiedBy, verifiedVia: "mailbox" as const, domain: "fjord.example" },
    verifiedAt: "2026-01-20T08:00:00Z",
  });
  const made = form([
    entry({ id: 1, date: "2026-01-05", ...answer("VER-1"), details: { workedAs: "Trainee" } }),
    entry({ id: 2, date: "2026-01-06", ...answer("VER-2", "Per Olsen"), details: { workedAs: "Trainee" } }),
    entry({ id: 3, date: "2026-01-07", ...answer("VER-1"), details: { workedAs: "Trainee" } }),
    entry({ id: 4, date: "2026-01-08", ...answer("VER-2", "Per Olsen") }),
  ]);
  const runs = runsOf(made);
  expect(runs.map(({ rows }) => rows.map(({ id }) => id))).toEqual([
    [1, 3],
    [2, 4],
  ]);
  expect(runs.map((run) => runWords(run))).toEqual([
    {
      ...{ when: "Verified 20 Jan 2026", how: "from the supervisor’s mailbox" },
      count: "2 records, 16.0 h, worked as Trainee",
    },
    { when: "Verified 20 Jan 2026", how: "from the supervisor’s mailbox", count: "2 records, 16.0 h" },
  ]);
  expect(runs.flatMap((run) => run.rows.map((row) => besideOf(row, run)))).toEqual(["", "", "worked as Trainee", ""]);
});

test("a form has a sum for each way of verification, and says what it is worth", () => {
  const made = form([
    entry({ id: 1, verifiedVia: "mailbox", hours: 2 }),
    entry({ id: 2, verifiedVia: "link", hours: 3, method: "PT" }),
    entry({ id: 3, verifiedVia: "link", hours: 4 }),
  ]);
  expect(sumsByVia(made).map(({ via, count, sums }) => [via, count, shownSums(sums).total])).toEqual([
    ["mailbox", 1, "2.0 h"],
    ["link", 2, "7.0 h"],
  ]);
  expect(worthsOf(made).map(({ name }) => name)).toEqual(["Mailbox:", "Link:"]);
  expect(worthsOf(form([entry()])).map(({ text }) => text)).toEqual([
    "anyone who had the link could answer. The technician had it too, so ask the supervisor named.",
  ]);
});

test("no label of previous experience has a word of the running totals", () => {
  const words = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];
  const sheet = { number: 4, isLast: false } as Sheet; // what the labels read
  const labels = [broughtLabel(sheet), runningLabel(sheet)].flatMap(words);
  expect(words(BROUGHT_FORWARD).filter((word) => labels.includes(word))).toEqual([]);
});

// Catches a form, a field or a note that shows the address of a supervisor: the domain of a mailbox is all that is printed.
test("no form prints the address of a supervisor", () => {
  const records = FORM_NAMES.map((name) =>
    makeForm(
      name,
      user,
      [
        {
          ...entry(),
          type: FORMS[name].types[0],
          verifiedVia: "mailbox",
          domain: "example.org",
          contact: "ola@example.org",
        },
      ],
      "2026-11-21",
    ),
  );
  expect(JSON.stringify(records)).not.toContain("@");
});

test("100-FORM-95 says what verified records of other methods it leaves out, and its sums are those of its rows", () => {
  const others = [entry({ id: 2, method: "VT", hours: 3.5 }), entry({ id: 3, method: "UT", hours: 0.25 })];
  const made = form([entry(), ...others, entry({ id: 4, method: "VT", hours: 9, verified: false })]);
  expect(made.rows.map(({ id }) => id)).toEqual([1]);
  expect(made.explained).toEqual([
    "Not on this form: 2 verified records of other methods, 3.75 h. They are on the Detailed Log (OJT).",
  ]);
  expect(totals([entry(), ...others]).total).toBe("8.0 h");
  const log = makeForm("detailed-log", user, [entry(), ...others], "2026-11-21");
  expect([log.rows.length, log.explained]).toEqual([3, []]);
});

test("a level is printed as its standard writes it", () => {
  const certificate = { id: 1, type: "certificate", verified: true, verifiedBy: "Ola Hansen", issuedOn: "2026-01-02" };
  const levelOf = (standard: string | null) => {
    const record = { ...certificate, level: "Level II", standard };
    const { rows } = makeForm("training-and-certificates", user, [record], "2026-11-21");
    return /Level \w+/.exec(JSON.stringify(rows))?.[0];
  };
  for (const standard of ["ISO 9712", "PCN", "CSWIP", "NAS 410", "EN 4179", "IRATA", "SPRAT"])
    expect([standard, levelOf(standard)]).toEqual([standard, "Level 2"]);
  for (const standard of ["SNT-TC-1A", "CP-189", null]) expect(levelOf(standard)).toBe("Level II");
});

test("a form of a part of the records says which", () => {
  const all = { from: null, to: null, isOfOneSupervisor: false, supervisor: null };
  const part = (over: object, form: FormName = "ojt") =>
    makeForm(form, user, form === "ojt" ? [entry()] : [], "2026-11-21", null, { ...all, ...over });
  expect(part({ from: "2026-01-01", to: "2026-06-30" }).part).toBe("Only records from 1 Jan 2026 to 30 Jun 2026");
  expect(part({ to: "2026-06-30", isOfOneSupervisor: true }).part).toBe(
    "Only records to 30 Jun 2026, verified by one supervisor",
  );
  expect(part({ isOfOneSupervisor: true, supervisor: "Ola Hansen" }).part).toBe("Only records verified by Ola Hansen");
  // Rope hours and courses are of several days.
  for (const form of ["rope-access-log", "training-and-certificates"] as const) {
    expect(part({ from: "2026-01-01" }, form).part).toBe("Only records from 1 Jan 2026 by their first day");
  }
  const names = ["Ola", "Per", "Ola", "Kari", "Jan", "Liv"].map((supervisor) => ({ supervisor }));
  expect([typedNames(names), typedNames([])]).toEqual(["Ola, Per, Kari and 2 more", null]);
  expect(part({}).part).toBeNull();
});

test("every form names its types, its calls and a log, and the first form below a log is that of its button", () => {
  expect(Object.values(FORMS).map(({ types, calls, log }) => [types.length === calls.length, log])).toEqual([
    [true, "/profile"],
    [true, "/profile"],
    [true, "/rope-hours"],
    [true, "/training"],
  ]);
  expect(["/profile", "/rope-hours", "/training"].map((log) => formsBelow(log)[0])).toEqual([
    "ojt",
    "rope-access-log",
    "training-and-certificates",
  ]);
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
    ["link", undefined],
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
  const [same, long] = ["The supervisor has the technician’s name.", "26.5 h on this date, more than 24"];
  expect(rows.map(({ notes, remarks }) => [notes, remarks])).toEqual([
    [undefined, undefined],
    [["verified for Anna Experienced, E-1"], undefined],
    [[same], undefined],
    [["verified for Anna Experienced, E-1", same], [long]],
    [["verified for a technician without a name"], undefined],
  ]);
});

test("wherever a form shows mailbox it shows the domain, or says that it does not", () => {
  const mailbox = { verifiedVia: "mailbox" } as const;
  const legend = (...entries: Partial<FormRecord>[]) => legendOf(form(entries.map(entry))).map(({ text }) => text);
  const known = { ...mailbox, domain: "equinor.example" };
  expect(legend(known)).toEqual(["from the supervisor’s mailbox, at the domain shown"]);
  expect(legend(mailbox)).toEqual(["from the supervisor’s mailbox, domain not shown"]);
  expect(legend(known, mailbox, { verifiedVia: "link" })).toEqual([
    "from the supervisor’s mailbox, at the domain shown, if any",
    "through a link, which the technician had too",
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

test("text that was typed with a domain or a word of a mark is in quotation marks, the rest as it is", () => {
  const claim = "Per Olsen, Mailbox, equinor.com";
  const typed = {
    location: claim,
    verifiedBy: claim,
    asked: claim,
    verifiedFor: { name: claim, employeeNumber: "E-1" },
  };
  const chosen = { from: null, to: null, isOfOneSupervisor: true, supervisor: claim };
  const person = { ...user, name: claim, employeeNumber: "mailbox 7" };
  const made = makeForm("ojt", person, [entry(typed)], "2026-11-21", null, chosen);
  expect(made).toMatchObject({
    employeeName: `“${claim}”`,
    employeeNumber: "“mailbox 7”",
    signature: `“${claim}”`,
    part: `Only records verified by “${claim}”`,
    rows: [{ texts: [`“${claim}”`], supervisor: `“${claim}”` }],
  });
  expect(made.rows[0]?.notes).toEqual(expect.arrayContaining([`asked: “${claim}”`, `verified for “${claim}, E-1”`]));
  const plain = form([entry({ location: "St.Petersburg, hal 3.B", verifiedBy: "J.P. van Dijk" })]);
  expect(plain.rows).toMatchObject([{ texts: ["St.Petersburg, hal 3.B"], supervisor: "J.P. van Dijk" }]);
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

/** Fonts whose characters all have one width, in em. */
const FACE = { legible: (text: string) => text, widthOf: (text: string) => 0.6 * text.length };
const FACES = { regular: FACE, bold: FACE };

test("a domain is printed behind its supervisor’s name, and below it where it has no room", () => {
  const cellOf = (verifiedBy: string, domain: string) =>
    laidRows(form([entry({ verifiedBy, verifiedVia: "mailbox", domain })]), FACES)[0]?.run.cell;
  expect(cellOf("Ola Hansen", "example.org")).toEqual([{ text: "Ola Hansen", as: "name", domain: "example.org" }]);
  expect(cellOf("Grażyna Brzęczyszczykiewicz", "inspection.example.org")).toEqual([
    { text: "Grażyna Brzęczyszczykiewicz", as: "name" },
    { text: "inspection.example.org", as: "stated" },
  ]);
});

/** Returns the ids of the rows of each sheet, for runs of these numbers of rows. */
function sheetsOfRuns(sizes: number[], room: { rows: number; closing: number }): number[][] {
  let id = 0;
  const entries = sizes.flatMap((size, run) =>
    Array.from({ length: size }, () => {
      id += 1;
      return entry({ id, verificationId: `VER-${run}` });
    }),
  );
  const made = form(entries);
  const sheets = sheetsOf(made, laidRows(made, FACES), room);
  expect(sheets.map(({ isLast }) => isLast)).toEqual(sheets.map((_, index) => index === sheets.length - 1));
  return sheets.map(({ blocks }) => blocks.flatMap(({ rows }) => rows.map(({ row }) => row.id)));
}

/** The sizes of the parts into which sheets divide these runs. */
function partsOf(sizes: number[], sheets: number[][]): number[][] {
  const ends = sizes.map((_, index) => sizes.slice(0, index + 1).reduce((sum, size) => sum + size, 0));
  return sheets.map((ids) => {
    const runs = ids.map((id) => ends.findIndex((end) => id <= end));
    return [...new Set(runs)].map((run) => runs.filter((one) => one === run).length);
  });
}

test("no sheet has one row of a longer run alone, and the last one has at least six rows where it can", () => {
  const room = { rows: 130, closing: 30 };
  for (let size = 2; size <= 40; size += 1) {
    for (const sizes of [[size], [1, size], [3, 3, size, 3], [size, 2, size], [7, size, 1, 1, 5]]) {
      const sheets = sheetsOfRuns(sizes, room);
      expect(sheets.flat()).toEqual(sizes.flatMap((_, run) => Array(sizes[run]).fill(0)).map((_, index) => index + 1));
      const alone = partsOf(sizes, sheets).flatMap((parts) => parts.filter((part) => part === 1)).length;
      expect([sizes, alone]).toEqual([sizes, sizes.filter((one) => one === 1).length]);
      if (sheets.length > 1) expect([sizes, (sheets.at(-1)?.length ?? 0) >= 6]).toEqual([sizes, true]);
    }
  }
});
