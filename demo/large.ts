import { sql } from "drizzle-orm";
import { hashPassword } from "#app/accounts/password.server.ts";
import { appendEvents } from "#app/audit-log/log.server.ts";
import { batch, connect, type Db } from "#app/db/client.server.ts";
import { searchText } from "#app/plain-text.ts";
import { recordFromRow, selectAnyRecords } from "#app/records/any-record.server.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { toHundredths } from "#app/records/hours.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { records } from "#app/records/records.table.ts";
import { verificationAnswers, verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import { ownRequests } from "#demo/own-requests.ts";
import { DEMO_COMPANY, DEMO_TECHNICIAN } from "./people.ts";
import { insertRows, type Statement } from "./statements.ts";
import { VERIFIERS, workWeeks } from "./work-weeks.ts";

/** How many entries the technicians have: a million together. Each number is a multiple of `BLOCK`. */
export const LARGE_LOGS = [100_000, 10_000, ...Array<number>(890).fill(1_000)];

/** The entries that are generated once; the database copies them for every technician, and for longer logs repeatedly. */
const BLOCK = 1_000;

/** Copies of the block are this many days apart, at most this many times; further copies are on the same days. */
const BLOCK_DAYS = 1_400;
const BLOCKS_IN_A_ROW = 10;

/** How many rows one transaction inserts, if it is not for one technician alone. */
const ROWS_AT_A_TIME = 20_000;

/** How many entries one transaction verifies: a bound value has at most 2 MB. */
const VERIFIED_AT_A_TIME = 2_500;

/** The submission of entries that are to be verified. */
const UNFINISHED = "large";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The email address of a technician of the large data, by the index in `LARGE_LOGS`. */
export function largeEmail(index: number): string {
  return `large-${index + 1}@example.com`;
}

/**
 * Adds technicians with as many entries as `logs` says, and the demo technician's password, and verifies what is to be
 * verified, all at `now`: events of before would look back-dated. Each group of them is one transaction, and those that exist already are left alone, so after an interruption
 * the rest can be added. Returns the number of entries that were added.
 */
export async function fillLarge(database: D1Database, logs = LARGE_LOGS, now = new Date()): Promise<number> {
  const known = await database.prepare("SELECT email FROM users WHERE email GLOB 'large-*'").all<{ email: string }>();
  const emails = new Set(known.results.map(({ email }) => email));
  const technicians = logs.map((count, index) => ({ index, count, email: largeEmail(index) }));
  const missing = technicians.filter(({ email }) => !emails.has(email));
  const password =
    missing.length > 0 ? await hashPassword({ whose: DEMO_TECHNICIAN.email }, DEMO_TECHNICIAN.password) : "";
  const template = JSON.stringify(templateOf(now));
  let added = 0;
  for (const group of groupsOf(missing)) {
    const statements = [
      insertRows(
        "users",
        group.map(({ index, email }) => userOf(index, email, password, now)),
      ),
      entriesOf(group, template, now.getTime() - 10 * DAY_MS),
      ...ownRequests(requestedOf(group), now.getTime()).map((sql) => ({ sql, values: [] })),
    ];
    await database.batch(statements.map(({ sql, values }) => database.prepare(sql).bind(...values)));
    added += group.reduce((sum, { count }) => sum + count, 0);
  }
  await verifyUnfinished(connect(database), now);
  return added;
}

/** Verifies the entries that are to be verified, each with an event in its log: SQLite has no SHA-256. */
async function verifyUnfinished(db: Db, now: Date): Promise<void> {
  const owners = await db.selectDistinct({ id: records.userId }).from(records).where(sql`submission = ${UNFINISHED}`);
  for (const { id: userId } of owners) {
    let found: number;
    do {
      const rows = await selectAnyRecords(db, sql`user_id = ${userId} AND submission = ${UNFINISHED}`).limit(
        VERIFIED_AT_A_TIME,
      );
      found = rows.length;
      if (found > 0) await verify(db, userId, rows, now);
    } while (found === VERIFIED_AT_A_TIME);
  }
}

/** Verifies records, as items of one request. */
async function verify(db: Db, userId: number, rows: Parameters<typeof recordFromRow>[0][], at: Date): Promise<void> {
  const verified = rows.map((row) => {
    const { kind, record } = recordFromRow(row);
    const name = VERIFIERS[record.id % VERIFIERS.length] ?? "";
    return { id: record.id, name, search: searchText(name), recordHash: recordHash(kind, record) };
  });
  const list = JSON.stringify(verified);
  const of = (name: string) => sql.raw(`(json_each.value ->> '${name}')`);
  const token = crypto.randomUUID();
  const [first, end] = [new Date(at.getTime() - 2 * DAY_MS), at.getTime()];
  await batch(db, {
    request: db.insert(verificationRequests).values({
      userId,
      token,
      createdAt: first,
      requestedAt: first,
      expiresAt: new Date(end + DAY_MS),
      endedAt: new Date(end),
    }),
    // One answer of all, as of supervisors who were erased: it has no name.
    answer: db
      .insert(verificationAnswers)
      .select(sql`SELECT NULL, id, NULL, 'link', ${end}, NULL, 0 FROM verification_requests WHERE token = ${token}`),
    items: db.insert(verificationItems).select(
      sql`SELECT answer.request_id, json_each.value ->> 'id', json_each.key, 'verified', NULL, NULL,
        ${end}, 0, answer.id FROM verification_answers AS answer, json_each(${list}) WHERE answer.request_id =
        (SELECT id FROM verification_requests WHERE token = ${token})`,
    ),
    ...appendEvents(
      db,
      verified.map(({ id, name, recordHash }) => ({
        position: { id, userId, last: undefined },
        event: { event: "verified", at, via: "link", name, recordHash },
      })),
    ),
    records: db
      .update(records)
      .set({
        ...{
          verified: true,
          verifiedVia: "link",
          submission: null,
          search: sql`search || char(10) || ${of("search")}`,
        },
        verifiedBy: sql`${of("name")}`,
        verifiedAt: at,
      })
      .from(sql`json_each(${list})`)
      .where(sql`${records.id} = ${of("id")}`),
  });
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
  return days.map(({ daysBefore, location, method, hours, isVerified }) => {
    const date = new Date(now.getTime() - (daysBefore + 1) * DAY_MS).toISOString().slice(0, 10);
    const search = entryKind.search({ date, location, method, hours, details: {} });
    return { date, location, method, hours: toHundredths(hours), isVerified, search };
  });
}

/** SQL that selects the entries of these technicians that are requested, with random tokens: a quarter of the unverified. */
function requestedOf(group: Technician[]): string {
  return `SELECT record_id, lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' ||
      substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))) AS token
    FROM (SELECT records.id AS record_id, row_number() OVER (ORDER BY records.id) AS place
      FROM json_each('${JSON.stringify(group.map(({ email }) => email))}')
      JOIN users ON users.email = json_each.value JOIN records ON records.user_id = users.id
      WHERE records.submission IS NULL)
    WHERE place % 4 = 0`;
}

/** The statement that copies the block. Entries of before `lastVerified` are to be verified, but for some. */
function entriesOf(group: Technician[], template: string, lastVerified: number): Statement {
  const logs = JSON.stringify(group.map(({ email, count }) => ({ email, copies: Math.ceil(count / BLOCK) })));
  return {
    sql: `WITH RECURSIVE
      copies (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM copies WHERE n < ${Math.max(...LARGE_LOGS) / BLOCK - 1}),
      work AS MATERIALIZED (
        SELECT value ->> 'date' AS date, value ->> 'location' AS location, value ->> 'method' AS method,
          value ->> 'hours' AS hours, value ->> 'isVerified' AS is_verified, value ->> 'search' AS search
        FROM json_each(?)),
      copied AS (
        SELECT users.id AS user_id, work.*,
          date(work.date, -(copies.n % ${BLOCKS_IN_A_ROW} * ${BLOCK_DAYS}) || ' days') AS day
        FROM json_each(?) AS log CROSS JOIN users CROSS JOIN copies CROSS JOIN work
        WHERE users.email = log.value ->> 'email' AND copies.n < log.value ->> 'copies'),
      dated AS (
        SELECT *, unixepoch(day) * 1000 AS at, is_verified AND unixepoch(day) * 1000 < ? AS is_old FROM copied)
    INSERT INTO records (user_id, kind, date, location, method, hours, submission, search, created_at)
    SELECT user_id, 'entry', day, location, method, hours, iif(is_old, '${UNFINISHED}', NULL), search, at
    FROM dated`,
    values: [template, logs, lastVerified],
  };
}
