import { CERTIFICATION_LEVELS } from "#app/db/enumerations.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import { contentRow } from "#app/records/content.server.ts";
import { type Detail, ENTRY_DETAILS, ROPE_DETAILS } from "#app/records/details.ts";
import { TEXTS_MAX } from "#app/records/record-fields.ts";

/*
 * An account at its worst by bytes (docs/safe.md, *What one request may cost*): each text is as long as it may be. Beside it
 * `largeAccount` is the worst by rows.
 */

/**
 * The letters of the texts: four bytes in UTF-8 and another letter in lower case, which a search stores beside it; and
 * a character that is one byte in the database, two in JSON and six in HTML.
 */
export const LETTERS = { "four bytes a character": "𐐀", "six bytes a character in HTML": '"' } as const;

/** About 40 MB of text in as few records as that takes. */
const ENTRIES = { records: 5_000, verified: 1_900 };
/** More of each status than a page shows, and as many verified ones as one form may have by bytes. */
const OTHERS = { records: 700, verified: 200 };
const DECLINED = 101;
const DELETED = 101;
const ITEMS = 100;
const REQUESTS = 100;
const SUPERVISORS = 1_000;
const EXPORTS = 100;
const TARGETS = 20;
const EDITS = 1_000;
/** Each notice has the records of some answered requests. */
const NOTICES = 6;
const NOTICED = 300;

const METHOD = "UT_THK";

/** The longest texts under these names that a record has, in this order. */
function texts(letter: string, fields: readonly Pick<Detail, "name" | "max" | "choices">[]): Record<string, string> {
  let left = TEXTS_MAX;
  const longest = fields.map(({ name, max = 200, choices }): [string, string] => {
    const text = choices
      ? (choices.toSorted((one, other) => other.length - one.length)[0] ?? "")
      : letter.repeat(Math.min(max, Math.floor(left / Buffer.byteLength(letter))));
    left = Math.max(0, left - Buffer.byteLength(text));
    return [name, text];
  });
  return Object.fromEntries(longest.filter(([, text]) => text !== ""));
}

const named = (...names: string[]) => names.map((name) => ({ name }));
/** Details with a short list of words come first: the others take the rest. */
const inOrder = (details: readonly Detail[]) =>
  details.toSorted((one, other) => Number(!one.choices) - Number(!other.choices));

/** The largest record of each kind, as a call sends it. */
export function largestRecords(letter: string): Record<string, Record<string, unknown>> {
  const { location: place, ...details } = texts(letter, [...named("location"), ...inOrder(ENTRY_DETAILS)]);
  const rope = [...named("location"), ...inOrder(ROPE_DETAILS), { name: "skills", max: 2_000 }];
  const { location, skills = letter, ...ropeDetails } = texts(letter, rope);
  const level = "Level III";
  return {
    entry: { date: "2026-11-20", location: place, method: METHOD, hours: 7.5, broughtForward: false, details },
    rope_hour: {
      ...{ startDate: "2026-11-19", endDate: "2026-11-20", location, skills, hours: 7.5 },
      details: ropeDetails,
    },
    training: {
      ...{ startDate: "2026-11-19", endDate: "2026-11-20", method: METHOD, level, hours: 16 },
      ...texts(letter, named("course", "organization", "instructor")),
    },
    certificate: {
      ...{ category: "certificate", method: METHOD, level, part: null, score: null, attempt: null },
      ...{ issuedOn: "2026-02-01", expiresOn: "2031-01-31" },
      ...texts(letter, named("title", "standard", "number", "issuer", "originalLocation")),
    },
  };
}

/** The largest supervisor, as a call sends one. */
export const largestSupervisor = (letter: string, email: string) => ({
  ...{ name: letter.repeat(200), email, phone: letter.repeat(200), company: letter.repeat(200) },
  certificationLevel: CERTIFICATION_LEVELS[2],
});

/** A sheet of the largest entries, as large as a body may be. */
export function largestSheet(letter: string, bytes: number): string {
  const { date, location, method, hours, details } = largestRecords(letter).entry as Record<string, object | string>;
  const cells = { date, location, method, hours, ...(details as Record<string, string>) };
  const line = Object.values(cells).map((cell) => `"${String(cell).replaceAll('"', '""')}"`);
  const head = `${Object.keys(cells).join()}\n`;
  const row = `${line.join()}\n`;
  return head + row.repeat(Math.floor((bytes - head.length) / Buffer.byteLength(row)));
}

