import { describe, expect, test } from "vitest";
import { z } from "zod";
import { KINDS } from "#app/records/all-kinds.ts";
import { shownDetails } from "#app/records/details.ts";
import { type ShownRecord, shownValues } from "#app/records/kind.ts";
import { startApp } from "#tests/worker/app.ts";
import { formIn } from "#tests/worker/html.ts";
import { upload } from "#tests/worker/imports.ts";
import { aCertificate, anEntry, aRopeHours, aTraining } from "#tests/worker/people.ts";
import { checkRoundTrips } from "#tests/worker/round-trip.ts";

const app = await startApp();
const HEADER =
  "Date,Location,Method,Hours,Brought forward,Employer,Job number,Sector,Test object,Technique,Procedure,Equipment,Worked as,Role,Note," +
  "Verified by,Verified at,Verified via";

/** The cells of an entry without details. */
const NO_DETAILS = ",".repeat(10);
/** Those of an entry: the level worked as is set when it is saved. */
const OF_TRAINEE = `${",".repeat(8)}Trainee,,`;

/** The lines of a CSV file without its mark and its last line end. */
function linesOf(text: string): string[] {
  return text
    .replace(/^\ufeff/, "")
    .replace(/\r\n$/, "")
    .split("\r\n");
}

describe("GET /api/export.csv", () => {
  test("has all own records, oldest first, by date and id", async () => {
    const [kari, ola] = [await app.register(), await app.register()];
    await ola.addEntry({ location: "Elsewhere" });
    await kari.addEntries([
      anEntry({ date: "2026-11-21", location: "=1+1" }),
      anEntry({ date: "2026-11-22", location: "x;=cmd|' /C calc'!A0;y" }),
      anEntry({ date: "2026-11-20", location: 'The "old", rig', method: "UT_THK", hours: 7.25 }),
      anEntry({ date: "2025-12-31", hours: 800, broughtForward: true }),
    ]);
    const answer = await kari.get("/api/export.csv");
    expect(linesOf(answer.text)).toEqual([
      HEADER,
      `2025-12-31,Mongstad,MT,800,yes${NO_DETAILS},,,`,
      `2026-11-20,"The ""old"", rig",UT Thk.,7.25,${OF_TRAINEE},,,`,
      `2026-11-21,'=1+1,MT,7.5,${OF_TRAINEE},,,`,
      `2026-11-22,"x;'=cmd|' /C calc'!A0;y",MT,7.5,${OF_TRAINEE},,,`,
    ]);
  });

  test("writes a place as it was typed, also one that is the code of a method", async () => {
    const kari = await app.register();
    await kari.addEntry({ location: "UT_THK", method: "UT_THK" });
    const [, line] = linesOf((await kari.get("/api/export.csv")).text);
    expect(line).toBe(`2026-11-20,UT_THK,UT Thk.,7.5,${OF_TRAINEE},,,`);
  });

  test("says who verified a record, and when, without ids", async () => {
    const kari = await app.register();
    const { entry } = await kari.addVerifiedEntry();
    const [, line] = linesOf((await kari.get("/api/export.csv")).text);
    expect(line).toBe(`2026-11-20,Mongstad,MT,7.5,${OF_TRAINEE},Ola Hansen,${entry.verifiedAt},link`);
  });

  test("is saved as a file with its date, by no cache", async () => {
    const kari = await app.register();
    const { headers, text } = await kari.get("/api/export.csv?kind=rope_hours");
    expect(headers.get("Content-Disposition")).toMatch(/^attachment; filename="rope-hours-\d{4}-\d\d-\d\d\.csv"$/);
    expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(linesOf(text)).toHaveLength(1);
    expect((await kari.get("/api/export.csv?kind=users")).status).toBe(400);
  });

  test("has each of 2,500 records once, in three pages", async () => {
    const kari = await app.register();
    await app.db
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
          INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
          SELECT ?, 'entry', date('2026-01-01', (i % 40) || ' days'), 'Rig ' || i, 'MT', 100, '', 0 FROM n`,
      )
      .bind(kari.user.id)
      .run();
    const [, ...lines] = linesOf((await kari.get("/api/export.csv")).text);
    expect(new Set(lines).size).toBe(2_500);
    expect(lines).toHaveLength(2_500);
    expect(lines.map((line) => line.slice(0, 10))).toEqual(lines.map((line) => line.slice(0, 10)).sort());
  });
});

/** A record of each kind with every field of its schema, and another value of each that is as right. */
const FULL: Record<string, { record: object; other: { [field: string]: unknown } }> = {
  entry: {
    record: anEntry({ broughtForward: true }),
    other: { date: "2026-11-19", location: "Sture", method: "PT", hours: 1.25, broughtForward: false },
  },
  rope_hour: {
    record: aRopeHours(),
    other: { startDate: "2026-11-15", endDate: "2026-11-21", location: "Sture", skills: "Rigging", hours: 1.25 },
  },
  training: {
    record: aTraining(),
    other: {
      ...{ startDate: "2026-03-01", endDate: "2026-03-07", course: "MT", organization: "Other", instructor: "Kari" },
      ...{ method: "MT", level: "Level II", hours: 1.25 },
    },
  },
  certificate: {
    record: aCertificate({
      category: "examination",
      part: "general",
      score: 82.5,
      attempt: 2,
      originalLocation: "Safe",
      ...{ basis: null, scope: null, distance: null, corrected: null, administeredBy: null },
      ...{ revokedOn: null, revokedReason: null },
    }),
    other: {
      ...{ category: "certificate", title: "MT", standard: "ISO 9712", method: "MT", level: "Level II" },
      ...{ part: "practical", number: "N-2", issuer: "Other", issuedOn: "2026-02-02", expiresOn: "2031-02-01" },
      ...{ score: 90.25, attempt: 1, originalLocation: "Office", basis: "body", scope: "TOFD", distance: "40 cm" },
      ...{ corrected: "yes", administeredBy: "Ann", revokedOn: "2026-05-02", revokedReason: "Left" },
    },
  },
};

/*
 * A field that is in the schema of a kind alone was dropped when the record was saved, without a word. To add a field, add it
 * to the schema, to `fields` and to `shown` of its kind, and here.
 */
test.each(KINDS)("every field of the schema of $name is stored, shown, exported, and comes back", async (kind) => {
  const { record, other } = FULL[kind.name] ?? { record: {}, other: {} };
  const { properties = {} } = z.toJSONSchema(kind.schema, { io: "input", unrepresentable: "any" });
  const names = kind.fields.map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.keys(properties).toSorted());
  const details = Object.fromEntries(
    kind.details.map(({ name, label, choices }) => [name, choices?.at(-1) ?? `Some ${label}`]),
  );
  const sent = { ...record, ...(kind.details.length > 0 && { details }) };
  expect(Object.keys(sent).toSorted()).toEqual(names.toSorted());

  const shownOf = (values: object) =>
    JSON.stringify([shownValues(kind, values as ShownRecord), shownDetails(kind.details, { ...details })]);
  expect(Object.keys(other).toSorted()).toEqual(names.filter((name) => name !== "details").toSorted());
  for (const [name, value] of Object.entries(other)) {
    expect([name, shownOf({ ...sent, [name]: value })]).not.toEqual([name, shownOf(sent)]);
  }

  const [kari, ola] = [await app.register(), await app.register()];
  const path = `/api/${kind.listName.replace("_", "-")}`;
  expect((await kari.json("POST", path, sent)).status).toBe(201);
  const [saved] = (await kari.get(path)).json<{ id: number }[]>();
  const page = await kari.get(`${kind.path}/record/${saved?.id}/edit`);
  const inputs = new Set(formIn(page.text, `${kind.path}/record/${saved?.id}/edit`).values({}).keys());
  // Whether hours are brought forward cannot be changed by the form.
  const edited = names.filter((name) => name !== "broughtForward" && name !== "details");
  for (const name of [...edited, ...Object.keys(details).map((name) => `details.${name}`)]) {
    expect([name, inputs.has(name)]).toEqual([name, true]);
  }
  const file = (await kari.get(`/api/export.csv?kind=${kind.listName}`)).text;
  const view = await upload(ola, file, kind.listName);
  expect(view.errors).toEqual([]);
  await ola.json("POST", `/api/imports/${view.id}/apply`);
  for (const technician of [kari, ola]) expect((await technician.get(path)).json()).toMatchObject([sent]);
  expect((await ola.get(`/api/export.csv?kind=${kind.listName}`)).text).toBe(file);
});

// `npm run safe` tries a thousand.
test("export, import and export give the same file, for three random logs", async () => {
  await checkRoundTrips(app, 3);
});

test("GET /api/export.json has everything that is the user's own, with the facts of the audit log", async () => {
  const [kari, ola] = [await app.register({ name: "Kari Nordmann" }), await app.register()];
  await ola.addVerifiedEntry({ location: "Elsewhere" });
  const { entry, token } = await kari.addVerifiedEntry();
  await kari.addRopeHours();
  const deleted = await kari.addEntry();
  await kari.requestVerification(deleted.id);
  await kari.json("DELETE", `/api/entries/${deleted.id}`);
  await kari.json("POST", "/api/targets", { preset: "iso-9712-level-1-ut" });
  await kari.json("POST", "/api/exports", { form: "ojt" });
  const made = (await kari.json("POST", "/api/tokens", { name: "Payroll", access: "read" })).json<{ token: string }>();
  await app.idle();
  const answer = await kari.get("/api/export.json");
  expect(answer.headers.get("Content-Disposition")).toMatch(/^attachment; filename="hours-tracker-[\d-]+\.json"$/);
  const all = answer.json<Record<string, { [field: string]: unknown }[]>>();
  expect(all.account).toEqual((await kari.get("/api/user")).json());
  expect(all.entries?.map(({ id }) => id)).toEqual([entry.id]);
  expect(all.ropeHours).toHaveLength(1);
  expect(all.supervisors).toHaveLength(2);
  expect(all.requests?.map(({ verificationToken }) => verificationToken)).toContain(token);
  const events = all.auditLog ?? [];
  expect(events.map(({ recordId }) => recordId)).toContain(deleted.id);
  expect(events.find(({ event }) => event === "verified")).toMatchObject({ facts: { name: "Ola Hansen" } });
  for (const part of ["targets", "exports", "tokens"]) {
    expect(all[part]).toEqual((await kari.get(`/api/${part}`)).json());
    expect(all[part]).toHaveLength(1);
  }
  for (const text of ["Elsewhere", "scrypt", made.token]) expect(answer.text).not.toContain(text);
  // All of 1,001 closed exports too.
  await app.db
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)
        INSERT INTO exports (user_id, form, code_hash, made_at, records, hundredths, closed_at)
        SELECT ?, 'ojt', lower(hex(randomblob(32))), 1, 1, 100, 2 FROM n`,
    )
    .bind(kari.user.id)
    .run();
  const { exports } = (await kari.get("/api/export.json")).json<{ exports: { id: number }[] }>();
  expect([exports.length, new Set(exports.map(({ id }) => id)).size]).toEqual([1_002, 1_002]);
  // An event outlives its record; of what kind it was is then known no more.
  const typesOf = (list: typeof events) =>
    list.filter(({ recordId }) => recordId === deleted.id).map(({ type }) => type);
  expect(typesOf(events)).toEqual(["entry", "entry"]);
  await app.db.prepare("DELETE FROM records WHERE id = ?").bind(deleted.id).run();
  const later = (await kari.get("/api/export.json")).json<{ auditLog: typeof events }>();
  expect(typesOf(later.auditLog)).toEqual([null, null]);
});

describe("GET /api/admin/export.csv", () => {
  test("has the list that the admin sees: its tab, its search and its user", async () => {
    const admin = await app.register({ isAdmin: true });
    const kari = await app.register({ name: "=Kari", email: "kari-csv@example.com", employeeNumber: null });
    await app.db.prepare("UPDATE users SET search = 'kari-csv' WHERE id = ?").bind(kari.user.id).run();
    await kari.addEntries([anEntry({ location: "Sleipner A" }), anEntry({ location: "Troll" })]);
    const listed = async (query: string) => linesOf((await admin.get(`/api/admin/export.csv?${query}`)).text);
    expect(await listed("search=kari-csv")).toEqual([
      "Name,Email,Employee Number,Registered,Role",
      expect.stringMatching(/^'=Kari,kari-csv@example\.com,,\d{4}-[^,]+Z,$/),
    ]);
    expect(await listed("tab=entries&search=sleipner")).toEqual([
      "Technician,Email,Job Date,Job Location,NDT Method,Hours,Remark,Status,Verified by,Verified at",
      "'=Kari,kari-csv@example.com,2026-11-20,Sleipner A,MT,7.5,,pending,,",
    ]);
    expect(await listed(`tab=entries&user=${kari.user.id}`)).toHaveLength(3);
    const page = await admin.get("/admin?tab=entries&search=sleipner");
    expect(page.text).toContain('href="/api/admin/export.csv?tab=entries&amp;search=sleipner"');
  });

  test("of rope hours is no list of users, and an unknown value is 400, never another list", async () => {
    const admin = await app.register({ isAdmin: true });
    const [header] = await admin.get("/api/admin/export.csv?tab=rope-hours").then(({ text }) => linesOf(text));
    expect(header).toMatch(/^Technician,Email,Period,Location,/);
    const [same] = await admin.get("/api/admin/export.csv?tab=rope_hour").then(({ text }) => linesOf(text));
    expect(same).toBe(header);
    const export_ = "/api/admin/export.csv";
    const progress = "/api/admin/progress.csv";
    for (const [address, message] of [
      [`${export_}?tab=rope`, "tab must be one of users, entry, rope_hour, training, certificate"],
      [`${export_}?tab=`, "tab must be one of users, entry, rope_hour, training, certificate"],
      [`${export_}?tab=entries&user=kari`, "user must be a whole number from 1"],
      [`${export_}?search=${"x".repeat(201)}`, "search has at most 200 characters"],
      [`${progress}?preset=iso`, "There is no such preset"],
      [
        `${progress}?sort=hours`,
        "sort must be name, verified, waiting, last, or item-0 for the first figure of the preset",
      ],
      [`${progress}?sort=item-0`, /^sort must be name/],
      [`${progress}?order=up`, "order must be asc or desc"],
      [`${progress}?page=0`, "page must be a whole number from 1"],
      [`${progress}?page=10001`, "page must be at most 10000"],
    ] as const) {
      const answer = await admin.get(address);
      expect([address, answer.status]).toEqual([address, 400]);
      expect(answer.json<{ message: string }>().message).toMatch(message);
    }
  });

  test("is refused to a technician, also with an unknown list", async () => {
    const kari = await app.register();
    expect((await kari.get("/api/admin/export.csv?tab=entries")).status).toBe(403);
    expect((await kari.get("/api/admin/export.csv?tab=rope")).status).toBe(403);
  });
});

test("the exports are offered on the account page, and before the account is deleted", async () => {
  const kari = await app.register();
  for (const path of ["/account", "/account/delete"]) {
    const { text } = await kari.get(path);
    for (const href of ["/api/export.csv?kind=entries", "/api/export.csv?kind=rope_hours", "/api/export.json"]) {
      expect(text).toContain(`href="${href}"`);
    }
  }
});
