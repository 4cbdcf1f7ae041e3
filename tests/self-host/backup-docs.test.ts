import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { BINARY } from "#scripts/binary.ts";
import type { Running } from "#self-host/build/running.ts";
import { freePort } from "#tests/free-port.ts";
import { dataFolder, register, SETTINGS, start } from "./start.ts";
import { backUp, KEY, s3ForTest, settingsFor } from "./stored-backups.ts";

/*
 * Follows docs/backups.md and the part Backup of docs/single-binary.md as an operator would: the commands of the drill in a shell,
 * from an S3-compatible server and from the folder of backups, its program for an encrypted backup, and a backup by request. Only the
 * port is another, because tests run beside each other.
 */

const DOCUMENT = readFileSync("docs/backups.md", "utf8");
const DRILL = /### The drill.*?```sh\n(.*?)```/s.exec(DOCUMENT)?.[1] ?? "";
const PROGRAM = /```js\n(.*?)```/s.exec(DOCUMENT)?.[1] ?? "";

const [BACK_UP = "", RESTORE = ""] =
  /\n## Backup\n.*?```sh\n(.*?)```.*?```sh\n(.*?)```/s.exec(readFileSync("docs/single-binary.md", "utf8"))?.slice(1) ??
  [];

/** The files that the drill leaves in its data folder. */
const FILES = ["backups", "clock", "database", "lock", "signing-key"];

/** Logs 40 entries and takes a backup. */
async function storedBackup(running: Running) {
  const ada = await register(running, "ada@example.com");
  const entry = { date: "2026-03-02", location: "Dock 4", method: "ET", hours: 7.25 };
  expect((await ada.call("POST", "/api/entries", Array(40).fill(entry))).status).toBe(201);
  return backUp(running);
}

/** Runs the commands of the drill in a folder, and returns the line of the log that they print. */
async function drill(folder: string, settings: Record<string, string>): Promise<unknown> {
  symlinkSync(resolve(BINARY), join(folder, "hours-tracker"));
  const env = Object.entries(settings).map(([name, value]) => `${name}='${value}'`);
  writeFileSync(join(folder, "hours-tracker.env"), `${env.join("\n")}\n`);
  const { status, output } = await inShell(folder, DRILL.replaceAll("8788", String(await freePort())));
  expect([status, output]).toEqual([0, expect.stringContaining('{"status":"ok"')]);
  return JSON.parse(output.split("\n").find((line) => line.includes('"event":"restore"')) ?? "");
}

/** Runs commands in a folder, until the first that fails. The processes that they have started end with the test. */
async function inShell(folder: string, commands: string, env: Record<string, string> = {}) {
  const options = { cwd: folder, env: { PATH: process.env.PATH, ...env }, detached: true };
  const shell = spawn("bash", ["-e", "-c", commands], options);
  const group = shell.pid ?? process.pid; // it was started
  onTestFinished(() => void spawnSync("kill", ["-9", "--", `-${group}`]));
  let output = "";
  for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (bytes) => (output += bytes));
  const status = await new Promise((ended) => shell.on("exit", ended));
  return { status, output };
}

// Seen to fail: curl came before the program listened, and the process that `$!` named was not the program.
test("the commands of docs/single-binary.md take a backup by request and restore it into an empty folder", async () => {
  const folder = dataFolder();
  const running = await start(join(folder, "data"));
  await register(running, "ada@example.com");
  expect((await inShell(folder, BACK_UP.replace(":8787", `:${running.port}`), SETTINGS)).status).toBe(0);
  await running.stop();
  symlinkSync(resolve(BINARY), join(folder, "hours-tracker"));
  const [copy = ""] = readdirSync(folder).filter((name) => name.endsWith(".sql.gz"));
  const commands = RESTORE.replaceAll("8787", String(await freePort())).replace(/hours-[\d-]+\.sql\.gz/, copy);
  const { status, output } = await inShell(folder, `${commands}\nkill $!\nwait $!`, SETTINGS);
  expect([status, output]).toEqual([0, expect.stringMatching(/"message":"Restored".*"users":1/)]);
  expect(await running.stop()).toBe(0);
});

// Catches a drill that works only with a store: without one the new folder has no backup.
test("the drill of docs/backups.md restores a backup from the folder of an installation without a store", async () => {
  const folder = dataFolder();
  const settings = { ...SETTINGS, BACKUP_AT: "off" };
  const running = await start(join(folder, "data"), settings);
  const { backup, rows } = await storedBackup(running);
  await running.stop();
  expect(await drill(folder, settings)).toMatchObject({ backup, place: "folder", rows });
  expect(rows).toMatchObject({ users: 1, records: 40 });
  expect(readdirSync(join(folder, "data-new")).sort()).toEqual(FILES);
  const stored = (data: string) => readdirSync(join(folder, data, "backups")).sort();
  expect(stored("data-new")).toEqual(stored("data")); // the drill stores nothing
});

test("the drill of docs/backups.md restores an encrypted backup from an S3-compatible store, and its program decrypts it", async () => {
  const s3 = await s3ForTest();
  const settings = { ...settingsFor(s3), BACKUP_KEY: KEY };
  const data = dataFolder();
  const running = await start(data, settings);
  const { backup, rows } = await storedBackup(running);
  await running.stop();
  const before = new Map(s3.objects);

  const folder = dataFolder();
  expect(await drill(folder, settings)).toMatchObject({ backup, place: "s3", rows });
  expect(rows).toMatchObject({ users: 1, records: 40 });
  expect(new Map(s3.objects)).toEqual(before); // the drill stores nothing
  expect(readdirSync(join(folder, "data-new")).sort()).toEqual(FILES);

  const files = dataFolder();
  mkdirSync(files, { recursive: true });
  writeFileSync(join(files, backup), s3.objects.get(`hours/${backup}`) ?? "");
  writeFileSync(join(files, "decrypt.mjs"), PROGRAM);
  const decrypt = (BACKUP_KEY: string) =>
    spawnSync(process.execPath, ["decrypt.mjs", backup], { cwd: files, env: { BACKUP_KEY }, encoding: "utf8" });
  expect(decrypt(`${KEY}x`).status).toBe(1);
  expect(decrypt(KEY)).toMatchObject({ status: 0, stderr: "" });
  const sql = gunzipSync(readFileSync(join(files, backup.replace(/\.enc$/, "")))).toString();
  expect(sql.match(/^INSERT INTO records /gm)).toHaveLength(40);
});
