import { ownRequests, withTokens } from "#demo/own-requests.ts";

/** Valid rows as they are stored, for tests of the database alone. */

/** A value; D1 binds a list of numbers as bytes. */
export type Row = Record<string, string | number | null | number[]>;

const NOW = Date.parse("2026-11-21T12:00:00Z");

export function userRow(over: Row = {}): Row {
  return {
    email: "kari@example.com",
    password: "$scrypt$ln=1,r=1,p=1$AA$AA",
    name: "Kari Nordmann",
    employee_number: "NDT-7",
    is_admin: 0,
    search: "kari",
    created_at: NOW,
    ...over,
  };
}

export function sessionRow(over: Row = {}): Row {
  return { id: "a".repeat(64), user_id: 1, created_at: NOW, expires_at: NOW + 1, ...over };
}

export function supervisorRow(over: Row = {}): Row {
  return {
    user_id: 1,
    name: "Ola Hansen",
    email: "ola@example.org",
    mailbox: "ola@example.org",
    phone: "555",
    certification_level: "Level II",
    company: "Fjord AS",
    created_at: NOW,
    ...over,
  };
}

/** A row of `records`: an entry. Hours are in hundredths. */
export function entryRow(over: Row = {}): Row {
  return {
    user_id: 1,
    kind: "entry",
    date: "2026-11-20",
    location: "Mongstad",
    method: "MT",
    hours: 750,
    search: "mongstad",
    created_at: NOW,
    ...over,
  };
}

/** A row of `records`: rope hours. */
export function ropeHoursRow(over: Row = {}): Row {
  return {
    user_id: 1,
    kind: "rope_hour",
    date: "2026-11-19",
    end_date: "2026-11-20",
    location: "Mongstad",
    hours: 750,
    fields: JSON.stringify({ skills: "Rescue" }),
    search: "mongstad",
    created_at: NOW,
    ...over,
  };
}

/** The additional columns of a verified record. */
export const VERIFIED = { verified: 1, verified_by: "Ola Hansen", verified_at: NOW, verified_via: "link" };

/** A request that waits. */
export function requestRow(over: Row = {}): Row {
  return {
    user_id: 1,
    token: tokenNumber(1),
    supervisor_name: "Ola Hansen",
    supervisor_email: "ola@example.org",
    created_at: NOW,
    requested_at: NOW,
    expires_at: NOW + 90 * 24 * 60 * 60 * 1000,
    ...over,
  };
}

export function itemRow(over: Row = {}): Row {
  return { request_id: 1, record_id: 1, position: 0, ...over };
}

/** Gives an unverified record an open link, without the app. Returns its token. */
export async function addOpenLink(db: D1Database, id: number): Promise<string> {
  const token = crypto.randomUUID();
  for (const sql of ownRequests(withTokens([[id, token]]), Date.now())) await db.prepare(sql).run();
  return token;
}

/** A token of the right form, different for each number. */
export function tokenNumber(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

/** The bytes of a text in hexadecimal. */
export function bytes(hex: string): number[] {
  return [...Buffer.from(hex, "hex")];
}

/** Inserts a row. Returns its id if it has one. */
export async function insert(db: D1Database, table: string, row: Row, verb = "INSERT"): Promise<number> {
  const names = Object.keys(row);
  const { meta } = await db
    .prepare(`${verb} INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
    .bind(...Object.values(row))
    .run();
  return meta.last_row_id;
}
