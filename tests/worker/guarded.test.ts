import { expect, test } from "vitest";
// @ts-expect-error: the harness is JavaScript, which workerd runs as it is
import { requireGuard } from "./guarded.js";

/* The rule by which the harness refuses a batch without the guard. Seen: each of the first list passed. */

const check = (sql: string, values: unknown[] = []) => requireGuard([{ sql, values }]);

test.each([
  "DELETE FROM users WHERE id = 1",
  'update "users" set "revision" = 1, "email_confirmed_at" = ? where id = ?',
  'update "users" set "reset_token" = ?, "reset_mailed" = ? where id = ?',
  'insert or replace into "supervisors" ("id") values (?)',
  "REPLACE INTO supervisors VALUES (1)",
  "WITH spellings (email) AS MATERIALIZED (SELECT 1) DELETE FROM event_facts WHERE hash IN (SELECT 2)",
  "WITH one AS (SELECT 1), two AS (SELECT 2)\n UPDATE export_records SET domain = NULL WHERE true",
  'insert into "earlier_addresses" ("user_id") values (?)',
  'update "verification_requests" set "opened_at" = coalesce(opened_at, ?), "ended_at" = ? where id = ?',
])("without the guard the harness refuses %s", (sql) => {
  expect(() => check(sql)).toThrow("without the guard before it");
  const guard = { sql: 'insert into "acts" select value from json_each(?)', values: ["[[1,0,0,null]]"] };
  expect(() => requireGuard([guard, { sql, values: [] }])).not.toThrow();
  expect(() =>
    requireGuard([
      { ...guard, values: ["[]"] },
      { sql, values: [] },
    ]),
  ).toThrow("without the guard before it");
});

test.each([
  'select "id" from "users"',
  "WITH one AS (SELECT 1) SELECT * FROM one",
  'insert into "records" ("id") values (?)',
  "UPDATE users SET reset_token = NULL, reset_token_expiry = NULL WHERE id IN (SELECT 1)",
  'update "verification_requests" set "opened_at" = coalesce(opened_at, ?), "supervisor_time_zone" = ? where id = ?',
  'update "verification_requests" set "reminded" = reminded + 1, "remind_at" = CASE reminded WHEN ? THEN ? END where id = ?',
])("the harness lets %s pass", (sql) => {
  expect(() => check(sql)).not.toThrow();
});

test("the harness lets a new link that confirms an address pass without the guard, and refuses one that changes it", () => {
  const link = 'insert into "account_links" select "id", ? from users';
  expect(() => check(link, ["confirmation"])).not.toThrow();
  expect(() => check(link, ["change"])).toThrow("without the guard before it");
});

test("the harness refuses a statement that it cannot read", () => {
  expect(() => check("DROP TABLE users")).toThrow("cannot read");
});
