import { checkLog } from "#app/audit-log/check-log.server.ts";
import { eventsAfter, recordsAfter } from "#app/audit-log/check-rows.server.ts";
import type { Execute } from "#app/db/client.server.ts";
import type { KindAndRecord } from "#app/records/any-record.server.ts";
import type { App } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { storeRequest } from "#tests/worker/requests.ts";

/** The rows of a database to alter: its events, and its records by whether they are verified. */
export interface LogWorld {
  events: (Awaited<ReturnType<typeof eventsAfter>>[number] & { isOfRecord: boolean })[];
  verified: LoggedRecord[];
  unverified: LoggedRecord[];
  /** An account that owns none of them. */
  otherUser: number;
}

interface LoggedRecord extends KindAndRecord {
  id: number;
}

/**
 * Fills a database with logs of every form: records that were verified by link and by mailbox, alone and in requests of
 * several, declined, edited, withdrawn, deleted, disowned and verified again. Its triggers are then dropped.
 */
export async function startLogWorld(app: App): Promise<LogWorld> {
  const [ada, other] = [await app.register(), await app.register()];
  const entries = await ada.addEntries(10);
  const ropes = [await ada.addRopeHours(), await ada.addRopeHours({ hours: 12 }), await ada.addRopeHours()];
  const items = [
    ...entries.slice(0, 6).map(({ id }) => ({ type: "entry" as const, id })),
    ...ropes.map(({ id }) => ({ type: "rope_hour" as const, id })),
  ];
  const answer = (path: string, body: object) => app.json("POST", `/api${path}`, body);
  const asked = await storeRequest(app.db, { userId: ada.user.id, records: items });
  const [one, two, three] = items;
  await answer(asked.path, {
    supervisorName: "Ola Hansen",
    declined: [{ ...one, reason: "Not my job" }],
    skipped: [two, three],
  });
  await answer(asked.mailedPath, { supervisorName: "Ingrid Solheim", certification: { level: "3" }, skipped: [two] });
  for (const { id } of entries.slice(6)) {
    const token = await ada.requestVerification(id);
    await app.idle();
    if (id !== entries[6]?.id) await answer(`/verify/${token}`, { supervisorName: `Kari ${id}` });
  }
  await ada.json("PATCH", `/api/entries/${entries[0]?.id}`, { hours: 3 });
  await ada.requestVerification(entries[0]?.id ?? 0);
  await ada.json("DELETE", `/api/verify-request/${entries[0]?.id}`);
  await ada.requestVerification(entries[0]?.id ?? 0);
  const gone = await ada.addEntry();
  await ada.requestVerification(gone.id);
  await ada.json("DELETE", `/api/entries/${gone.id}`);
  await app.idle();
  for (const { name } of await rows<{ name: string }>(app.db, "SELECT name FROM sqlite_master WHERE type = 'trigger'"))
    await app.db.prepare(`DROP TRIGGER "${name}"`).run();
  return readWorld((sql) => rows(app.db, sql), other.user.id);
}

async function readWorld(execute: Execute, otherUser: number): Promise<LogWorld> {
  const { events, records } = await readLog(execute);
  const ids = new Set(records.map(({ id }) => id));
  return {
    events: events.map((event) => ({ ...event, isOfRecord: ids.has(event.recordId) })),
    verified: records.filter(({ record }) => record.verified),
    unverified: records.filter(({ record }) => !record.verified),
    otherUser,
  };
}

/** All events, by their id, and all records. */
export async function readLog(execute: Execute) {
  const events = await eventsAfter(execute, { recordId: 0, number: 0 }, Number.MAX_SAFE_INTEGER);
  const records = await recordsAfter(execute, 0);
  return {
    events: events.sort((one, next) => one.id - next.id),
    records: records.map((found): LoggedRecord => ({ ...found, id: found.record.id })),
  };
}

/** The number of faults that the check of the log finds, and its digest. */
export async function checked(db: D1Database, seenBy: Execute = (sql) => rows(db, sql)) {
  const faults: string[] = [];
  const { digest } = await checkLog(seenBy, (_kind, _id, { text }) => faults.push(text));
  return { faults, digest };
}
