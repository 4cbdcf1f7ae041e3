import { hashLinkToken } from "#app/accounts/link-token.server.ts";
import { METHODS, type Method } from "#app/db/enumerations.ts";
import { searchText } from "#app/plain-text.ts";
import { toHundredths } from "#app/records/hours.ts";
import { ownRequests } from "#demo/own-requests.ts";
import { randomFrom } from "#demo/random.ts";
import { insertRow, insertRows, type Statement } from "#demo/statements.ts";
import { SITES, VERIFIERS, workWeeks } from "#demo/work-weeks.ts";

/** The same users and records every time, so that bytes and rows can be compared between runs. */

/**
 * Technicians by their number of entries; five of six are verified, but for the newest. The million is only added where it is
 * needed. Two have 50 and 500 verified entries, to export; the last one has two entries on each day of work.
 */
export const TECHNICIANS = {
  none: 0,
  fifty: 50,
  twoHundred: 200,
  fiveHundred: 500,
  thousand: 1_000,
  fiveThousand: 5_000,
  million: 0,
  tenThousand: 10_000,
  fiftyVerified: 61,
  fiveHundredVerified: 601,
  twoADay: 520,
} as const;
export type Technician = keyof typeof TECHNICIANS;

const ROPE_RECORDS = 50;

/** The tokens in the URLs of pages. */
export const OPEN_TOKEN = "3f0c8a52-6d1e-4b7a-9c55-0e7d2a914b60";
export const SEVERAL_TOKEN = "c41f6a07-2b9d-4e83-8a10-d5e7f3b62c94";
export const USED_TOKEN = "9b2e5d17-84c3-4f0a-b6e1-7a5c93d20f48";
export const RESET_TOKEN = "hU3pYw0vYbYyq5m1mYl2o3w3Zc8Jq0cXw1nqk4Yb2rE";

/** The value of a user's session cookie. */
export function sessionOf(who: Technician | "admin"): string {
  return `session of ${who}`.padEnd(43, "0");
}

export function userId(who: Technician | "admin"): number {
  return ["admin", ...Object.keys(TECHNICIANS)].indexOf(who) + 1;
}

/** The time of all rows. Rows that can expire do so by the time of the measurement. */
const NOW = Date.parse("2026-11-20T12:00:00Z");
const DAY_MS = 24 * 60 * 60 * 1000;

/** A hash that matches no password. */
const NO_PASSWORD = "$scrypt$ln=1,r=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/** The statements that fill an empty database. The reset link is open until an hour after `now`. */
export function seed(now: number): Statement[] {
  const people = ["admin", ...(Object.keys(TECHNICIANS) as Technician[])] as const;
  return [
    ...people.flatMap((who) => [
      insertRow("users", {
        id: userId(who),
        email: `${who.toLowerCase()}@example.com`,
        password: NO_PASSWORD,
        name: "Dana Kowalski",
        employee_number: "NDT-1042",
        is_admin: who === "admin" ? 1 : 0,
        search: searchText(`${who.toLowerCase()}@example.com`, "Dana Kowalski"),
        created_at: NOW,
      }),
      insertRow("sessions", {
        id: hashLinkToken(sessionOf(who)),
        user_id: userId(who),
        created_at: NOW,
        expires_at: now + 30 * DAY_MS,
      }),
    ]),
    insertRow("supervisors", {
      user_id: userId("fifty"),
      name: "Ingrid Solheim",
      email: "ingrid.solheim@example.com",
      mailbox: "ingrid.solheim@example.com",
      phone: "+47 555 01 230",
      certification_level: "Level III",
      company: "Fjord Inspection AS",
      created_at: NOW,
    }),
    ...(Object.entries(TECHNICIANS) as [Technician, number][])
      .filter(([, count]) => count > 0)
      .flatMap(([who, count]) => entriesOf(who, count)),
    ropeHoursOf("fifty", ROPE_RECORDS),
    ...severalRequests("thousand", now),
    ...answeredRequests("fiftyVerified"),
    ...answeredRequests("fiveHundredVerified"),
    ...ownRequests(LINKS, NOW, now + 90 * DAY_MS).map((sql) => ({ sql, values: [] })),
    ...requestOfFifty(now),
    ...targetOf("tenThousand", 1),
    ...targetOf("twoADay", 2),
    {
      sql: "UPDATE users SET reset_token = ?, reset_token_expiry = ?, reset_nonce = 'of the measure' WHERE id = ?",
      values: [hashLinkToken(RESET_TOKEN), now + 60 * 60 * 1000, userId("none")],
    },
  ];
}

