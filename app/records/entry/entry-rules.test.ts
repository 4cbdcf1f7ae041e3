import { expect, test } from "vitest";
import { entryRules, typedEntrySchema } from "./entry.kind.ts";
import { checkEntry, dayDetails, type EntryDraft, warningsOf, withDayAndPlace, withoutDetails } from "./entry-rules.ts";

const good: EntryDraft = { date: "2026-11-20", location: "Dock 4", method: "UT_THK", hours: "7.5" };

/** The server's first message for each field. */
function serverSays(draft: EntryDraft): Record<string, string> {
  const issues = typedEntrySchema.safeParse(draft).error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message]));
}

// Detects a limit or a message that was changed in the schema but not in the browser's check.
test.each<Partial<EntryDraft>>([
  {},
  { date: "" },
  { location: "" },
  { location: " \t " },
  { location: "x".repeat(200) },
  { location: ` ${"x".repeat(200)} ` },
  { location: "x".repeat(201) },
  { location: "😀".repeat(200) },
  { location: "\u3164\u2800" },
  { location: "\u202e \u200b" },
  { location: `\u202e${"x".repeat(200)}\u202c` },
  { method: "" },
  ...[
    "",
    "0",
    "-1",
    "0.09",
    "0.1",
    "abc",
    "7,5",
    "0,1",
    "0,09",
    "1,500",
    "1.000,5",
    "7:30",
    "7:60",
    "1e308",
    "100000",
    "100000.01",
    ".5",
    "5.",
  ].map((hours) => ({
    hours,
  })),
  { date: "", location: "", method: "", hours: "" },
])("the browser says of %j what the server would", (over) => {
  const draft = { ...good, ...over };
  expect(checkEntry(draft, entryRules)).toEqual(serverSays(draft));
});

test("each row has every warning that applies to it, and no row another's", () => {
  const rows = [
    { ...good, date: "2026-11-20", hours: "20" },
    { ...good, date: "2026-11-22", hours: "5" },
    { ...good, date: "2026-11-20", hours: "7,5" },
  ];
  const warned = warningsOf(rows, { "2026-11-22": 2_000 }, "2026-11-21", ({ hours }) => hours === "5");
  const isLogged = "The same hours are in your log already.";
  expect(warned).toEqual([
    "",
    `That day adds up to 25.0 hours. ${isLogged} That day is in the future.`,
    "That day adds up to 27.5 hours.",
  ]);
  const dates = ["1926-11-20", "2016-11-20", "2016-11-21", "0202-11-20", ""];
  const old = dates.map((date) => ({ ...good, date, hours: "1" }));
  const isOld = "That day is more than 10 years ago.";
  expect(warningsOf(old, {}, "2026-11-21")).toEqual([isOld, isOld, "", "", ""]);
});

test("each row of a form is sent with the day, the place and the details of the day, unless it has its own", () => {
  const sent = (over: object = {}) => {
    const form = new FormData();
    const fields = {
      "entries[0].date": "2026-11-20",
      "entries[0].location": "Dock 4",
      "entries[1].date": " ",
      "entries[1].location": "",
      "entries[1].details.technique": "TOFD",
      "details.employer": "Northgate",
      "details.technique": "PAUT",
      "details.note": "",
      ...over,
    };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return Object.fromEntries(withDayAndPlace(form));
  };
  const row = (index: number, technique: string) => ({
    [`entries[${index}].date`]: "2026-11-20",
    [`entries[${index}].location`]: "Dock 4",
    [`entries[${index}].details.employer`]: "Northgate",
    [`entries[${index}].details.technique`]: technique,
  });
  expect(sent()).toEqual({ ...row(0, "PAUT"), ...row(1, "TOFD") });
  // A button that adds a row sends the form to be shown again, with the details where they were.
  const insert = { __intent__: JSON.stringify({ type: "insert", payload: { name: "entries" } }) };
  expect(sent(insert)).toMatchObject({ "entries[1].date": " ", "details.employer": "Northgate" });
});

test("what all jobs of a day have is shown once, and what differs stays with its row", () => {
  const rows = [
    { details: { employer: "Northgate", technique: "PAUT", note: "" } },
    { details: { employer: "Northgate", technique: "TOFD", note: "" } },
  ];
  const day = dayDetails(rows);
  expect(day).toEqual({ employer: "Northgate" });
  expect(withoutDetails(rows, day).map(({ details }) => details.technique)).toEqual(["PAUT", "TOFD"]);
  expect(withoutDetails(rows, day).map(({ details }) => "employer" in details)).toEqual([false, false]);
  expect(dayDetails([])).toEqual({});
});
