import { rmSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { databaseOf, serveWorker, timerOf } from "#scripts/lib/local.ts";
import { databaseFolder } from "#tests/memory-folder.ts";
import { count, migrate } from "./database.ts";

// Catches a timer that reaches another Worker than the app: Miniflare has one in front of the app, for its static files.
test("npm start runs the app's timer, and hears when it fails", async () => {
  const data = databaseFolder();
  const worker = serveWorker({ SESSION_SECRET: "a secret for tests, of 32 bytes and more" }, { data, quiet: true });
  afterAll(async () => {
    await worker.dispose();
    rmSync(data, { recursive: true, force: true });
  });
  await worker.ready;
  const tick = await timerOf(worker);
  await expect(tick()).rejects.toThrow("it ended with exception"); // there are no tables yet
  const db = databaseOf(worker);
  await migrate(db);
  await db.prepare("INSERT INTO attempts (subject, at) VALUES (?, 1)").bind("0".repeat(64)).run();
  await tick();
  expect(await count(db, "attempts")).toBe(0);
});
