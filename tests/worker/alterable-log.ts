import { beforeEach } from "vitest";
import { checkLog, type Report } from "#app/audit-log/check-log.server.ts";
import { restore, snapshotOf } from "#tests/safe/snapshot.ts";
import { startApp } from "./app.ts";
import { rows } from "./database.ts";
import type { Technician } from "./people.ts";

/** The check's report, with the faults as text. */
export type CheckedLog = Report & { reported: string[] };

/**
 * An app with the log of a verified entry, verified rope hours and an open entry, whose triggers are
 * then dropped. The database is restored before each test.
 */
export async function startAlterableLog() {
  const app = await startApp();
  const { db } = app;
  const ada = await app.register();
  const { entry } = await ada.addVerifiedEntry({ location: "Mongstad" });
  // The entry is verified without an account, the rope hours by a signed-in user.
  const rope = await verifiedRope(ada, await app.register());
  const open = await ada.addEntry();
  await ada.requestVerification(open.id);
  await ada.json("DELETE", `/api/verify-request/${open.id}`);
  await ada.requestVerification(open.id);
  await app.idle();
  // Only now: the app relies on its triggers.
  for (const { name } of await rows<{ name: string }>(db, "SELECT name FROM sqlite_master WHERE type = 'trigger'")) {
    await db.prepare(`DROP TRIGGER "${name}"`).run();
  }
  const whole = await snapshotOf(db);
  beforeEach(() => restore(db, whole));

  async function check(): Promise<CheckedLog> {
    const reported: string[] = [];
    const report = await checkLog(
      (sql) => rows(db, sql),
      (kind, id, { line, text }) => reported.push(`${kind?.name ?? null} ${id} ${line}: ${text}`),
    );
    return { ...report, reported };
  }

  const conditions = {
    ENTRY: `record_id = ${entry.id}`,
    ROPE: `record_id = ${rope}`,
  };
  return { app, db, ada, entry, rope, open, check, ...conditions };
}

async function verifiedRope(who: Technician, verifier: Technician): Promise<number> {
  const { id } = await who.addRopeHours();
  const { id: supervisorId } = await who.addSupervisor();
  const asked = await who.json("POST", `/api/verify-request-rope/${id}`, { supervisorId });
  const { verificationToken } = asked.json<{ verificationToken: string }>();
  await verifier.json("POST", `/api/verify/${verificationToken}`, { supervisorName: "Kari Dahl" });
  return id;
}
