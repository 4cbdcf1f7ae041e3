import { expect, test } from "vitest";
import { count, startDatabase } from "#tests/worker/database.ts";
import {
  entryRow,
  insert,
  type Row,
  ropeHoursRow,
  sessionRow,
  supervisorRow,
  tokenNumber,
  userRow,
  VERIFIED,
} from "#tests/worker/rows.ts";

/* The database rejects invalid rows even if the code above it does not. Catches a missing CHECK. */

const db = await startDatabase();
await insert(db, "users", userRow({ id: 1 }));

const LONG = "x".repeat(201);
const record: Row[] = [
  { user_id: 999 },
  { user_id: null },
  { location: "" },
  { location: LONG },
  { location: null },
  { hours: 100_000.01 },
  { hours: "abc" },
  { hours: null },
  { verified: 2 },
  { verified: 1 },
  { verified: null },
  { verified: 1, verified_by: "Ola" },
  { verified: 1, verified_at: 1 },
  { verified: 0, verified_by: "Ola" },
  { verified: 0, verified_at: 1 },
  { ...VERIFIED, verified_by: "" },
  { ...VERIFIED, verified_by: LONG },
  { verification_token: "short" },
  { created_at: null },
  { created_at: "yesterday" },
  { search: null },
];
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
      { phone: "" },
      { phone: LONG },
      { certification_level: "Level IV" },
      { certification_level: null },
      { company: "" },
      { company: LONG },
    ],
  ],
  [
    "entries",
    entryRow,
    [...record, ...dates("date"), { hours: 0.09 }, { hours: 0 }, { hours: -1 }, { method: "XX" }, { method: null }],
  ],
  [
    "rope_hours",
    ropeHoursRow,
    [
      ...record,
      ...dates("start_date"),
      ...dates("end_date"),
      { end_date: "2026-11-19" },
      { end_date: "2026-11-18" },
      { hours: -0.01 },
      { skills: "" },
      { skills: "x".repeat(2001) },
    ],
  ],
];

for (const [table, valid, refused] of CHECKS) {
  test(`${table} accepts a valid row and rejects each invalid one`, async () => {
    for (const over of refused) {
      const before = await count(db, table);
      await expect([over, await insert(db, table, valid(over)).catch(() => "refused")]).toEqual([over, "refused"]);
      expect(await count(db, table)).toBe(before);
    }
    await insert(db, table, valid());
    // An UPDATE to an invalid row is rejected like its INSERT.
    for (const [column, value] of refused.filter((over) => Object.keys(over).length === 1).flatMap(Object.entries)) {
      if (column === "id") continue;
      const where = table === "users" ? "email = 'other@example.com'" : "true";
      const change = db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).bind(value).run();
      expect([column, value, await change.catch(() => "refused")]).toEqual([column, value, "refused"]);
    }
  });
}

test("boundary values are accepted", async () => {
  await insert(db, "entries", entryRow({ hours: 0.1, date: "9999-12-31", location: "😀".repeat(200) }));
  await insert(db, "entries", entryRow({ hours: 100_000, date: "2024-02-29" }));
  await insert(db, "rope_hours", ropeHoursRow({ hours: 0, skills: "x".repeat(2000) }));
  await insert(db, "users", userRow({ email: "a@example.com", name: "😀😀", employee_number: null }));
});

test("a token belongs to one record of its kind", async () => {
  for (const [table, row] of [
    ["entries", entryRow],
    ["rope_hours", ropeHoursRow],
  ] as const) {
    await insert(db, table, row({ verification_token: tokenNumber(1) }));
    await expect(insert(db, table, row({ verification_token: tokenNumber(1) }))).rejects.toThrow(/UNIQUE/);
  }
});
