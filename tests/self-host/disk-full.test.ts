import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { BINARY } from "#scripts/binary.ts";
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

/** Runs a command with a new file system without room as the folder `data`, which only root can mount. */
function onFullDisk(data: string, command: string, env: Record<string, string> = {}) {
  const full = `mount -t tmpfs -o size=64k tmpfs "${data}" && { head -c 100000 /dev/zero > "${data}/fill"; ${command}; }`;
  const options = { encoding: "utf8", env: { ...process.env, SESSION_SECRET: "", PORT: "0", ...env } } as const;
  return spawnSync("unshare", ["-m", "sh", "-c", full], { ...options, timeout: 2 * 60_000 });
}

const canMount = process.getuid?.() === 0 && onFullDisk(tmpdir(), "true").status === 0;

test.runIf(canMount)(
  "a first start on a full disk ends in words: of npm start, and of the runtime as docs/single-binary.md explains them",
  () => {
    const data = dataFolder();
    const started = onFullDisk(data, "node scripts/run.mjs start", { DATA_DIR: `${data}/new` });
    expect([started.status, started.stderr]).toEqual([
      1,
      expect.stringMatching(/The file .*new\/signing-key cannot be written: ENOSPC.*\n`df .*new` shows whether/),
    ]);
    expect(started.stderr).not.toMatch(/^ {4}at /m);
    const { stderr } = onFullDisk(data, `${BINARY} -ddata="${data}" -shttp=127.0.0.1:0`);
    expect(stderr).toMatch(/SQLite failed; .*: SQLITE_FULL/);
    expect(readFileSync("docs/single-binary.md", "utf8")).toContain("| `SQLite failed; …: SQLITE_FULL`");
  },
);
