import { expect, test } from "vitest";
import { tableFaults } from "#app/audit-log/check-tables.server.ts";
import { connect } from "#app/db/client.server.ts";
import { checkCheckpoints } from "#app/proof/check-checkpoints.server.ts";
import { readKept } from "#app/proof/kept-checkpoint.ts";
import { publishCheckpoint } from "#app/proof/publish-checkpoint.server.ts";
import { randomFrom } from "#demo/random.ts";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { SIGNING_KEY } from "#tests/worker/signing-key.ts";
import { reportFigure } from "./figures.ts";
import { checked, startLogWorld } from "./log-world.ts";
import { restore, snapshotOf } from "./snapshot.ts";
import { TAMPERINGS } from "./tamperings.ts";

/*
 * An attacker with access to the database alters it past its triggers, each time in another place. `npm run verify-log`
 * finds every alteration: as a fault, or, if it leaves correct hashes, by its digest, which then differs from the one
 * that was kept. The last test checks the test itself with a check that misses some.
 */

const wanted = Number(process.env.SAFE_TAMPERINGS) || TAMPERINGS.length;
const seed = Number(process.env.SAFE_SEED) || 2026_11_22;

const app = await startApp();
const { db } = app;
const world = await startLogWorld(app);
await publishCheckpoint(connect(db), new Date(), { signingKey: SIGNING_KEY, logOrigin: "hours.example.com" });
const [published] = await rows<{ note: string }>(db, "SELECT note FROM checkpoints");
const kept = readKept(published?.note ?? "");
const whole = await snapshotOf(db);
const before = await checked(db);

/** The number of faults with a checkpoint that was kept of before. */
async function contradictions(): Promise<number> {
  const { faults, mismatch } = await checkCheckpoints((sql) => rows(db, sql), kept);
  return faults.length + (mismatch ? 1 : 0);
}

/** Alters the database that many times, and restores it each time. Returns what was not found by a check that sees it by `execute`. */
async function missedOf(times: number, execute?: Parameters<typeof checked>[1]): Promise<string[]> {
  const next = randomFrom(seed);
  const missed: string[] = [];
  for (let done = 0; done < times; ) {
    const { name, foundBy, statements } = TAMPERINGS[done % TAMPERINGS.length] ?? failed();
    const list = statements(world, next);
    if (list.length === 0) continue; // another place
    await db.batch(list.map((sql) => db.prepare(sql)));
    const after = await checked(db, execute);
    const isFound =
      foundBy === "check"
        ? after.faults.length > 0
        : foundBy === "digest"
          ? after.digest !== before.digest
          : foundBy === "tables"
            ? (await tableFaults((sql) => rows(db, sql))).length > 0
            : (await contradictions()) > 0;
    if (!isFound) missed.push(`${name}: ${list.join("; ")}`);
    await restore(db, whole);
    done += 1;
  }
  return missed;
}

const failed = () => {
  throw new Error("there is no way to alter the database");
};

test(`each of ${wanted} alterations of the database past its triggers is found`, {
  timeout: 10 * 60_000 + wanted * 1000,
}, async () => {
  expect([kept?.size, await contradictions()]).toEqual([world.events.length, 0]);
  expect(await tableFaults((sql) => rows(db, sql))).toEqual([]);
  expect([before.faults, world.verified.length > 8, world.unverified.length > 1]).toEqual([[], true, true]);
  expect(await missedOf(wanted)).toEqual([]);
  expect(await checked(db)).toEqual(before);
  reportFigure("Alterations of the log", `${wanted} of ${wanted} found, in ${TAMPERINGS.length} ways`);
});

test("this test detects a check that takes every fact about supervisors for an erased one", async () => {
  const missed = await missedOf(TAMPERINGS.length, async (sql) =>
    (await rows(db, sql)).map((row) => ({
      ...row,
      ...(typeof row.facts === "string" && {
        facts: JSON.stringify({ technician: JSON.parse(row.facts).technician }),
      }),
      // The columns that say that they were not erased.
      ...(typeof row.requests === "string" && { requests: "[]", isAnswerNamed: row.isAnswerNamed && 0 }),
    })),
  );
  expect(missed.map((text) => text.split(":")[0])).toContain("the fact name is changed");
});
