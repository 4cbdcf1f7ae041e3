import { expect, test } from "vitest";
import { limitFileSizes, readsAs, survivingFullDisk } from "./disk.ts";
import { dataFolder, register, start, visit } from "./start.ts";

// Detects a check that only reads: on a full disk every read succeeds.
test("/healthz reports a full disk, and when it is writable again; no saved data is lost", async () => {
  const running = await start(dataFolder(), undefined, survivingFullDisk(dataFolder()));
  const ada = await register(running, "ada@example.com");
  const health = () => visit(`${running.url}/healthz`).then(({ status }) => status);
  expect(await health()).toBe(200);
  limitFileSizes(running.pid, "1");
  expect(await readsAs(health, 503)).toBe(true);
  const { reason }: { reason: string } = await (await visit(`${running.url}/healthz`)).json();
  expect(reason).toContain("Check that the disk has free space");
  limitFileSizes(running.pid, "unlimited");
  expect(await readsAs(health, 200)).toBe(true);
  const entry = { date: "2026-03-02", location: "Dock 4", method: "ET", hours: 7.25 };
  expect((await ada.call("POST", "/api/entries", [entry])).status).toBe(201);
});
