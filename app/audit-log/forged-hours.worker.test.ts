import type { JsonWebKey } from "node:crypto";
import { expect, inject, test } from "vitest";
import { checkCheckpoints } from "#app/proof/check-checkpoints.server.ts";
import { readKept } from "#app/proof/kept-checkpoint.ts";
import { startApp } from "#tests/worker/app.ts";
import { count, rows } from "#tests/worker/database.ts";
import { exportHours, type ShownCheck } from "#tests/worker/exports.ts";
import type { Technician } from "#tests/worker/people.ts";
import { storeRequest } from "#tests/worker/requests.ts";
import { verifiedClaims } from "#tests/worker/statement-claims.ts";
import { checkLog } from "./check-log.server.ts";
import { checkSchema } from "./check-schema.server.ts";
import { tableFaults } from "./check-tables.server.ts";

/*
 * An attacker with the database and the program adds 900 hours with everything that belongs to them, and gives their
 * events ids below 1, which every check began after. The form prints the hours, its check and its statement are valid.
 */

const DAY = 24 * 60 * 60 * 1000;
const app = await startApp();
const { db } = app;

/** Returns the faults that `npm run verify-log` finds with a kept checkpoint. */
async function verifyLog(kept: string): Promise<string[]> {
  const execute = (sql: string) => rows(db, sql);
  const found: string[] = [];
  await checkLog(execute, (_kind, _id, { text }) => found.push(text));
  found.push(...(await tableFaults(execute)));
  found.push(
    ...(await checkSchema(
      execute,
      inject("migrations").map(({ statements }) => ({ sql: `${statements.join(";\n")};` })),
    )),
  );
  const { faults, mismatch } = await checkCheckpoints(execute, readKept(kept));
  return [...found, ...faults, ...(mismatch ? [mismatch.text] : [])];
}

/** The number of faults of the check that an admin starts. */
async function checkInApp(admin: Technician): Promise<number | undefined> {
  await admin.json("POST", "/api/admin/log-check");
  for (let minute = 0; minute < 20; minute++) {
    await app.tick(new Date(Date.now() + DAY));
    const [row] = await rows<{ progress: string | null; faults: number }>(
      db,
      "SELECT progress, faults FROM log_checks",
    );
    if (row?.progress === null) return row.faults;
  }
  throw new Error("the check does not end");
}

/** Runs statements without the triggers and CHECKs, which are there again after. */
async function pastTheApp(statements: string[]): Promise<void> {
  const triggers = await rows<{ name: string; sql: string }>(
    db,
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
  );
  await db.prepare("PRAGMA ignore_check_constraints = ON").run();
  await db.batch(
    [...triggers.map(({ name }) => `DROP TRIGGER "${name}"`), ...statements, ...triggers.map(({ sql }) => sql)].map(
      (sql) => db.prepare(sql),
    ),
  );
  await db.prepare("PRAGMA ignore_check_constraints = OFF").run();
}

test("hours whose events have ids below 1 are found, also with every checkpoint as it was", async () => {
  const admin = await app.register({ isAdmin: true });
  const ada = await app.register({ name: "Ada Byron" });
  await ada.addVerifiedEntry({ hours: 5 });
  await app.idle();
  await app.tick(new Date());
  const kept = (await app.get("/checkpoint")).text;
  expect(await verifyLog(kept)).toEqual([]);
  const honest = await count(db, "verification_log");

  const days = Array.from({ length: 40 }, (_, day) =>
    new Date(Date.now() - (30 + day) * DAY).toISOString().slice(0, 10),
  );
  const entries = await ada.addEntries(days.map((date) => ({ date, hours: 22.5 })));
  const asked = await storeRequest(db, {
    userId: ada.user.id,
    records: entries.map(({ id }) => ({ type: "entry" as const, id })),
  });
  const answer = await app.json("POST", `/api${asked.mailedPath}`, { supervisorName: "Ingrid Solheim" });
  expect(answer.status).toBe(200);
  await app.idle();
  await pastTheApp([
    `UPDATE verification_log SET id = id - 1000000 WHERE id > ${honest}`,
    `UPDATE event_facts SET first_event = first_event - 1000000, last_event = last_event - 1000000
      WHERE first_event > ${honest}`,
  ]);

  const made = await exportHours(ada);
  expect(made.form.rows.reduce((sum, { hundredths }) => sum + (hundredths ?? 0), 0)).toBe(90_500);
  const keys = (await app.get("/.well-known/jwks.json")).json<{ keys: JsonWebKey[] }>().keys;
  expect(verifiedClaims(made.statement ?? "", keys)?.sum.total).toBe(905);
  const shown = (await app.get(`/api/check/${made.code}`)).json<ShownCheck>();
  expect(new Set(shown.records.map(({ state }) => state))).toEqual(new Set(["unchanged"]));

  expect(await verifyLog(kept)).toEqual([
    expect.stringMatching(/^the table verification_log has 40 rows whose id the app never gives: from -\d+ to -\d+$/),
    expect.stringMatching(/^\d+ is stored as the id of the last event in sqlite_sequence, but the last one in the log/),
    expect.stringMatching(/^checkpoint 1 of .* differs: its 2 events were changed since$/),
    "the stored tree of 2 events differs from the events",
    expect.stringMatching(/^event 1 of record \d+ \(.*\) has the id -\d+, which does not follow 0; 1 more, too$/),
    expect.stringContaining("The log was rewritten"),
  ]);
  expect(await checkInApp(admin)).toBeGreaterThan(3);
});
