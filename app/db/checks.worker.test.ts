import { expect, test } from "vitest";
import { AppError } from "#app/errors.ts";
import { records } from "#app/records/records.table.ts";
import { count, rows, startDatabase } from "#tests/worker/database.ts";
import {
  entryRow,
  insert,
  type Row,
  requestRow,
  ropeHoursRow,
  sessionRow,
  supervisorRow,
  tokenNumber,
  userRow,
  VERIFIED,
} from "#tests/worker/rows.ts";
import { batch, connect, noteViewer } from "./client.server.ts";

/* The database rejects invalid rows even if the code above it does not. Catches a missing CHECK. */

const db = await startDatabase();
await insert(db, "users", userRow({ id: 1 }));

const LONG = "x".repeat(201);
const record: Row[] = [
  { user_id: 999 },
  { user_id: null },
  { kind: "holiday" },
  { kind: null },
  { location: "" },
  { location: LONG },
  { location: null },
  { hours: 10_000_001 },
  { hours: 7.5 },
  { hours: "abc" },
  { hours: null },
  { fields: "skills" },
  { fields: "[]" },
  { fields: null },
  { brought_forward: 2 },
  { brought_forward: null },
  { verified: 2 },
  { verified: 1 },
  { verified: null },
  { verified: 1, verified_by: "Ola" },
  { verified: 1, verified_at: 1 },
  { verified: 0, verified_by: "Ola" },
  { verified: 0, verified_at: 1 },
  { verified: 0, verified_via: "link" },
  { ...VERIFIED, verified_by: "" },
  { ...VERIFIED, verified_by: LONG },
  { ...VERIFIED, verified_via: "post" },
  { ...VERIFIED, verified_via: null },
  { ...VERIFIED, requested_at: 1 },
  { ...VERIFIED, declined_at: 1 },
  { ...VERIFIED, deleted_at: 1 },
  { deleted_by_admin: 1 },
  { deleted_at: 1, requested_at: 1 },
  { created_at: null },
  { created_at: "yesterday" },
  { search: null },
];
const skills = (text: string) => JSON.stringify({ skills: text });
const dates = (column: string): Row[] =>
  ["2026-02-30", "2025-02-29", "2026-13-01", "26-11-20", "2026-11-20 ", "2026-11-20T10", "now", "", null].map(
    (date) => ({
      [column]: date,
    }),
  );

const CHECKS: [table: string, valid: (over?: Row) => Row, refused: Row[]][] = [
  [
    "users",
    (over) => userRow({ email: "other@example.com", ...over }),
    [
      { email: "kari@example.com" },
      { email: "Other@example.com" },
      { email: " other@example.com" },
      { email: "ab" },
      { email: `${"x".repeat(255)}` },
      { email: null },
      { password: "in the clear" },
      { password: null },
      { name: "K" },
      { name: LONG },
      { employee_number: "" },
      { employee_number: LONG },
      { is_admin: 2 },
      { is_admin: "yes" },
      { is_admin: null },
      { reset_token: "x" },
      { reset_token_expiry: 1 },
      { search: null },
      { created_at: null },
    ],
  ],
  [
    "sessions",
    sessionRow,
    [{ id: "short" }, { id: null }, { user_id: 999 }, { expires_at: 0 }, { expires_at: null }, { created_at: null }],
  ],
  [
    "supervisors",
    supervisorRow,
    [
      { user_id: 999 },
      { name: "" },
      { name: LONG },
      { email: "OLA@example.org" },
      { email: "" },
      { mailbox: "" },
      { mailbox: null },
      { phone: "" },
      { phone: LONG },
      { certification_level: "Level IV" },
      { certification_level: null },
      { company: "" },
      { company: LONG },
    ],
  ],
  [
    "records",
    entryRow,
    [
      ...record,
      ...dates("date"),
      ...[{ hours: 9 }, { hours: 0 }, { hours: -1 }, { method: "XX" }, { method: null }, { end_date: "2026-11-21" }],
    ],
  ],
  [
    "records",
    ropeHoursRow,
    [
      ...record,
      ...dates("date"),
      ...dates("end_date"),
      ...[{ end_date: "2026-11-18" }, { hours: -1 }, { method: "MT" }],
      ...[{ brought_forward: 1 }, { fields: "{}" }, { fields: skills("") }, { fields: skills("x".repeat(2001)) }],
    ],
  ],
];

