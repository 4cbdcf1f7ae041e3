import { hashPassword } from "#app/accounts/password.server.ts";
import { searchText } from "#app/db/search-text.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { requestsOfLinks } from "#demo/requests-of-links.ts";
import { DEMO_COMPANY, DEMO_TECHNICIAN } from "./people.ts";
import { insertRows, type Statement } from "./statements.ts";
import { workWeeks } from "./work-weeks.ts";

/** How many entries the technicians have: a million together. Each number is a multiple of `BLOCK`. */
export const LARGE_LOGS = [100_000, 10_000, ...Array<number>(890).fill(1_000)];

/** The entries that are generated once; the database copies them for every technician, and for longer logs repeatedly. */
const BLOCK = 1_000;

/** Copies of the block are this many days apart, at most this many times; further copies are on the same days. */
const BLOCK_DAYS = 1_400;
const BLOCKS_IN_A_ROW = 10;

/** How many rows one transaction inserts, if it is not for one technician alone. */
const ROWS_AT_A_TIME = 20_000;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The email address of a technician of the large data, by the index in `LARGE_LOGS`. */
export function largeEmail(index: number): string {
  return `large-${index + 1}@example.com`;
}

/**
 * Adds technicians with as many entries as `logs` says, and the demo technician's password. Each group of them is one
 * transaction, and those that exist already are left alone, so after an interruption the rest can be added. Returns the
 * number of entries that were added.
 */
export async function fillLarge(database: D1Database, logs = LARGE_LOGS, now = new Date()): Promise<number> {
  const known = await database.prepare("SELECT email FROM users WHERE email GLOB 'large-*'").all<{ email: string }>();
  const emails = new Set(known.results.map(({ email }) => email));
  const technicians = logs.map((count, index) => ({ index, count, email: largeEmail(index) }));
  const missing = technicians.filter(({ email }) => !emails.has(email));
  if (missing.length === 0) return 0;

  const password = await hashPassword(DEMO_TECHNICIAN.password);
  const began = await database.prepare("SELECT min(at) AS at FROM verification_log").first<{ at: number | null }>();
  const template = JSON.stringify(templateOf(now));
  const lastVerified = Math.min(began?.at ?? now.getTime(), now.getTime()) - 10 * DAY_MS;
  let added = 0;
  for (const group of groupsOf(missing)) {
    const statements = [
      insertRows(
        "users",
        group.map(({ index, email }) => userOf(index, email, password, now)),
      ),
      entriesOf(group, template, lastVerified),
      ...requestsOfLinks(now.getTime()).map((sql) => ({ sql, values: [] })),
    ];
    await database.batch(statements.map(({ sql, values }) => database.prepare(sql).bind(...values)));
    added += group.reduce((sum, { count }) => sum + count, 0);
  }
  return added;
}

interface Technician {
  index: number;
  count: number;
  email: string;
}

function groupsOf(list: Technician[]): Technician[][] {
  const groups: Technician[][] = [];
  let room = 0;
  for (const technician of list) {
    if (technician.count > room) {
      groups.push([]);
      room = ROWS_AT_A_TIME;
    }
    groups.at(-1)?.push(technician);
    room -= technician.count;
  }
  return groups;
}

function userOf(index: number, email: string, password: string, now: Date): Record<string, string | number | null> {
  const name = DEMO_COMPANY[index % DEMO_COMPANY.length]?.name ?? null;
  const employeeNumber = `L-${index + 1}`;
  return {
    email,
    password,
    name,
    employee_number: employeeNumber,
    search: searchText(name, email, employeeNumber),
    created_at: now.getTime(),
  };
}

/** The block of entries, as the database copies them: the oldest first, as people log them. */
function templateOf(now: Date) {
  const days = workWeeks(BLOCK, BLOCK).reverse();
  return days.map(({ daysBefore, location, method, hours, verifier, isVerified }) => {
    const date = new Date(now.getTime() - (daysBefore + 1) * DAY_MS).toISOString().slice(0, 10);
    const search = entryKind.search({ date, location, method, hours });
    return { date, location, method, hours, verifier, isVerified, search, verifierSearch: searchText(verifier) };
  });
}

/**
 * The statement that copies the block. SQLite has no SHA-256 for an audit log, so an entry is verified only if that can have
 * been before the log began: `npm run verify-log` knows such entries as older. A quarter of the others is requested.
 */
function entriesOf(group: Technician[], template: string, lastVerified: number): Statement {
  const logs = JSON.stringify(group.map(({ email, count }) => ({ email, copies: Math.ceil(count / BLOCK) })));
  return {
    sql: `WITH RECURSIVE
      copies (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM copies WHERE n < ${Math.max(...LARGE_LOGS) / BLOCK - 1}),
      work AS MATERIALIZED (
        SELECT value ->> 'date' AS date, value ->> 'location' AS location, value ->> 'method' AS method,
          value ->> 'hours' AS hours, value ->> 'verifier' AS verifier, value ->> 'isVerified' AS is_verified,
          value ->> 'search' AS search, value ->> 'verifierSearch' AS verifier_search, key % 4 = 0 AS is_requested
        FROM json_each(?)),
      copied AS (
        SELECT users.id AS user_id, work.*,
          date(work.date, -(copies.n % ${BLOCKS_IN_A_ROW} * ${BLOCK_DAYS}) || ' days') AS day
        FROM json_each(?) AS log CROSS JOIN users CROSS JOIN copies CROSS JOIN work
        WHERE users.email = log.value ->> 'email' AND copies.n < log.value ->> 'copies'),
      dated AS (
        SELECT *, unixepoch(day) * 1000 AS at, is_verified AND unixepoch(day) * 1000 < ? AS verified FROM copied)
    INSERT INTO entries (user_id, date, location, method, hours, verified, verified_by, verified_at, verification_token,
      search, created_at)
    SELECT user_id, day, location, method, hours, verified, iif(verified, verifier, NULL),
      iif(verified, at + 3 * ${DAY_MS}, NULL),
      iif(NOT verified AND is_requested, lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' ||
        substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), NULL),
      iif(verified, search || char(10) || verifier_search, search), at
    FROM dated`,
    values: [template, logs, lastVerified],
  };
}
