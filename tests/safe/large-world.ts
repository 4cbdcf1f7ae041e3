import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAX_BODY_BYTES } from "#app/server/body.server.ts";
import { type NoticeUse, noticeToken } from "#app/supervisor-mail/notice.server.ts";
import { borrowDatabase } from "#scripts/lib/holder.ts";
import { npmStart, workerdOf } from "#tests/self-host/npm-start.ts";
import { cookieOf, visit } from "#tests/self-host/start.ts";
import { fillWithTexts, type LargestIds, LETTERS, largestRecords, largestSheet } from "./largest-texts.ts";

/** `npm start` with the largest accounts there may be beside a usual one and an admin. */
export interface LargeWorld {
  url: string;
  /** The process of workerd, which answers all requests. */
  workerd: number;
  supervisorId: number;
  /**
   * The rows of the two accounts that are the largest by bytes, their largest records as a call sends them, and a sheet
   * of them.
   */
  texts: Record<"bytes" | "escaped", LargestIds & { records: ReturnType<typeof largestRecords>; sheet: string }>;
  /** Returns the ids of that many unrequested records of the large account, others at each call. */
  pending(count: number): number[];
  /** The token of a link of a notice of 1,500 records, the next of six that is not answered yet; `isUsed` if it will be. */
  notice(use: NoticeUse, isUsed: boolean): string;
  /** The token of the link of one of `texts`' notices. */
  noticeToken(use: NoticeUse, notice: { id: number; nonce: string }): string;
  /** Removes the deleted records of an import, as the timer does after 24 hours: until then they count. */
  removeDeleted(): Promise<void>;
  /** Sends a request and reads its answer. It throws if the answer is none of the statuses. */
  send(sent: Sent, statuses?: number[]): Promise<Received>;
  stop(): Promise<void>;
}

/** A request. `as` is whose session it has. */
export interface Sent {
  as: "large" | "bytes" | "escaped" | "importing" | "scattered" | "other" | "admin" | null;
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** Restores the account after it. */
  after?: () => Promise<unknown>;
}

export interface Received {
  status: number;
  text: string;
  headers: Headers;
}

/** How many records of each kind an account has, and how many of them, the oldest, are verified. */
interface AccountSize {
  records: number;
  verified: number;
}

const LARGEST: AccountSize = { records: 20_000, verified: 9_000 };
/** The targets have 50 items each: as many items as an account may have. */
const TARGETS = 20;
const newTargets = (user: number, standard: string) =>
  `${numbers(TARGETS)} INSERT INTO targets (user_id, title, standard, source, submission, created_at)
    SELECT ${user}, 'Target ' || i, '${standard}', 'the largest account', 'large-' || i, 0 FROM n`;
const PASSWORD = "correct horse battery";

