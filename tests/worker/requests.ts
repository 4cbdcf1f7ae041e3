import { mailboxSecret } from "#app/verification/link-secrets.server.ts";
import type { App } from "./app.ts";
import { rows } from "./database.ts";
import { insert } from "./rows.ts";

/** The SESSION_SECRET of the Worker under test (tests/worker/app.ts). */
export const SECRET = "a secret for tests, of 32 bytes and more";

const DAY = 86_400_000;

export interface AskedRecord {
  type: "entry" | "rope_hour";
  id: number;
}

interface Asked {
  userId: number;
  records: AskedRecord[];
  supervisorName?: string | null;
  supervisorEmail?: string | null;
  requestedAt?: number;
  expiresAt?: number;
  token?: string;
}

/** A stored request. `m` is the secret of the mailed link, or null without an address. */
export interface StoredRequest {
  id: number;
  token: string;
  m: string | null;
  /** The link, and the one that was mailed. */
  path: string;
  mailedPath: string;
}

/** Stores an open request for records of a user, without an email and without events. */
export async function storeRequest(
  db: D1Database,
  { userId, records, supervisorName = "Ingrid Solheim", supervisorEmail = "ingrid@refinery.example", ...times }: Asked,
): Promise<StoredRequest> {
  const { requestedAt = Date.now(), token = crypto.randomUUID() } = times;
  const id = await insert(db, "verification_requests", {
    user_id: userId,
    token,
    supervisor_name: supervisorName,
    supervisor_email: supervisorEmail,
    created_at: requestedAt,
    requested_at: requestedAt,
    expires_at: times.expiresAt ?? requestedAt + 90 * DAY,
  });
  const items = JSON.stringify(records.map((record) => record.id));
  await rows(
    db,
    "INSERT INTO verification_items (request_id, record_id, position) SELECT ?, value, key FROM json_each(?)",
    id,
    items,
  );
  const [row] = await rows<{ nonce: string }>(db, "SELECT nonce FROM verification_requests WHERE id = ?", id);
  const m = mailboxSecret(SECRET, { token, nonce: row?.nonce ?? "", supervisorEmail });
  const path = `/verify/${token}`;
  return { id, token, m, path, mailedPath: `${path}?m=${m}` };
}

/** Returns the state of each item of a request, in the order in which the records were requested. */
export async function itemStates(db: D1Database, requestId: number): Promise<string[]> {
  const items = await rows<{ state: string; cause: string | null }>(
    db,
    "SELECT state, cause FROM verification_items WHERE request_id = ? ORDER BY position",
    requestId,
  );
  return items.map(({ state, cause }) => (cause ? `${state}: ${cause}` : state));
}

/** A request of a new technician for that many entries and one rope record, and the call that answers it. */
export async function askAbout(app: App, entries = 4) {
  const ada = await app.register({ name: "Kari Nordmann", employeeNumber: "NDT-7" });
  const rope = await ada.addRopeHours();
  const records = [
    ...(await ada.addEntries(entries)).map(({ id }) => ({ type: "entry" as const, id })),
    { type: "rope_hour" as const, id: rope.id },
  ];
  const request = await storeRequest(app.db, { userId: ada.user.id, records });
  const call = `/api/verify/${request.token}`;
  const answer = (body: object, query = "") =>
    app.json("POST", `${call}${query}`, { supervisorName: "Ola Hansen", ...body });
  return { ada, records, ...request, call, answer, states: () => itemStates(app.db, request.id) };
}

/** An item of a request, and the answer to a POST about several, in JSON. */
export interface Item {
  type: "entry" | "rope_hour";
  id: number;
  state: string;
  hash: string;
}

export interface Answer {
  message: string;
  verified: number;
  declined: number;
  skipped: number;
  items: Item[];
}

/** Stores that many requests of a user, made now and withdrawn since: without records, for tests of how many there may be. */
export async function storeRequests(db: App["db"], userId: number, n: number): Promise<void> {
  const now = Date.now();
  await db
    .prepare(
      `INSERT INTO verification_requests (user_id, token, created_at, requested_at, expires_at, ended_at)
        SELECT ?, printf('%018d%018d', ?, value), ?, ?, ?, ? FROM json_each(?)`,
    )
    .bind(userId, userId, now, now, now + 90 * DAY, now, JSON.stringify(Array.from({ length: n }, (_, index) => index)))
    .run();
}

/** Stores that many ended requests to boss@corp.example, each in another spelling of that mailbox, as long as an address can be. */
export async function storeSpellings(db: App["db"], userId: number, n: number): Promise<void> {
  await db
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
      INSERT INTO verification_requests (user_id, token, supervisor_name, supervisor_email, created_at, requested_at,
        expires_at, ended_at)
      SELECT ?1, printf('%018d%018d', ?1, i), 'Bo', 'boss+' || printf('%0236d', i) || '@corp.example', 1, 1, 2, 2 FROM n`,
    )
    .bind(userId, n)
    .run();
}
