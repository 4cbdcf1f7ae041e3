import { exportCode, hashCode } from "#app/proof/export-code.server.ts";
import { sealOf } from "#app/proof/rows-hash.server.ts";
import type { Snapshot } from "#app/proof/snapshot.ts";
import { toHundredths } from "#app/records/hours.ts";

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

/** What an export of an entry of the world prints. */
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