/** The newest entry of `fifty` has an open link, the one before a used one. */
const NEWEST = `(SELECT max(id) FROM records WHERE user_id = ${userId("fifty")} AND kind = 'entry')`;
const LINKS = `SELECT ${NEWEST} AS record_id, '${OPEN_TOKEN}' AS token UNION ALL SELECT ${NEWEST} - 1, '${USED_TOKEN}'`;

/** How many requests of several records one technician has, and the records of each. */
const REQUESTS = 50;
const RECORDS_EACH = 12;

/** The fields that all requests have. */
const requestOf = (who: Technician, token: string, at = NOW) => ({
  user_id: userId(who),
  token,
  supervisor_name: "Ingrid Solheim",
  supervisor_email: "ingrid.solheim@example.com",
  created_at: at,
  requested_at: at,
  expires_at: at + 90 * DAY_MS,
});

/** Requests of several records: every second one waits, the others are verified. */
function severalRequests(who: Technician, now: number): Statement[] {
  const list = Array.from({ length: REQUESTS }, (_, n) => ({
    ...requestOf(who, `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`, NOW - n * DAY_MS),
    supervisor_name: VERIFIERS[n % VERIFIERS.length],
    supervisor_email: `supervisor${n % 7}@example.com`,
    expires_at: now + (90 - n) * DAY_MS,
    ended_at: n % 2 === 0 ? null : NOW - (n - 1) * DAY_MS,
  }));
  const items = `INSERT INTO verification_items (request_id, record_id, position, state, decided_at)
    SELECT request.id, entry.id, entry.place, iif(verified, 'verified', 'waiting'), iif(verified, ${NOW}, NULL)
    FROM (SELECT *, row_number() OVER (PARTITION BY ended_at IS NULL ORDER BY id) - 1 AS place
      FROM verification_requests WHERE user_id = ${userId(who)}) AS request
    JOIN (SELECT *, row_number() OVER (PARTITION BY verified ORDER BY id) - 1 AS place
      FROM records WHERE user_id = ${userId(who)}) AS entry
    ON entry.verified = (request.ended_at IS NOT NULL) AND entry.place / ${RECORDS_EACH} = request.place`;
  return [insertRows("verification_requests", list), { sql: items, values: [] }];
}

/** A request to each verifier for all that they verified, from which the domains of their mailboxes are known. */
function answeredRequests(who: Technician): Statement[] {
  const id = userId(who);
  return VERIFIERS.flatMap((name, n) => {
    const token = `00000000-0000-4000-9${id % 10}${n}0-${String(id).padStart(12, "0")}`;
    return [
      insertRow("verification_requests", {
        ...requestOf(who, token),
        supervisor_name: name,
        supervisor_email: `supervisor@${DOMAINS[n]}`,
        ended_at: NOW,
      }),
      {
        sql: `INSERT INTO verification_items (request_id, record_id, position, state, decided_at)
          SELECT request.id, records.id, records.id, 'verified', ${NOW}
          FROM verification_requests AS request JOIN records ON records.user_id = request.user_id
          WHERE request.token = ? AND verified_by = ?`,
        values: [token, name],
      },
    ];
  });
}

const DOMAINS = ["fjord-inspection.example", "aberdeen-ndt.example", "botlek-services.example"];

/** An open request for fifty entries of one technician. */
function requestOfFifty(now: number): Statement[] {
  const id = 1_000_000;
  return [
    insertRow("verification_requests", {
      ...requestOf("thousand", SEVERAL_TOKEN),
      id,
      expires_at: now + 90 * DAY_MS,
    }),
    {
      sql: `INSERT INTO verification_items (request_id, record_id, position)
        SELECT ?, id, id FROM records WHERE user_id = ? AND verified = 0 ORDER BY id LIMIT 50`,
      values: [id, userId("thousand")],
    },
  ];
}

