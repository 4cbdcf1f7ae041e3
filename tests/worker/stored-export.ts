import { appendEvents } from "#app/audit-log/log.server.ts";
import { connect } from "#app/db/client.server.ts";
import { exportCode, hashCode } from "#app/proof/export-code.server.ts";
import { sealOf } from "#app/proof/rows-hash.server.ts";
import type { Snapshot } from "#app/proof/snapshot.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { toHundredths } from "#app/records/hours.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { ownerOf, rows } from "./database.ts";

/** `startApp`'s SESSION_SECRET. */
const SECRET = "a secret for tests, of 32 bytes and more";

/** A code without an export. */
export const UNKNOWN_CODE = "0000-0000-0000-0000-0";

let exports = 0;

/** An export of one entry, as the app would store it once the entry is gone, for a batch. It is verified by no mailbox. */
export function storedExport(db: D1Database, userId: number, snapshot: Snapshot) {
  exports += 1;
  const id = 10 ** 15 + Date.now() * 1_000 + exports;
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const code = exportCode(SECRET, id, nonce);
  const { form, madeAt, madeOn, name, employeeNumber, records } = snapshot;
  const [record] = records;
  const { hours, broughtForward, ...columns } = record?.content ?? {};
  const stored = {
    kind: "entry",
    ...columns,
    endDate: null,
    hours: toHundredths(Number(hours)),
    broughtForward: Number(broughtForward),
    fields: {},
    supervisor: record?.supervisor,
    via: record?.via,
  };
  return {
    id,
    code,
    statements: [
      db
        .prepare(
          `INSERT INTO exports (id, user_id, form, nonce, code_hash, made_at, made_on, name, employee_number,
            records, hundredths, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 750, ?)`,
        )
        .bind(
          ...[id, userId, form, nonce, hashCode(code), madeAt.getTime(), madeOn, name, employeeNumber],
          sealOf(code, snapshot),
        ),
      db
        .prepare("INSERT INTO export_records (export_id, record_id, position, content) VALUES (?, ?, 1, ?)")
        .bind(id, record?.recordId ?? 0, JSON.stringify(stored)),
    ],
  };
}

/** Returns the content of an export of an entry of the world. */
export function snapshotOfEntry(entryId: number, name: string, location: string): Snapshot {
  return {
    form: "ojt",
    madeAt: new Date(),
    madeOn: "2026-11-21",
    name,
    employeeNumber: null,
    records: [
      {
        recordId: entryId,
        type: "entry",
        supervisor: "Ola Hansen",
        via: "link",
        domain: null,
        content: { date: "2026-11-20", location, method: "MT", hours: 7.5, broughtForward: false },
      },
    ],
  };
}

/** Inserts entries that are verified, with their logs. `days` are those after the start of 2000. */
export async function insertVerified(
  db: D1Database,
  userId: number,
  list: { location: string; days: number; fields?: { details?: Record<string, string> } }[],
): Promise<void> {
  const inserted = await rows<{ id: number; date: string; location: string; details: string }>(
    db,
    `INSERT INTO records (user_id, kind, date, location, method, hours, fields, verified, verified_by, verified_at,
        verified_via, search, created_at)
      SELECT ?, 'entry', date('2000-01-01', '+' || (value ->> 'days') || ' days'), value ->> 'location', 'MT', 750,
        coalesce(value ->> 'fields', '{}'), 1, 'Ola', 1, 'link', '', 1
      FROM json_each(?) RETURNING id, date, location, coalesce(fields -> 'details', '{}') AS details`,
    userId,
    JSON.stringify(list),
  );
  const owner = await ownerOf(db, userId);
  const verified = inserted.map((record) => ({
    position: { id: record.id, userId, last: undefined },
    event: {
      event: "verified" as const,
      at: new Date(1),
      via: "link" as const,
      name: "Ola",
      recordHash: recordHash(entryKind, {
        ...record,
        details: JSON.parse(record.details),
        owner,
        method: "MT",
        hours: 7.5,
        createdAt: new Date(1),
      }),
    },
  }));
  for (let start = 0; start < verified.length; start += 2_000) {
    const { event, facts } = appendEvents(connect(db), verified.slice(start, start + 2_000));
    await event;
    await facts;
  }
}
