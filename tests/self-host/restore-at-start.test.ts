import { EventEmitter, once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { VERSION } from "#app/server/version.ts";
import type { Running } from "#self-host/build/running.ts";
import { readsAs } from "./disk.ts";
import { dataFolder, logged, logIn, register, SETTINGS, start, visit } from "./start.ts";
import { backUp, KEY, restoreBytes, s3ForTest, settingsFor } from "./stored-backups.ts";

const METRICS_TOKEN = "fedcba9876543210fedcba9876543210";
const ENTRY = { date: "2026-03-02", location: "Dock 4", method: "ET", hours: 7.25 };

/** The settings of a new machine: those of the old one, without the token that a restore by request needs. */
function newMachine(settings: Record<string, string>): Record<string, string> {
  const { BACKUP_TOKEN: _, ...others } = settings;
  return { ...others, RESTORE_FROM: "latest" };
}

/** A store with an encrypted backup of an account with 40 entries, also in the folder `data`. */
async function storedBackup() {
  const s3 = await s3ForTest();
  const settings = { ...settingsFor(s3), BACKUP_KEY: KEY };
  const data = dataFolder();
  const running = await start(data, settings);
  const ada = await register(running, "ada@example.com");
  expect((await ada.call("POST", "/api/entries", Array(40).fill(ENTRY))).status).toBe(201);
  const { backup, rows } = await backUp(running);
  await running.stop();
  return { s3, settings, data, backup, rows };
}

const health = async ({ url }: Running) => {
  const answer = await visit(`${url}/healthz`);
  return [answer.status, await answer.json()];
};

async function entriesOf(running: Running): Promise<unknown[]> {
  return (await (await logIn(running, "ada@example.com")).call("GET", "/api/entries")).json() as Promise<unknown[]>;
}

test("RESTORE_FROM fills an empty folder before the first answer, and changes nothing at later starts", async () => {
  const { settings, backup, rows } = await storedBackup();
  const folder = dataFolder();
  const running = await start(folder, newMachine(settings));
  expect(await health(running)).toEqual([200, { status: "ok", version: VERSION }]);
  const line = JSON.parse(await logged(running.log, /"event":"restore"/));
  expect(line).toMatchObject({ level: "info", backup, place: "s3", rows });
  expect(running.log.join("\n")).not.toContain(KEY);
  const ada = await logIn(running, "ada@example.com");
  expect((await ada.call("POST", "/api/entries", [ENTRY])).status).toBe(201);
  await running.stop();

  const again = await start(folder, newMachine(settings));
  expect(await entriesOf(again)).toHaveLength(41);
  await logged(again.log, /"restore not needed".*Remove RESTORE_FROM/);
});

// Catches an empty app in place of the restored one: people would register in it, and the restore would then be refused.
test("while the backup is missing nothing is answered but 503, and it is restored when it is there", async () => {
  const { data, backup } = await storedBackup();
  const folder = dataFolder();
  const running = await start(folder, { SESSION_SECRET: "a secret for tests, of 32 bytes and more", ...FOLDER_ONLY });
  expect(await health(running)).toEqual([
    503,
    { status: "not ready", version: VERSION, reason: expect.stringContaining("RESTORE_FROM") },
  ]);
  await logged(
    running.log,
    /was not restored: a complete backup is missing: neither the folder .*copy it .*to DATA\/backups/,
  );
  await expect(register(running, "eve@example.com")).rejects.toThrow("503");
  mkdirSync(join(folder, "backups"));
  for (const file of [backup, `${backup}.json`])
    copyFileSync(join(data, "backups", file), join(folder, "backups", file));
  await expect
    .poll(() => health(running), { timeout: 60_000, interval: 250 })
    .toEqual([200, { status: "ok", version: VERSION }]);
  expect(await entriesOf(running)).toHaveLength(40);
  expect(readdirSync(join(folder, "backups")).sort()).toEqual([backup, `${backup}.json`]);
});

// Catches advice that does not fit: the file was where it should be.
test("a backup that another key has encrypted is not restored, and the advice is about the key", async () => {
  const { settings } = await storedBackup();
  const running = await start(dataFolder(), newMachine({ ...settings, BACKUP_KEY: KEY.toLowerCase() }));
  expect(await health(running)).toMatchObject([503, {}]);
  const line = JSON.parse(await logged(running.log, /"not ready"/));
  expect(line.problem).toContain("encrypted with another key than BACKUP_KEY");
  expect(line.advice).toBe(
    "The database stays without accounts, and it is tried again. Start the program with the BACKUP_KEY with which the backup was encrypted. See docs/backups.md.",
  );
});

const FOLDER_ONLY = { BACKUP_AT: "off", BACKUP_KEY: KEY, RESTORE_FROM: "latest" };

// Catches a restore that ends with its request: a health check that waits for a second would stop each attempt.
test("a slow restore goes on when the client that started it gives up", async () => {
  const { s3, settings, backup } = await storedBackup();
  const signals = new EventEmitter();
  const asked = once(signals, "asked");
  const sent = once(signals, "sent");
  s3.fault = async ({ method, url }) => {
    if (method !== "GET" || !url?.endsWith(backup)) return;
    signals.emit("asked");
    await sent;
  };
  const running = await start(dataFolder(), newMachine(settings));
  const impatient = new AbortController();
  const first = visit(`${running.url}/healthz`, { signal: impatient.signal });
  await asked;
  impatient.abort();
  await expect(first).rejects.toThrow();
  signals.emit("sent");
  await logged(running.log, /"event":"restore"/);
  expect(await entriesOf(running)).toHaveLength(40);
});

test("one of many requests at a start restores, and the others are answered or must be repeated later", async () => {
  const { settings } = await storedBackup();
  const running = await start(dataFolder(), newMachine(settings));
  const answers = await Promise.all(Array.from({ length: 20 }, () => visit(`${running.url}/auth`)));
  for (const { status } of answers) expect([200, 503]).toContain(status);
  await expect
    .poll(() => health(running), { timeout: 60_000, interval: 250 })
    .toEqual([200, { status: "ok", version: VERSION }]);
  expect(await entriesOf(running)).toHaveLength(40);
  expect(running.log.filter((line) => line.includes('"event":"restore"'))).toHaveLength(1);
});

/** A mail service that is down until `isUp`, and the addresses to which it has sent a reset link. */
async function mailService() {
  const service = { isUp: false, resets: [] as string[], settings: {} as Record<string, string> };
  const server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming);
    if (service.isUp && body.includes("Reset your"))
      service.resets.push(/[a-z]+@example\.com(?="[^@]*}\])/.exec(body)?.[0] ?? body);
    outgoing.writeHead(service.isUp ? 202 : 503, { "Content-Type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service.settings = {
    ...SETTINGS,
    BACKUP_AT: "off",
    METRICS_TOKEN,
    MAILCHANNELS_API_KEY: "a key",
    MAILCHANNELS_BASE_URL: url,
    MAIL_FROM: "hours@example.org",
    PUBLIC_ORIGIN: "http://localhost:8787",
  };
  return service;
}

async function askForReset({ url }: Running, email: string): Promise<void> {
  const [method, body] = ["POST", JSON.stringify({ email })];
  await visit(`${url}/api/auth/reset-password`, { method, headers: { "Content-Type": "application/json" }, body });
}

/** The emails that /metrics counts as ended with an unknown outcome. */
async function unknownOutcomes({ url }: Running): Promise<string | undefined> {
  const answer = await visit(`${url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
  return /^\w+_failed_messages\{reason="unknown"\} (\d+)$/m.exec(await answer.text())?.[1];
}

const sweeps = ({ log }: Running) => log.filter((line) => line.includes('"event":"sweep"')).length;

/** Resolves with true after the timer's work, in which waiting emails are sent, has run once more. */
async function swept(running: Running): Promise<boolean> {
  const before = sweeps(running);
  return readsAs(async () => sweeps(running) > before, true);
}

// Detects a drill whose reminders and links reach people a second time.
test("a restored program sends no email until its setting says which; the setting for another restore does not count", async () => {
  const mail = await mailService();
  const source = await start(dataFolder(), mail.settings);
  for (const name of ["ada", "bea"]) await register(source, `${name}@example.com`);
  await askForReset(source, "ada@example.com");
  const backupOf = async ({ url }: { url: string }) =>
    await (await visit(`${url}/backup`, { headers: { Authorization: `Bearer ${SETTINGS.BACKUP_TOKEN}` } })).text();
  expect(
    await readsAs(
      async () => /INTO outbox VALUES \(\d+, 'password_reset', 1, [^)]*'waiting', 1,/.test(await backupOf(source)),
      true,
    ),
  ).toBe(true);
  const backup = await backupOf(source);
  await source.stop();
  mail.isUp = true;

  const folder = dataFolder();
  const restored = await start(folder, mail.settings);
  expect((await restoreBytes(restored, backup)).status).toBe(200);
  const { advice } = JSON.parse(await logged(restored.log, /"mail held"/));
  const [, code = ""] = /MAIL_AFTER_RESTORE=new:([0-9a-f]{8})/.exec(advice) ?? [];
  await askForReset(restored, "bea@example.com");
  expect(await swept(restored)).toBe(true);
  expect(mail.resets).toEqual([]);
  await restored.stop();

  // Emails that waited in the backup are not sent, later ones are.
  const going = await start(folder, { ...mail.settings, MAIL_AFTER_RESTORE: `new:${code}` });
  expect((await health(going))[0]).toBe(200);
  expect(JSON.parse(await logged(going.log, /"mail released"/))).toMatchObject({ notSent: 3 }); // and two links to confirm an address
  // The tab System shows it: 3 waited, and 3 ended.
  expect(await backupOf(going)).toMatch(/INTO mail_changes VALUES \('restore', '[0-9a-f]{8}', \d+, 3, 3\)/);
  // They say nothing about the mail service, although it was tried before the backup.
  expect(JSON.parse(await logged(going.log, /"event":"set-up"/)).missing).not.toContain("Email");
  expect(await unknownOutcomes(going)).toBe("0");
  expect(await readsAs(async () => mail.resets.join(), "bea@example.com")).toBe(true);
  await going.stop();

  const again = dataFolder();
  const other = await start(again, { ...mail.settings, MAIL_AFTER_RESTORE: `all:${code}` });
  expect((await restoreBytes(other, backup)).status).toBe(200);
  const held = await logged(other.log, /"mail held"/);
  expect(held).not.toContain(code);
  await logged(other.log, /"mail held".*The code in MAIL_AFTER_RESTORE is not the one of this restore/);
  expect(mail.resets).toEqual(["bea@example.com"]); // a restore runs the timer's work
  await other.stop();
  const [, all = ""] = /MAIL_AFTER_RESTORE=(all:[0-9a-f]{8})/.exec(held) ?? [];
  const last = await start(again, { ...mail.settings, MAIL_AFTER_RESTORE: all });
  expect((await health(last))[0]).toBe(200);
  expect(await readsAs(async () => mail.resets.join(), "bea@example.com,ada@example.com")).toBe(true);
});
