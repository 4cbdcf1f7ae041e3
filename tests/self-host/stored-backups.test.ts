import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Running } from "#self-host/build/running.ts";
import { BUCKET } from "./s3-server.ts";
import { dataFolder, logged, logIn, register, SETTINGS, start, visit } from "./start.ts";
import { backUp, KEY, restoreBytes, restoreFrom, s3ForTest, settingsFor } from "./stored-backups.ts";

const ENTRIES = Array.from({ length: 500 }, (_, i) => ({
  date: "2026-03-02",
  location: `Dock ${i}`,
  method: "ET",
  hours: 0.1 + i / 100,
}));

/** An account with 500 entries. */
async function filled(running: Running): Promise<void> {
  const ada = await register(running, "ada@example.com");
  expect((await ada.call("POST", "/api/entries", ENTRIES)).status).toBe(201);
}

async function entriesOf(running: Running): Promise<number> {
  const ada = await logIn(running, "ada@example.com");
  return ((await (await ada.call("GET", "/api/entries")).json()) as unknown[]).length;
}

const backupsIn = (data: string) => readdirSync(join(data, "backups")).sort();

test("a missing backup is written by the timer after a start, also into a folder that is a link, and read back", async () => {
  const data = dataFolder();
  const before = await start(data, { ...SETTINGS, BACKUP_AT: "off" });
  await filled(before);
  await before.stop();
  rmSync(join(data, "clock"), { recursive: true }); // its next alarm would come in a minute
  const elsewhere = dataFolder();
  symlinkSync(elsewhere, join(data, "backups"));

  const running = await start(data, { ...SETTINGS, TZ: "Europe/Oslo" });
  await visit(`${running.url}/healthz`);
  const line = JSON.parse(await logged(running.log, /"backup stored"/));
  const [name = "", note = ""] = readdirSync(elsewhere).sort();
  expect(name).toMatch(/^hours-tracker-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.sql\.gz$/);
  expect(line).toMatchObject({ level: "info", place: "folder", backup: name });
  expect(note).toBe(`${name}.json`);
  const sql = gunzipSync(readFileSync(join(elsewhere, name))).toString();
  expect(sql.endsWith("-- end of backup\n")).toBe(true);
  expect(JSON.parse(readFileSync(join(elsewhere, note), "utf8"))).toMatchObject({ rows: { users: 1, records: 500 } });
  expect(sql.match(/^INSERT INTO records /gm)).toHaveLength(500);
  // The next start finds it and takes no other.
  await running.stop();
  const again = await start(data, SETTINGS);
  await visit(`${again.url}/auth`);
  await logged(again.log, /"ready"/);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(again.log.join("\n")).not.toContain("backup");
});

// Seen to fail: the copy was begun before the folder was opened, and writes waited 20 s for a copy that no store read.
test("a folder in which nothing can be written holds up no writes", async () => {
  const data = dataFolder();
  const running = await start(data, { ...SETTINGS, BACKUP_AT: "off" });
  await filled(running);
  symlinkSync("/proc", join(data, "backups"));
  const ada = await logIn(running, "ada@example.com");
  const began = Date.now();
  const backup = backUp(running);
  const saves = Promise.all(
    Array.from({ length: 10 }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return (await ada.call("POST", "/api/entries", ENTRIES.slice(0, 1))).status;
    }),
  );
  expect([(await backup).status, new Set(await saves)]).toEqual([500, new Set([201])]);
  expect(Date.now() - began).toBeLessThan(8_000);
});

test("a backup goes to the folder and the S3 store, encrypted, and is restored from either into an empty folder", async () => {
  const s3 = await s3ForTest();
  const data = dataFolder();
  const settings = { ...settingsFor(s3), BACKUP_KEY: KEY };
  const running = await start(data, settings);
  expect(await backUp(running)).toMatchObject({ status: 409, message: expect.stringContaining("no accounts") });
  await filled(running);
  const taken = await backUp(running);
  expect(taken).toMatchObject({ status: 200, rows: { users: 1, records: 500 }, stored: ["folder", "s3"] });
  expect([...s3.objects.keys()].sort()).toEqual(backupsIn(data).map((name) => `hours/${name}`));
  const stored = s3.objects.get(`hours/${taken.backup}`) ?? Buffer.of();
  expect(stored.equals(readFileSync(join(data, "backups", taken.backup)))).toBe(true);
  expect(stored.toString("latin1")).toMatch(/^HTBAKv1\n/);
  // It was read back from the store, and no key is in the log.
  expect(s3.requests).toContain(`GET /${BUCKET}/hours/${taken.backup} 200`);
  expect(running.log.join("\n")).not.toContain(KEY);
  await running.stop();

  const fromS3 = await start(dataFolder(), settings);
  const latest = await restoreFrom(fromS3, "latest");
  expect(latest).toMatchObject({
    status: 200,
    message: "Restored",
    backup: taken.backup,
    place: "s3",
    rows: taken.rows,
  });
  expect(await entriesOf(fromS3)).toBe(500);
  expect(await restoreFrom(fromS3, "latest")).toMatchObject({
    status: 409,
    message: expect.stringContaining("has accounts"),
  });

  const copied = dataFolder();
  mkdirSync(join(copied, "backups"));
  writeFileSync(join(copied, "backups", taken.backup), stored);
  const fromFolder = await start(copied, { ...SETTINGS, BACKUP_AT: "off", BACKUP_KEY: KEY });
  // Without its note it is not the latest, because it may be half of one; by its name it is read.
  expect(await restoreFrom(fromFolder, "latest")).toMatchObject({ status: 409 });
  expect(await restoreFrom(fromFolder, taken.backup)).toMatchObject({ status: 200, place: "folder", rows: taken.rows });
  expect(await entriesOf(fromFolder)).toBe(500);
});

