import { readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { VERSION } from "#app/server/version.ts";
import { readsAs } from "./disk.ts";
import { dataFolder, start, visit } from "./start.ts";

// Detects a lock file that a killed program leaves behind, and a lock that ends with the runtime's limit of 30 s for a
// transaction.
test("a second program on one data folder is refused, by any path of it, until the first has ended in any way", async () => {
  const data = dataFolder();
  const link = `${join(dataFolder(), "link")}`;
  symlinkSync(data, link);
  const first = await start(data);
  expect((await visit(`${first.url}/auth`)).status).toBe(200);

  const second = await start(link);
  const asks = async () => (await visit(`${second.url}/auth`)).status;
  for (
    const until = Date.now() + 45_000;
    Date.now() < until;
    await new Promise((resolve) => setTimeout(resolve, 500))
  ) {
    expect(await asks()).toBe(503);
  }
  const health = await visit(`${second.url}/healthz`);
  const reason = "Another program uses the data folder.";
  expect([health.status, await health.json()]).toEqual([503, { status: "not ready", version: VERSION, reason }]);
  const line = second.log.find((one) => one.includes('"not ready"')) ?? "{}";
  expect(JSON.parse(line)).toMatchObject({
    level: "error",
    problem: "another program uses this data folder",
    advice: expect.stringContaining("Stop the other program"),
  });
  expect((await visit(`${first.url}/healthz`)).status).toBe(200);

  await first.stop("SIGKILL");
  expect(await readsAs(asks, 200)).toBe(true);
});

// Detects a file that the runtime creates with rights of its own: with umask 077 the whole folder must be closed.
test("with umask 077 other users cannot read its files; the first start of a new folder explains this", async () => {
  const data = dataFolder();
  const before = process.umask(0o077);
  const running = await start(data).finally(() => process.umask(before));
  expect((await visit(`${running.url}/auth`)).status).toBe(200);
  const paths = readdirSync(data, { recursive: true, encoding: "utf8" }).map((path) => join(data, path));
  expect(paths.filter((path) => path.endsWith(".sqlite-wal")).length).toBeGreaterThan(0);
  const modes = paths.map((path) => [path, statSync(path).isDirectory() ? 0o700 : 0o600, statSync(path).mode & 0o777]);
  expect(modes.filter(([, wanted, mode]) => wanted !== mode)).toEqual([]);

  const notice = () => running.log.find((line) => line.includes('"new data folder"'));
  expect(await readsAs(async () => notice() !== undefined, true)).toBe(true);
  expect(JSON.parse(notice() ?? "")).toMatchObject({
    level: "warn",
    advice: expect.stringMatching(/chmod -R go= .*umask 077/),
  });
  await running.stop();
  const again = await start(data);
  expect((await visit(`${again.url}/auth`)).status).toBe(200);
  expect(again.log.join("\n")).not.toContain("new data folder");
});