for (const [table, valid, refused] of CHECKS) {
  test(`${valid().kind ?? table} accepts a valid row and rejects each invalid one`, async () => {
    for (const over of refused) {
      const before = await count(db, table);
      await expect([over, await insert(db, table, valid(over)).catch(() => "refused")]).toEqual([over, "refused"]);
      expect(await count(db, table)).toBe(before);
    }
    await insert(db, table, valid());
    // An UPDATE to an invalid row is rejected like its INSERT.
    for (const [column, value] of refused.filter((over) => Object.keys(over).length === 1).flatMap(Object.entries)) {
      if (column === "id") continue;
      const kind = valid().kind;
      const where = table === "users" ? "email = 'other@example.com'" : kind ? `kind = '${kind}'` : "true";
      const change = db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).bind(value).run();
      expect([column, value, await change.catch(() => "refused")]).toEqual([column, value, "refused"]);
    }
  });
}

test("boundary values are accepted", async () => {
  await insert(db, "records", entryRow({ hours: 10, date: "9999-12-31", location: "😀".repeat(200) }));
  await insert(db, "records", entryRow({ hours: 10_000_000, date: "2024-02-29" }));
  await insert(db, "records", ropeHoursRow({ hours: 0, fields: skills("x".repeat(2000)) }));
  await insert(db, "users", userRow({ email: "a@example.com", name: "😀😀", employee_number: null }));
});

test("a token belongs to one request, and a record has one own request", async () => {
  const record = await insert(db, "records", entryRow());
  const other = await insert(db, "records", ropeHoursRow());
  const own = { token: tokenNumber(81), own_record_id: record };
  await insert(db, "verification_requests", requestRow(own));
  for (const over of [
    { ...own, own_record_id: other },
    { ...own, token: tokenNumber(82) },
  ]) {
    await expect(insert(db, "verification_requests", requestRow(over))).rejects.toThrow(/UNIQUE/);
  }
});

test("the views have the columns of the specification, with hours in hours, and leave out what its owner deleted", async () => {
  await db.prepare("DELETE FROM records").run();
  const entry = await insert(db, "records", entryRow());
  const rope = await insert(db, "records", ropeHoursRow());
  await insert(db, "records", entryRow({ deleted_at: 1 }));
  const [common] = await rows(db, "SELECT id, date, location, method, hours, verified FROM entries");
  expect(common).toEqual({
    id: entry,
    date: "2026-11-20",
    location: "Mongstad",
    method: "MT",
    hours: 7.5,
    verified: 0,
  });
  expect(await rows(db, "SELECT id, start_date, end_date, skills, hours FROM rope_hours")).toEqual([
    { id: rope, start_date: "2026-11-19", end_date: "2026-11-20", skills: "Rescue", hours: 7.5 },
  ]);
  expect(await count(db, "entries")).toBe(1);
});

// Catches a 401 whatever the foreign key refers to.
test("a batch that a foreign key refuses says to sign in only to a user whose account is gone", async () => {
  const orm = connect(db);
  const refusal = (row: Partial<typeof records.$inferInsert>) =>
    batch(orm, {
      made: orm.insert(records).values({
        ...{ userId: 1, kind: "entry", date: "2026-11-20", location: "Rig", method: "MT", hours: 1, search: "" },
        ...{ createdAt: new Date(), ...row },
      }),
    }).then(
      () => null,
      (error) => error instanceof AppError && error.code,
    );
  expect([await refusal({ kind: "holiday" }), await refusal({ userId: 999 })]).toEqual(["conflict", "conflict"]);
  noteViewer(orm, { id: 1 });
  expect(await refusal({ kind: "holiday" })).toBe("conflict");
  noteViewer(orm, { id: 999 });
  expect(await refusal({ userId: 999 })).toBe("unauthorized");
});