/** The figures of SNT-TC-1A for Level I, in hundredths of an hour. */
const FIGURES: [title: string, required: number, ...methods: Method[]][] = [
  ["UT", 21_000, "UT_THK", "UTSW"],
  ["RT", 21_000, "RT"],
  ["ET", 21_000, "ET"],
  ["MT", 7_000, "MT"],
  ["PT", 7_000, "PT"],
];

/** A target with records before it and since. */
function targetOf(who: Technician, id: number): Statement[] {
  return [
    insertRow("targets", {
      id,
      user_id: userId(who),
      title: "SNT-TC-1A, Level I",
      standard: "SNT-TC-1A",
      source: "nde.com",
      since: "2026-02-01",
      submission: "of the measure",
      created_at: NOW,
    }),
    insertRows(
      "target_items",
      FIGURES.map(([title, required, ...methods], position) => ({
        target_id: id,
        position,
        title,
        clause: "",
        unit: "hours",
        record_kind: "entry",
        methods: JSON.stringify(methods),
        required,
      })),
    ),
  ];
}

/** Returns how a verification came: two of three through the mailbox. */
function viaOf(index: number): string {
  return index % 3 === 0 ? "link" : "mailbox";
}

/** Days of work, verified by who was there. */
function entriesOf(who: Technician, count: number): Statement[] {
  const list = workWeeks(count + 7, count).map(
    ({ daysBefore, location, method, hours, verifier, isVerified }, index) => ({
      user_id: userId(who),
      kind: "entry",
      date: new Date(NOW - (who === "twoADay" ? dayOfTwo(index) : daysBefore) * DAY_MS).toISOString().slice(0, 10),
      location,
      // Every method in every month: nothing makes a page of progress larger.
      method: who === "twoADay" ? (METHODS[(index * 7 + hours * 4) % METHODS.length] ?? method) : method,
      hours: toHundredths(hours),
      verified: isVerified ? 1 : 0,
      verified_by: isVerified ? verifier : null,
      verified_at: isVerified ? NOW : null,
      verified_via: isVerified ? viaOf(index) : null,
      search: searchText(location, method),
      created_at: NOW,
    }),
  );
  // The newest has an open request.
  Object.assign(list[0] ?? {}, { verified: 0, verified_by: null, verified_at: null, verified_via: null });
  list.reverse();
  // A bound value has at most 2 MB.
  const parts = Array.from({ length: Math.ceil(count / 5_000) }, (_, part) =>
    list.slice(part * 5_000, part * 5_000 + 5_000),
  );
  return parts.map((part) => insertRows("records", part));
}

/** Returns how many days before the last one an entry is, with two on each of five days a week. */
function dayOfTwo(index: number): number {
  const day = Math.floor(index / 2);
  return Math.floor((day / 5) * 7) + (day % 5);
}

const SKILLS = ["Rigging, rescue", "Work positioning", "Aid climbing, hauling"];

function ropeHoursOf(who: Technician, count: number): Statement {
  const next = randomFrom(count);
  const list = Array.from({ length: count }, (_, index) => ({
    user_id: userId(who),
    kind: "rope_hour",
    date: new Date(NOW - (index * 7 + 4) * DAY_MS).toISOString().slice(0, 10),
    end_date: new Date(NOW - index * 7 * DAY_MS).toISOString().slice(0, 10),
    location: SITES[Math.floor(next() * SITES.length)],
    fields: JSON.stringify({ skills: SKILLS[Math.floor(next() * SKILLS.length)] }),
    hours: 2_000 + Math.floor(next() * 80) * 25,
    ...(index % 3 === 0
      ? { verified: 0, verified_by: null, verified_at: null, verified_via: null }
      : { verified: 1, verified_by: VERIFIERS[index % 3], verified_at: NOW, verified_via: viaOf(index) }),
    search: "",
    created_at: NOW,
  }));
  return insertRows("records", list.reverse());
}
