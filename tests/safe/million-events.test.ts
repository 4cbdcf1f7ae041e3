import { expect, test } from "vitest";
import { connect } from "#app/db/client.server.ts";
import { publishCheckpoint } from "#app/proof/publish-checkpoint.server.ts";
import { rows, startDatabase } from "#tests/worker/database.ts";
import { SIGNING_KEY } from "#tests/worker/signing-key.ts";
import { reportFigure } from "./figures.ts";

const MILLION = 1_000_000;
/** Events for one statement, which D1 limits to 30 s. */
const BLOCK = 50_000;
const KEY = { signingKey: SIGNING_KEY, logOrigin: "hours.example.com" };
const DAY_MS = 24 * 60 * 60 * 1000;

/** A log of a million events with random hashes, each of a record of its own. */
async function millionEvents(): Promise<D1Database> {
  const db = await startDatabase();
  for (let first = 1; first < MILLION; first += BLOCK) {
    await db
      .prepare(
        `WITH RECURSIVE ids (id) AS (SELECT ?1 UNION ALL SELECT id + 1 FROM ids WHERE id < ?1 + ?2 - 1)
        INSERT INTO verification_log (record_id, number, event, at, record_hash, supervisor_hash, previous, hash)
        SELECT id, 1, 'requested', 0, randomblob(32), randomblob(32), zeroblob(32), randomblob(32) FROM ids`,
      )
      .bind(first, BLOCK)
      .run();
  }
  return db;
}

/** Publishes until there is one more checkpoint; returns the time of each run in milliseconds. */
async function runsUntilPublished(db: D1Database, now: Date): Promise<number[]> {
  const stored = () => rows<{ size: number }>(db, "SELECT size FROM checkpoints");
  const before = (await stored()).length;
  const times: number[] = [];
  while ((await stored()).length === before) {
    const start = performance.now();
    await publishCheckpoint(connect(db), now, KEY);
    times.push(performance.now() - start);
  }
  return times;
}

test.runIf(process.env.SAFE)("a million events are in a checkpoint after 20 runs of the timer", async () => {
  const db = await millionEvents();
  const times = await runsUntilPublished(db, new Date());
  expect(times).toHaveLength(20);
  const nextDay = await runsUntilPublished(db, new Date(Date.now() + DAY_MS));
  expect(await rows(db, "SELECT size FROM checkpoints")).toEqual([{ size: MILLION }, { size: MILLION }]);
  const longest = Math.round(Math.max(...times));
  const sum = (times.reduce((one, other) => one + other) / 1000).toFixed(1);
  reportFigure(
    "Checkpoint of a million events",
    `${times.length} runs of at most ${longest} ms, ${sum} s in all; ${Math.round(nextDay[0] ?? 0)} ms the day after`,
  );
});