/** An export of as many of its verified entries as one form may have by bytes: about 200. */
export const LARGEST_FORM = { form: "detailed-log", from: "2026-10-10" };

/** The ids of what `fillWithTexts` has made that a request names. */
export interface LargestIds {
  /** A record of each kind without a request; the entry was edited 1,000 times. */
  own: Record<string, number>;
  deleted: Record<string, number>;
  verified: Record<string, number>;
  /** An open request of 100 records of each kind. */
  requests: Record<string, { id: number; token: string }>;
  answeredRequest: { id: number; token: string };
  supervisorId: number;
  supervisorEmail: string;
  targetId: number;
  notices: { id: number; nonce: string }[];
}

const numbers = (count: number) =>
  `n (i) AS (WITH RECURSIVE m (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM m WHERE i < ${count - 1}) SELECT i FROM m)`;
/** A hash of an event or its facts that no other account has. */
const hashOf = (user: number, what: string, number: string) =>
  `unhex(printf('%020d%012d%032d', ${user}, ${what}, ${number}))`;

/** Fills an account with the largest texts that it may hold. */
export async function fillWithTexts(db: D1Database, user: number, letter: string): Promise<LargestIds> {
  const now = Date.now();
  const long = letter.repeat(200);
  const run = <Row>(sql: string, ...values: unknown[]) =>
    db
      .prepare(sql)
      .bind(...values)
      .all<Row>();
  const one = async <Row>(sql: string, ...values: unknown[]) => {
    const { results } = await run<Row>(sql, ...values);
    if (!results[0]) throw new Error(`no row: ${sql}`);
    return results[0];
  };
  const idOf = async (sql: string, ...values: unknown[]) => (await one<{ id: number }>(sql, ...values)).id;
  await run("UPDATE users SET name = ?1, employee_number = ?1 WHERE id = ?2", long, user);

  const largest = largestRecords(letter);
  for (const kind of KINDS) {
    const { records, verified } = kind.name === "entry" ? ENTRIES : OTHERS;
    const row = contentRow(kind, largest[kind.name] ?? {});
    const columns = Object.keys(row).filter((column) => !["date", "end_date", "fields"].includes(column));
    const isVerified = `i < ${verified}`;
    const isIn = (from: number, count: number) => `i >= ${from} AND i < ${from + count}`;
    const day = "date('2026-11-20', '-' || (i / 5) || ' days')";
    await run(
      `WITH one AS MATERIALIZED (SELECT ${columns.map((column) => `?1 ->> '${column}' AS "${column}"`).join(", ")},
          ?1 ->> 'end_date' IS NOT NULL AS has_end, ?1 -> 'fields' AS fields), ${numbers(records)}
        INSERT INTO records (user_id, kind, created_at, date, end_date, ${columns.join(", ")}, fields, verified, verified_by,
          verified_at, verified_via, declined_at, deleted_at)
        SELECT ?2, '${kind.name}', ${now}, ${day}, iif(has_end, date(${day}, '1 day'), NULL),
          ${columns.map((column) => `one."${column}"`).join(", ")}, one.fields, ${isVerified}, iif(${isVerified}, ?3, NULL),
          iif(${isVerified}, ${now}, NULL), iif(${isVerified}, 'link', NULL), iif(${isIn(verified, DECLINED)}, ${now}, NULL),
          iif(${isIn(verified + DECLINED, DELETED)}, ${now}, NULL)
        FROM n, one`,
      ...[JSON.stringify(row), user, long],
    );
  }

  // The events of what is verified, and 1,000 edits of one record.
  const supervisorEmail = `${"s".repeat(60)}@${`${"d".repeat(60)}.`.repeat(3)}example`;
  const asked = { ...largestSupervisor(letter, supervisorEmail), role: null };
  const client = { address: "2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff", browser: "B".repeat(300) };
  const events = `INSERT INTO verification_log (record_id, number, event, at, via, record_hash, technician_hash, supervisor_hash,
      previous, hash)`;
  const ofVerified = async (number: number, event: string, facts: Record<"technician" | "supervisor", object>) => {
    await run(
      `${events} SELECT id, ${number}, '${event}', ${now}, ${number === 2 ? "'link'" : "NULL"}, randomblob(32),
        ${hashOf(user, `1${number}`, "id")}, ${hashOf(user, `2${number}`, "id")},
        ${number === 1 ? "zeroblob(32)" : hashOf(user, "31", "id")}, ${hashOf(user, `3${number}`, "id")}
        FROM records WHERE user_id = ? AND verified = 1`,
      user,
    );
    for (const [side, own] of Object.entries(facts))
      await run(
        `INSERT INTO event_facts (hash, about, user_id, first_event, last_event, salt, facts)
          SELECT ${side}_hash, '${side}', ?1, id, id, randomblob(16), ?2 FROM verification_log
          WHERE number = ${number} AND record_id IN (SELECT id FROM records WHERE user_id = ?1 AND verified = 1)`,
        ...[user, JSON.stringify(own)],
      );
  };
  const technician = { technician: { id: user, name: long, employeeNumber: long } };
  const certification = { scheme: long, level: long, number: long };
  await ofVerified(1, "requested", { technician: client, supervisor: { supervisor: asked } });
  await ofVerified(2, "verified", { technician, supervisor: { ...client, name: long, asked: long, certification } });

  const own: Record<string, number> = {};
  const deleted: Record<string, number> = {};
  const verified: Record<string, number> = {};
  const requests: LargestIds["requests"] = {};
  const isPending = "verified = 0 AND declined_at IS NULL AND deleted_at IS NULL AND requested_at IS NULL";
  const newRequest = async (isEnded: boolean) => {
    const token = crypto.randomUUID();
    const id = await idOf(
      `INSERT INTO verification_requests (user_id, token, supervisor_name, supervisor_email, created_at, requested_at, expires_at,
          ended_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7) RETURNING id`,
      ...[user, token, long, supervisorEmail, now - 86_400_000, now + 80 * 86_400_000, isEnded ? now : null],
    );
    return { id, token };
  };
  for (const { name } of KINDS) {
    const find = (where: string) =>
      idOf(`SELECT id FROM records WHERE user_id = ? AND kind = ? AND ${where} ORDER BY id DESC LIMIT 1`, user, name);
    own[name] = await find(isPending);
    deleted[name] = await find("deleted_at IS NOT NULL");
    verified[name] = await find("verified = 1");
    const request = await newRequest(false);
    requests[name] = request;
    await run(
      `INSERT INTO verification_items (request_id, record_id, position) SELECT ?, id, row_number() OVER (ORDER BY id)
        FROM records WHERE user_id = ? AND kind = ? AND ${isPending} ORDER BY id LIMIT ${ITEMS}`,
      ...[request.id, user, name],
    );
  }
  const changed = largest.entry as { [name: string]: unknown; details: Record<string, unknown> };
  const changes = Object.entries({ ...changed, ...changed.details }).flatMap(([name, text]) =>
    typeof text === "string" && text.includes(letter) ? [[name, [text, text]]] : [],
  );
  await run(
    `WITH ${numbers(EDITS)} ${events} SELECT ?1, i + 1, 'edited', ${now}, NULL, randomblob(32), ${hashOf(user, "4", "i + 1")}, NULL,
      iif(i = 0, zeroblob(32), ${hashOf(user, "5", "i")}), ${hashOf(user, "5", "i + 1")} FROM n`,
    own.entry,
  );
  await run(
    `INSERT INTO event_facts (hash, about, user_id, first_event, last_event, salt, facts)
      SELECT technician_hash, 'technician', ?1, id, id, randomblob(16), ?2 FROM verification_log WHERE record_id = ?3`,
    ...[user, JSON.stringify({ ...client, changes: Object.fromEntries(changes) }), own.entry],
  );

  await run(
    `WITH ${numbers(SUPERVISORS)} INSERT INTO supervisors (user_id, name, email, mailbox, phone, certification_level, company, role,
        created_at) SELECT ?1, ?2, address, address, ?2, 'Level III', ?2, ?2, ${now}
      FROM (SELECT printf('s%04d', i) || substr(?3, 6) AS address FROM n)`,
    ...[user, long, supervisorEmail],
  );

  // Ended requests: of declined records, each with a reason, and of verified ones, which one notice has.
  await run(
    `WITH ${numbers(REQUESTS)} INSERT INTO verification_requests (user_id, token, supervisor_name, supervisor_email, created_at,
        requested_at, expires_at, ended_at) SELECT ?1, printf('%08d-0000-4000-9000-%012d', ?1, i), ?2, ?3, ${now - 86_400_000},
        ${now - 86_400_000}, ${now + 80 * 86_400_000}, ${now} FROM n`,
    ...[user, long, supervisorEmail],
  );
  await run(
    `INSERT INTO verification_items (request_id, record_id, position, state, decided_at, reason)
      SELECT request.id, record.id, record.id, 'declined', ${now}, ?2
      FROM verification_requests AS request, (SELECT id FROM records
        WHERE user_id = ?1 AND kind = 'entry' AND verified = 0 AND declined_at IS NOT NULL ORDER BY id LIMIT ${ITEMS}) AS record
      WHERE request.user_id = ?1 AND request.token GLOB '*-9000-*'`,
    ...[user, letter.repeat(500)],
  );
  const notices: LargestIds["notices"] = [];
  let answeredRequest = { id: 0, token: "" };
  for (let from = 0; from < NOTICES * NOTICED; from += ITEMS) {
    if (from % NOTICED === 0) {
      const nonce = crypto.randomUUID().replaceAll("-", "");
      const id = await idOf(
        `INSERT INTO supervisor_notices (recipient, nonce, created_at, expires_at)
          VALUES ('${"0".repeat(64)}', ?, ${now}, ${now + 80 * 86_400_000}) RETURNING id`,
        nonce,
      );
      notices.push({ id, nonce });
    }
    answeredRequest = await newRequest(true);
    const answer = await idOf(
      `INSERT INTO verification_answers (request_id, name, via, at, notice_id) VALUES (?, ?, 'link', ${now}, ?) RETURNING id`,
      ...[answeredRequest.id, long, notices.at(-1)?.id],
    );
    await run(
      `INSERT INTO verification_items (request_id, record_id, position, state, decided_at, answer_id)
        SELECT ?, id, id, 'verified', ${now}, ? FROM records WHERE user_id = ? AND kind = 'entry' AND verified = 1
        ORDER BY id LIMIT ${ITEMS} OFFSET ${from}`,
      ...[answeredRequest.id, answer, user],
    );
  }

  const random = "lower(hex(randomblob(32)))";
  await run(
    `WITH ${numbers(EXPORTS)} INSERT INTO exports (user_id, form, nonce, code_hash, made_at, made_on, name, employee_number, records,
        hundredths, seal, of_one_supervisor, supervisor, statement)
      SELECT ?1, 'ojt', lower(hex(randomblob(16))), ${random}, ${now - 2 * 86_400_000}, '2026-11-20', ?2, ?2, 1, 750, ${random}, 1, ?3,
        ?4 FROM n`,
    ...[user, long, letter.repeat(600), "s".repeat(4_000)],
  );
  await run(
    `WITH ${numbers(TARGETS)} INSERT INTO targets (user_id, title, standard, edition, source, submission, created_at)
      SELECT ?1, ?2, ?2, ?2, ?3, 'largest-' || i, ${now} FROM n`,
    ...[user, long, letter.repeat(2_000)],
  );
  await run(
    `WITH ${numbers(50)} INSERT INTO target_items (target_id, position, title, clause, unit, record_kind, methods, required, category,
        standard)
      SELECT targets.id, i, ?2, ?2, iif(i % 2, 'hours', 'valid'), iif(i % 2, 'entry', 'certificate'), '["${METHOD}"]', 100,
        iif(i % 2, NULL, 'certificate'), iif(i % 2, NULL, ?2) FROM targets, n WHERE user_id = ?1 AND submission GLOB 'largest-*'`,
    ...[user, long],
  );
  return {
    ...{ own, deleted, verified, requests, answeredRequest, supervisorEmail },
    supervisorId: await idOf("SELECT max(id) AS id FROM supervisors WHERE user_id = ?", user),
    targetId: await idOf("SELECT max(id) AS id FROM targets WHERE user_id = ?", user),
    notices,
  };
}