/** The ids of rows from 1. */
const numbers = (count: number) =>
  `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
const hash = "lower(hex(randomblob(32)))";

/**
 * The statements that fill an account with the most that it may hold, a thousand supervisors and
 * requests, and a hundred exports. 10,000 of the records of each kind are of one day.
 */
export function largeAccount(user: number, { records, verified: count } = LARGEST): string[] {
  const now = Date.now();
  const verified = `iif(i < ${count}, 1, 0), iif(i < ${count}, 'Ola Hansen', NULL), iif(i < ${count}, ${now}, NULL),
    iif(i < ${count}, 'link', NULL)`;
  const columns =
    "user_id, kind, date, end_date, location, method, hours, fields, verified, verified_by, verified_at, verified_via";
  const date = `iif(i < ${records / 2}, date('2020-01-01', (i / 5) || ' days'), '2026-11-20')`;
  const of = (number: number, event: string, previous: string) =>
    `INSERT INTO verification_log (record_id, number, event, at, via, record_hash, technician_hash, supervisor_hash, previous,
        hash)
      SELECT id, ${number}, '${event}', ${now}, ${event === "verified" ? "'link'" : "NULL"}, randomblob(32), NULL, randomblob(32),
        ${previous}, randomblob(32) FROM records AS record WHERE user_id = ${user} AND verified = 1`;
  const last = `(SELECT hash FROM verification_log AS before WHERE before.record_id = record.id AND before.number = 1)`;
  return [
    `${numbers(records)} INSERT INTO records (${columns}, search, created_at)
      SELECT ${user}, 'entry', ${date}, NULL, 'Dock ' || i || ', tank 12', substr('MTPTRTET', 1 + 2 * (i % 4), 2), 750, '{}',
        ${verified}, 'dock ' || i || ', tank 12 mt', ${now} FROM n`,
    `${numbers(records)} INSERT INTO records (${columns}, search, created_at)
      SELECT ${user}, 'rope_hour', ${date}, date(${date}, '1 day'), 'Rig ' || i, NULL, 2000,
        '{"skills":"Rigging, rescue, hauling"}', ${verified}, 'rig', ${now} FROM n`,
    of(1, "requested", "zeroblob(32)"),
    of(2, "verified", last),
    `INSERT INTO event_facts (hash, about, user_id, first_event, last_event, salt, facts)
      SELECT supervisor_hash, 'supervisor', ${user}, id, id, randomblob(16),
        json_object('name', 'Ola Hansen', 'address', '203.0.113.7')
      FROM verification_log WHERE supervisor_hash NOT IN (SELECT hash FROM event_facts)`,
    `${numbers(1_000)} INSERT INTO supervisors (user_id, name, email, mailbox, phone, certification_level, company, created_at)
      SELECT ${user}, 'Supervisor ' || i, 'supervisor' || i || '@fjord.example', 'supervisor' || i || '@fjord.example', '555', 'Level II', 'Fjord AS', ${now} FROM n`,
    `${numbers(1_000)} INSERT INTO verification_requests (user_id, token, supervisor_name, supervisor_email, created_at,
        requested_at, expires_at, ended_at)
      SELECT ${user}, printf('%08d-0000-4000-8000-%012d', ${user}, i), 'Supervisor', 'supervisor' || i || '@fjord.example',
        ${now - 86_400_000}, ${now - 86_400_000}, ${now + 80 * 86_400_000}, ${now} FROM n`,
    `INSERT INTO verification_items (request_id, record_id, position, state, decided_at)
      SELECT request.id, entry.id, entry.id, 'verified', ${now}
      FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM verification_requests
        WHERE user_id = ${user} AND supervisor_name = 'Supervisor') AS request
      JOIN (SELECT id, (row_number() OVER (ORDER BY id) - 1) / 10 AS place FROM records
        WHERE user_id = ${user} AND kind = 'entry' AND verified = 1) AS entry ON entry.place = request.place`,
    `${numbers(100)} INSERT INTO exports (user_id, form, nonce, code_hash, made_at, made_on, name, records, hundredths,
        seal)
      SELECT ${user}, 'ojt', lower(hex(randomblob(16))), ${hash}, ${now - 2 * 86_400_000}, '2026-11-20', 'Kari', 100, 75000,
        ${hash} FROM n`,
    `INSERT INTO export_records (export_id, position, record_id) SELECT exports.id, value, value
      FROM exports, json_each('[${Array.from({ length: 100 }, (_, index) => index + 1)}]')
      WHERE user_id = ${user} AND exports.id NOT IN (SELECT export_id FROM export_records)`,
    newTargets(user, "ISO 9712"),
    `${numbers(50)} INSERT INTO target_items (target_id, position, title, clause, unit, record_kind, methods, required)
      SELECT targets.id, i, 'Item ' || i, '', 'hours', iif(i % 5, 'entry', 'rope_hour'), iif(i % 5, '["MT","PT"]', '[]'), 80000
      FROM targets, n WHERE user_id = ${user} AND submission LIKE 'large-%'`,
  ];
}

/** SQL that takes one of some words by a number. */
const oneOf = (words: string[], index: string) =>
  `json_extract('${JSON.stringify(words)}', '$[' || (${index} % ${words.length}) || ']')`;
const methods = oneOf(["ET", "RFT", "MT", "PT", "RT", "UT_THK", "UTSW", "PMI", "LSI"], "i");

/**
 * The statements that fill an account with certificates and examinations of every method, level, part, issuer and state, each
 * to a standard of its own, and with targets that ask for 1,000 of those standards, within each number of years.
 */
export function manyStandards(user: number): string[] {
  const levels = oneOf(["Trainee", "Level I", "Level II", "Level III"], "i / 9");
  const parts = oneOf(["general", "specific", "practical", "basic", "method"], "i / 36");
  const columns =
    "user_id, kind, date, end_date, subtype, method, level, part, score, standard, fields, search, created_at";
  const standard = "printf('Company procedure WP-%05d, %s', i, hex(zeroblob(80)))";
  return [
    `${numbers(LARGEST.records)} INSERT INTO records (${columns}, verified, verified_by, verified_at, verified_via, requested_at)
      SELECT ${user}, 'certificate', date('2026-11-20', '-' || (i / 3) || ' days'), date('2026-11-20', (i / 5) || ' days'),
        iif(i % 2, 'certificate', 'examination'), ${methods}, ${levels}, iif(i % 2, NULL, ${parts}),
        iif(i % 2, NULL, 5000 + i % 5000), ${standard}, json_object('title', 'Certificate ' || i, 'issuer', 'Issuer ' || i),
        'certificate', ${Date.now()}, i % 4 = 0, iif(i % 4 = 0, 'Ola Hansen', NULL), iif(i % 4 = 0, 1, NULL),
        iif(i % 4 = 0, 'link', NULL), iif(i % 4 = 1, 1, NULL) FROM n`,
    newTargets(user, "WP"),
    `${numbers(50)} INSERT INTO target_items (target_id, position, title, clause, unit, record_kind, methods, required, category,
        part, level, within_years, standard)
      SELECT target_id, i % 50, 'Item ' || i, '', iif(i % 3, 'valid', iif(i % 2, 'score', 'average')), 'certificate',
        '["ET","RFT","MT","PT","RT","UT_THK","UTSW","PMI","LSI"]', iif(i % 3, 100, 7000), iif(i % 3, 'certificate', NULL),
        iif(i % 3, NULL, iif(i % 2, 'general', NULL)), iif(i % 5, NULL, 'Level II'), iif(i % 3, 1 + i % 20, NULL), ${standard}
      FROM (SELECT id AS target_id, 50 * (dense_rank() OVER (ORDER BY id) - 1) + n.i AS i FROM targets, n WHERE user_id = ${user})`,
  ];
}

/** The statements that fill the account of `manyStandards` with hours and training in thousands of months, which two items count. */
export function manyMonths(user: number): string[] {
  const day = "date('1900-01-01', i || ' months')";
  const columns = "user_id, kind, date, end_date, location, method, hours, fields, search, created_at";
  return [
    `${numbers(LARGEST.records)} INSERT INTO records (${columns})
      SELECT ${user}, 'entry', date('1900-01-01', (i / 9) || ' months'), NULL, 'Rig', ${methods}, 700, '{}', 'rig', 0 FROM n`,
    `${numbers(LARGEST.records)} INSERT INTO records (${columns})
      SELECT ${user}, 'rope_hour', ${day}, date(${day}, '1 day'), 'Rig', NULL, 700, '{"skills":"Rescue"}', 'rig', 0 FROM n`,
    `${numbers(LARGEST.records)} INSERT INTO records (${columns})
      SELECT ${user}, 'training', ${day}, ${day}, NULL, ${methods}, 700, '{"course":"UT","organization":"NI"}', 'ut', 0 FROM n`,
    `UPDATE target_items SET unit = 'months', record_kind = iif(position, 'rope_hour', 'entry'), methods = iif(position, '[]', '["MT"]'),
        required = 600, category = NULL, part = NULL, level = NULL, within_years = NULL, standard = NULL
      WHERE position < 2 AND target_id = (SELECT max(id) FROM targets WHERE user_id = ${user})`,
  ];
}

/** Two of them are answered in each run of a measurement, of which there may be three. */
const NOTICES = 6;
const NOTICED = 1_500;
const nonceOf = (notice: number) => `${notice}`.padStart(32, "0");

/** Notices of rope hours that were all verified by the link of one request each. Their ids and those of requests are given. */
function notices(user: number, firstRequest: number): string[] {
  const now = Date.now();
  return Array.from({ length: NOTICES }, (_, index) => [
    `INSERT INTO supervisor_notices (id, recipient, nonce, created_at, expires_at)
      VALUES (${index + 1}, '${"0".repeat(64)}', '${nonceOf(index + 1)}', ${now}, ${now + 80 * 86_400_000})`,
    `INSERT INTO verification_answers (id, request_id, name, via, at, notice_id)
      VALUES (${index + 1}, ${firstRequest + index}, 'Ola Hansen', 'link', ${now}, ${index + 1})`,
    `INSERT INTO verification_items (request_id, record_id, position, state, decided_at, answer_id)
      SELECT ${firstRequest + index}, id, id, 'verified', ${now}, ${index + 1} FROM records
      WHERE user_id = ${user} AND kind = 'rope_hour' AND verified = 1 ORDER BY id LIMIT ${NOTICED} OFFSET ${NOTICED * index}`,
  ]).flat();
}

/** Starts the app and fills it. */
export async function largeWorld(): Promise<LargeWorld> {
  const data = mkdtempSync(join(tmpdir(), "hours-tracker-cost-"));
  const app = await npmStart(data, { REQUESTS_PER_MINUTE: "1000000" });
  const workerd = workerdOf(app.pid);
  const cookies = new Map<string, string>();
  const ids = new Map<string, number>();
  for (const who of ["large", "bytes", "escaped", "importing", "scattered", "other", "admin"]) {
    const answer = await visit(`${app.url}/api/auth/register`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: `${who}@example.com`, password: PASSWORD, name: `Kari ${who}` }),
    });
    const { id } = (await answer.json()) as { id: number };
    ids.set(who, id);
    cookies.set(who, cookieOf(answer));
  }
  const borrowed = await borrowDatabase(data);
  if (!borrowed) throw new Error("npm start does not lend its database");
  const db = borrowed.database;
  const large = ids.get("large") ?? 0;
  const scattered = ids.get("scattered") ?? 0;
  for (const sql of [...largeAccount(large), ...manyStandards(scattered), ...manyMonths(scattered)])
    await db.prepare(sql).run();
  await db
    .prepare(
      `${numbers(10_000)} INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
        SELECT ?, 'entry', '2026-11-20', 'Dock ' || i, 'MT', 750, 'dock', 0 FROM n`,
    )
    .bind(ids.get("importing"))
    .run();
  await db.prepare("UPDATE users SET is_admin = 1 WHERE id = ?").bind(ids.get("admin")).run();
  await db
    .prepare(
      `${numbers(100)} INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
        SELECT ?, 'entry', date('2026-01-01', i || ' days'), 'Dock ' || i || ', tank 12', 'MT', 750, 'dock', 0 FROM n`,
    )
    .bind(ids.get("other"))
    .run();
  const { results } = await db
    .prepare("SELECT id FROM entries WHERE user_id = ? AND verified = 0 ORDER BY id")
    .bind(large)
    .all<{ id: number }>();
  const supervisor = await db
    .prepare("SELECT min(id) AS id FROM supervisors WHERE user_id = ?")
    .bind(large)
    .first<{ id: number }>();
  const pending = results.map(({ id }) => id);
  const request = await db
    .prepare("SELECT max(id) AS id FROM verification_requests WHERE user_id = ?")
    .bind(large)
    .first<{ id: number }>();
  for (const sql of notices(large, (request?.id ?? 0) - NOTICES + 1)) await db.prepare(sql).run();
  const secret = readFileSync(join(data, "session-secret"), "utf8").trim();
  const used = { disown: 0, confirm: 0 };
  const textsOf = async (who: "bytes" | "escaped", letter: string) => ({
    ...(await fillWithTexts(db, ids.get(who) ?? 0, letter)),
    records: largestRecords(letter),
    sheet: largestSheet(letter, MAX_BODY_BYTES),
  });
  const texts = {
    bytes: await textsOf("bytes", LETTERS["four bytes a character"]),
    escaped: await textsOf("escaped", LETTERS["six bytes a character in HTML"]),
  };
  return {
    url: app.url,
    workerd,
    supervisorId: supervisor?.id ?? 0,
    texts,
    pending: (count) => pending.splice(0, count),
    notice(use, isUsed) {
      const id = used[use] + 1;
      if (isUsed) used[use] = id;
      return noticeToken(secret, use, { id, nonce: nonceOf(id) });
    },
    noticeToken: (use, notice) => noticeToken(secret, use, notice),
    async removeDeleted() {
      const importing = ids.get("importing");
      await db.prepare("DELETE FROM records WHERE deleted_at IS NOT NULL AND user_id = ?").bind(importing).run();
    },
    async send({ as, method, path, headers, body }, statuses = [200, 201]) {
      const cookie = as && cookies.get(as);
      const answer = await visit(app.url + path, {
        method,
        headers: { ...headers, ...(cookie && { Cookie: cookie }) },
        ...(body !== undefined && { body }),
      });
      const text = await answer.text();
      if (!statuses.includes(answer.status))
        throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
      return { status: answer.status, text, headers: answer.headers };
    },
    async stop() {
      await app.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
