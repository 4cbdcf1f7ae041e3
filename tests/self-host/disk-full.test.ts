import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { largestFile, limitFileSizes, readsAs, survivingFullDisk } from "./disk.ts";
import { dataFolder, register, start, visit } from "./start.ts";

// Detects a check that only reads: on a full disk every read succeeds.
test("/healthz reports a full disk, and when it is writable again; no saved data is lost", async () => {
  const running = await start(dataFolder(), undefined, survivingFullDisk(dataFolder()));
  const ada = await register(running, "ada@example.com");
  const health = () => visit(`${running.url}/healthz`).then(({ status }) => status);
  expect(await health()).toBe(200);
  limitFileSizes(running.pid, 1);
  expect(await readsAs(health, 503)).toBe(true);
  const { reason }: { reason: string } = await (await visit(`${running.url}/healthz`)).json();
  expect(reason).toContain("Check that the disk has free space");
  limitFileSizes(running.pid, "unlimited");
  expect(await readsAs(health, 200)).toBe(true);
  const entry = { date: "2026-03-02", location: "Dock 4", method: "ET", hours: 7.25 };
  expect((await ada.call("POST", "/api/entries", [entry])).status).toBe(201);
});

// Detects a check that writes less than a save does: it fits into space that SQLite's log has already, when no save does.
test("/healthz reports a disk that is full for saves, although less can still be written, and leaves nothing on it", async () => {
  const data = dataFolder();
  const running = await start(data, undefined, survivingFullDisk(dataFolder()));
  const ada = await register(running, "ada@example.com");
  const health = () => visit(`${running.url}/healthz`).then(({ status }) => status);
  const entries = Array.from({ length: 500 }, () => ({
    date: "2026-03-02",
    location: "Dock 4",
    method: "ET",
    hours: 1,
  }));
  const save = async () => (await ada.call("POST", "/api/entries", entries)).status;
  expect([await health(), await save()]).toEqual([200, 201]);
  limitFileSizes(running.pid, largestFile(data));
  let last = 201;
  for (let saves = 0; last === 201 && saves < 100; saves += 1) last = await save();
  expect(last).toBe(500);
  expect(await readsAs(health, 503, 20_000)).toBe(true); // a result is kept for ten seconds
  limitFileSizes(running.pid, "unlimited");
  expect(await readsAs(health, 200)).toBe(true);
  expect(await save()).toBe(201);
  expect(readdirSync(data, { recursive: true, encoding: "utf8" }).filter((path) => path.includes("room"))).toEqual([]);
});