test("a backup with the wrong key, without a key, cut off, changed, or of another name is refused and changes nothing", async () => {
  const source = await start(dataFolder(), { ...SETTINGS, BACKUP_AT: "off", BACKUP_KEY: KEY });
  await filled(source);
  const data = dataFolder();
  const plainSource = await start(data, { ...SETTINGS, BACKUP_AT: "off" });
  await filled(plainSource);
  await backUp(plainSource);
  const plain = readFileSync(join(data, "backups", backupsIn(data)[0] ?? ""));
  const encryptedBackup = async () => {
    const { backup } = await backUp(source);
    const answer = await restoreFrom(source, backup);
    expect(answer.message).toContain("has accounts"); // it could be read
    return backup;
  };
  await encryptedBackup();

  const fresh = await start(dataFolder(), { ...SETTINGS, BACKUP_AT: "off", BACKUP_KEY: KEY });
  const flipped = Buffer.from(plain);
  flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 1;
  for (const [words, bytes, reason] of [
    ["cut off", plain.subarray(0, plain.length - 100), "cannot be decompressed"],
    ["cut off early", plain.subarray(0, 30), "cannot be decompressed"],
    ["changed", flipped, "cannot be decompressed"],
    ["another file", Buffer.from("PK and so on"), "not a backup of Hours Tracker"],
    ["empty", Buffer.from(" "), "not a backup of Hours Tracker"],
  ] as const) {
    const answer = await restoreBytes(fresh, Buffer.from(bytes));
    expect([words, answer.status, answer.message]).toEqual([words, 409, expect.stringContaining(reason)]);
    expect(answer.message).toContain("Nothing was changed");
  }
  expect(await restoreFrom(fresh, "../signing-key")).toMatchObject({
    status: 409,
    message: expect.stringContaining("not the name"),
  });
  expect(await restoreFrom(fresh, "latest")).toMatchObject({
    status: 409,
    message: expect.stringContaining("is missing"),
  });
  // The same program then restores the whole one.
  expect(await restoreBytes(fresh, Buffer.from(plain))).toMatchObject({ status: 200, rows: { records: 500 } });
});

// Catches a restore from elsewhere than was meant, and a backup that looks like a restore.
test("an unknown parameter of /backup and /restore is refused, and nothing is done", async () => {
  const data = dataFolder();
  const running = await start(data, { ...SETTINGS, BACKUP_AT: "off" });
  await filled(running);
  const headers = { Authorization: `Bearer ${SETTINGS.BACKUP_TOKEN}` };
  for (const [path, name] of [
    ["/backup?from=latest", "from"],
    ["/restore?form=latest", "form"],
    ["/restore?from=latest&to=x", "to"],
  ] as const) {
    const answer = await visit(running.url + path, { method: "POST", headers });
    const message = `Nothing was done: ${path.split("?")[0]} has no parameter "${name}".`;
    expect([path, answer.status, await answer.json()]).toEqual([path, 400, { message }]);
  }
  expect(readdirSync(data)).not.toContain("backups");
});

test("an encrypted backup names the missing or the wrong key", async () => {
  const data = dataFolder();
  const source = await start(data, { ...SETTINGS, BACKUP_AT: "off", BACKUP_KEY: KEY });
  await filled(source);
  const { backup } = await backUp(source);
  const bytes = Buffer.from(readFileSync(join(data, "backups", backup)));
  for (const [env, reason] of [
    [{}, "set BACKUP_KEY"],
    [{ BACKUP_KEY: KEY.toLowerCase() }, "encrypted with another key than BACKUP_KEY"],
  ] as const) {
    const fresh = await start(dataFolder(), { ...SETTINGS, BACKUP_AT: "off", ...env });
    expect(await restoreBytes(fresh, bytes)).toMatchObject({ status: 409, message: expect.stringContaining(reason) });
  }
  const fresh = await start(dataFolder(), { ...SETTINGS, BACKUP_AT: "off", BACKUP_KEY: KEY });
  for (const cut of [bytes.subarray(0, 20), bytes.subarray(0, 2_000), bytes.subarray(0, bytes.length - 1)]) {
    expect(await restoreBytes(fresh, Buffer.from(cut))).toMatchObject({
      status: 409,
      message: expect.stringContaining("incomplete or was changed"),
    });
  }
  expect(await restoreBytes(fresh, bytes)).toMatchObject({ status: 200, rows: { records: 500 } });
});
