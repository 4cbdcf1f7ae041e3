import type { FormName } from "#app/db/enumerations.ts";
import { printedRecord, type Snapshot } from "#app/proof/snapshot.ts";
import type { App } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { exportHours } from "#tests/worker/exports.ts";
import type { Technician } from "#tests/worker/people.ts";
import { storeRequest } from "#tests/worker/requests.ts";
import { type Paper, paperOf } from "./export-paper.ts";
import { type LogWorld, readLog } from "./log-world.ts";

/** A form that was exported, with the rows that a forger may alter. */
export interface ExportedForm {
  id: number;
  paper: Paper;
  form: FormName;
  userId: number;
  /** The content of its seal. */
  snapshot: Snapshot;
  /** Its records with their events. Positions count from 1. */
  records: { id: number; position: number; verified: LogWorld["verified"][number]; events: LogWorld["events"] }[];
}

/** Forms of two technicians. The first has fewer records of the same log than the second. */
export interface ExportWorld {
  forms: ExportedForm[];
  log: Pick<LogWorld, "events">;
}

interface ExportRow {
  form: FormName;
  made_at: number;
  made_on: string;
  name: string;
  employee_number: string | null;
  user_id: number;
  domains: string;
}

interface PrintedRow {
  recordId: number;
  position: number;
  content: string;
  domain: number | null;
  stated: string | null;
}

const METHODS = ["MT", "PT", "ET", "UT_THK"];

/**
 * Has hours of every form verified, by link and by mailbox, alone and in requests of several, some brought forward, and exports
 * them. The triggers of the database are then dropped.
 */
export async function startExportWorld(app: App): Promise<ExportWorld> {
  const kari = await app.register({ name: "Kari Nordmann", employeeNumber: "NDT-7" });
  const jan = await app.register({ name: "Jan Kowalski", employeeNumber: null });
  const first = await kari.addEntries(drafts(4, "Mongstad", 1));
  await verifyOf(app, kari, first, "Ola Hansen");
  const older = await exportHours(kari);
  const early = { date: "2020-12-31", hours: 120, broughtForward: true };
  const more = await kari.addEntries([...drafts(5, "Kårstø", 10), { ...early, location: "Log book" }]);
  await verifyOf(app, kari, more, "Ingrid Solheim");
  const ropes = [await kari.addRopeHours(), await kari.addRopeHours({ hours: 12.25 }), await kari.addRopeHours()];
  await verifyOf(app, kari, ropes, "Ola Hansen", "rope_hour");
  await verifyOf(app, jan, await jan.addEntries(drafts(4, "Gullfaks C", 3)), "Ola Hansen");
  const made = [older, await exportHours(kari), await exportHours(kari, "rope-access-log"), await exportHours(jan)];
  await app.idle();
  for (const { name } of await rows<{ name: string }>(app.db, "SELECT name FROM sqlite_master WHERE type = 'trigger'"))
    await app.db.prepare(`DROP TRIGGER "${name}"`).run();
  const log = await readLog((sql) => rows(app.db, sql));
  const all = log.events.map((event) => ({ ...event, isOfRecord: true }));
  const forms = await Promise.all(
    made.map(async (one): Promise<ExportedForm> => {
      const [row] = await rows<ExportRow>(app.db, "SELECT * FROM exports WHERE id = ?", one.id);
      if (!row) throw new Error("an export is not stored");
      const { form, made_at, made_on: madeOn, name, employee_number: employeeNumber, user_id: userId } = row;
      const list = await rows<PrintedRow>(
        app.db,
        "SELECT record_id AS recordId, position, content, domain, stated FROM printed_records WHERE export_id = ? ORDER BY position",
        one.id,
      );
      const snapshot: Snapshot = {
        form,
        madeAt: new Date(made_at),
        madeOn,
        name,
        employeeNumber,
        records: list.map(({ content, stated, domain, recordId }) =>
          printedRecord(form, {
            ...{ recordId, verifiedFor: null, dayHundredths: null, continuity: null },
            domain: domain === null ? null : JSON.parse(row.domains)[domain],
            content: JSON.parse(content),
            stated: stated === null ? null : JSON.parse(stated),
          }),
        ),
      };
      const records = list.map(({ recordId: id, position }) => {
        const verified = log.records.find((record) => record.id === id);
        if (!verified) throw new Error("an exported record is missing");
        const events = all.filter(({ recordId }) => recordId === id);
        return { id, position, verified, events };
      });
      return { id: one.id, paper: paperOf(one), form, userId, snapshot, records };
    }),
  );
  return { forms, log: { events: all } };
}

function drafts(count: number, location: string, day: number) {
  return Array.from({ length: count }, (_, index) => ({
    date: `2026-11-${String(day + index).padStart(2, "0")}`,
    location: `${location} ${index + 1}`,
    method: METHODS[index % METHODS.length],
    hours: 4.5 + index / 4,
  }));
}

/** Has all but the first verified by the mailed link of one request, and the first by the shared link of another. */
async function verifyOf(
  app: App,
  { user }: Technician,
  list: { id: number }[],
  supervisorName: string,
  type: "entry" | "rope_hour" = "entry",
): Promise<void> {
  const items = list.map(({ id }) => ({ type, id }));
  const shared = await storeRequest(app.db, { userId: user.id, records: items.slice(0, 1) });
  const mailed = await storeRequest(app.db, { userId: user.id, records: items.slice(1) });
  for (const path of [shared.path, mailed.mailedPath]) {
    const { status, text } = await app.json("POST", `/api${path}`, { supervisorName });
    if (status !== 200) throw new Error(`expected 200, got ${status}: ${text}`);
  }
}
