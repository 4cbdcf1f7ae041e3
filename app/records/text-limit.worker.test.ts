import { describe, expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { formIn, messageOf } from "#tests/worker/html.ts";
import { sendCsv } from "#tests/worker/imports.ts";
import { aCertificate, anEntry, aRopeHours, aTraining, formFields } from "#tests/worker/people.ts";
import { KINDS } from "./all-kinds.ts";
import type { Kind } from "./kind.ts";

/*
 * All texts of one record have at most 8,000 bytes together, whatever way they come. Catches a limit that counts characters,
 * one that a way around the schema lacks, and one that refuses what a person writes in Latin letters.
 */

const app = await startApp();

const TOO_LONG =
  "All texts of a record together may have 8,000 bytes, and these have 8,001. Shorten the longest text, or write it without emoji: a plain letter has 1 byte, other letters have 2 or 3, and an emoji has 4 or more.";

/** Texts of rope hours with this number of bytes. The skills are the longest. */
const ropeOf = (bytes: number) => ({
  location: "ж".repeat(101),
  skills: "漢".repeat(2_000),
  details: { note: "ж".repeat(800), tasks: "x".repeat(bytes - 7_802) },
});

/** Texts of an entry with this number of bytes. The note is the longest. */
const entryOf = (bytes: number) => ({
  location: "😀".repeat(200),
  details: {
    ...Object.fromEntries(["employer", "sector", "testObject", "technique"].map((name) => [name, "😀".repeat(200)])),
    note: `${"é".repeat(999)}${"x".repeat(1)}`,
    equipment: "é".repeat(200),
    procedure: "é".repeat(200),
    role: "observed",
    workedAs: "Level I",
    jobNumber: "x".repeat(bytes - 6_814),
  },
});

describe("the texts of a record", () => {
  test("may have 8,000 bytes together by a call, and with one more nothing is saved", async () => {
    const ada = await app.register();
    expect((await ada.json("POST", "/api/rope-hours", aRopeHours(ropeOf(8_000)))).status).toBe(201);
    const refused = await ada.json("POST", "/api/rope-hours", aRopeHours(ropeOf(8_001)));
    const errors = [{ path: "skills", message: TOO_LONG }];
    expect([refused.status, refused.json()]).toEqual([400, { code: "invalid", message: TOO_LONG, errors }]);
    expect((await ada.get("/api/rope-hours")).json()).toHaveLength(1);
  });

  test("are counted for each entry of a list, whose index is in the error's path", async () => {
    const ada = await app.register();
    const full = { ...entryOf(7_000), details: { ...entryOf(7_000).details, procedure: "😀".repeat(200) } };
    const over = { ...full, details: { ...full.details, equipment: "😀".repeat(200), note: "漢".repeat(1_000) } };
    expect((await ada.json("POST", "/api/entries", [anEntry(full), anEntry(full)])).status).toBe(201);
    const refused = await ada.json("POST", "/api/entries", [anEntry(full), anEntry(over)]);
    expect([refused.status, refused.json()]).toMatchObject([
      400,
      { code: "invalid", errors: [{ path: "1.details.note", message: expect.stringContaining("these have 8,801.") }] },
    ]);
    expect(await ada.storedEntries()).toBe(2);
  });

  test("are counted after an edit together with those that it leaves, by a call and on the edit page", async () => {
    const ada = await app.register();
    const { location, skills, details } = ropeOf(8_000);
    const { id } = await ada.addRopeHours({ location, details });
    const refused = await ada.json("PATCH", `/api/rope-hours/${id}`, { skills: `${skills.slice(1)}😀` });
    expect([refused.status, refused.json()]).toMatchObject([400, { errors: [{ path: "skills", message: TOO_LONG }] }]);
    const path = `/rope-hours/record/${id}/edit`;
    const page = await ada.submit(await ada.get(path), path, { skills: `${skills.slice(1)}😀` });
    expect([page.status, messageOf(page.text, "skills")]).toEqual([400, TOO_LONG]);
    expect((await ada.submit(page, path, { skills })).status).toBe(303);
  });

  test("are counted in a form, which comes back with all that was typed", async () => {
    const ada = await app.register();
    const { details, ...others } = ropeOf(8_001);
    const typed = {
      ...formFields(aRopeHours(others)),
      ...Object.fromEntries(Object.entries(details).map(([name, text]) => [`details.${name}`, text])),
    };
    const page = await ada.submit(await ada.get("/rope-hours"), "/rope-hours/new", typed);
    expect([page.status, messageOf(page.text, "skills")]).toEqual([400, TOO_LONG]);
    expect(formIn(page.text, "/rope-hours/new").fields.get("details.tasks")).toBe(details.tasks);
    // Records that a browser kept while offline are sent under the names of the form.
    const kept = await ada.json("POST", "/api/rope-hours", typed);
    expect([kept.status, kept.json()]).toMatchObject([400, { errors: [{ path: "skills", message: TOO_LONG }] }]);
  });

  test("are a problem of their row in an import, and the other rows are imported", async () => {
    const ada = await app.register();
    const row = ({ location, skills, details: { note, tasks } }: ReturnType<typeof ropeOf>) =>
      `2026-11-16,2026-11-20,${location},${skills},38.5,${note},${tasks}`;
    const csv = ["Start Date,End Date,Location,Skills,Hours,Note,Tasks", row(ropeOf(8_000)), row(ropeOf(8_001))];
    const made = (await sendCsv(ada, csv.join("\n"), "rope_hours")).json<{ id: number; errors: object[] }>();
    expect(made.errors).toEqual([{ row: 3, column: "Skills", message: expect.stringContaining(`…”: ${TOO_LONG}`) }]);
    expect((await ada.json("POST", `/api/imports/${made.id}/apply`)).json()).toEqual({ created: 1, skipped: 1 });
  });
});

/** The texts of a vision test alone: a certificate has others. */
const OF_EYES = ["distance", "administeredBy"];

/** The values of a kind with every text as long as its field takes. */
function longest(kind: Kind, values: object, letter: string) {
  const skills = "skills" in values ? { skills: letter.repeat(2_000) } : {};
  const texts = kind.fields
    .filter(({ type, name }) => type === "text" && !OF_EYES.includes(name))
    .map(({ name }) => [name, letter.repeat(200)]);
  const details = kind.details.map(({ name, choices, max = 200 }) => [name, choices?.[0] ?? letter.repeat(max)]);
  return {
    ...values,
    ...Object.fromEntries(texts),
    ...skills,
    ...(details.length > 0 && { details: Object.fromEntries(details) }),
  };
}

const VALUES: Record<string, object> = {
  entry: anEntry(),
  rope_hour: aRopeHours(),
  training: aTraining(),
  certificate: aCertificate({ originalLocation: "x", revokedOn: "2026-06-01" }),
};

describe.each(KINDS.map((kind) => ({ name: kind.name, kind })))("$name", ({ name, kind }) => {
  const values = VALUES[name] ?? {};

  test("takes every text as long as its field takes in plain letters", () => {
    expect(kind.schema.safeParse(longest(kind, values, "x")).error).toBeUndefined();
  });

  test("refuses what is over the limit, and nothing else, when every text is in letters of four bytes", () => {
    const most = { entry: 11_200, rope_hour: 16_800 }[name];
    const { success, error } = kind.schema.safeParse(longest(kind, values, "😀"));
    expect(success).toBe(most === undefined);
    expect(error?.issues.map(({ message }) => message) ?? []).toEqual(
      most === undefined ? [] : [expect.stringMatching(/^All texts of a record together may have 8,000 bytes, and /)],
    );
  });
});
