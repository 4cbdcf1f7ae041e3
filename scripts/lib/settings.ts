import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { messageOf } from "#app/errors.ts";
import { newSigningKey, signingKeyProblem } from "#app/proof/signing-key.ts";
import { isThisMachine } from "#app/server/request-line.ts";
import { settingsProblem } from "#app/server/settings.ts";
import { VERSION } from "#app/server/version.ts";
import { appSettings, isDatabaseFile, settingWarnings, tokenProblem } from "#self-host/settings.ts";
import { fail } from "./process.ts";

/** The names in the data folder. The two secrets are there if the environment has none; the key signs statements. */
const DATABASE = "v3";
const BACKUPS = "backups";
const SECRET_FILE = "session-secret";
const KEY_FILE = "signing-key";
/** The release (`releaseOf`) that used it last. */
export const VERSION_FILE = "version";
/** The socket of the program that uses the folder (holder.ts). */
export const SOCKET_FILE = "in-use";
const KEPT = [DATABASE, BACKUPS, SECRET_FILE, KEY_FILE, VERSION_FILE, SOCKET_FILE];

/** A copy of before a version: `2026-11-25T13-40-00Z-before-0.2.0`. */
const BACKUP = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-before-[\d.]+$/;

/** How long such a copy is kept, in milliseconds: until an update has proved itself. */
const BACKUP_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

export const dataDir = resolve(process.env.DATA_DIR || ".data");

/**
 * The Worker's settings: those of the environment, the secret, the signing key and the token for /metrics. Prepares the data folder for
 * them. Ends the command if one is invalid, and has then created nothing; a malformed signing key is only reported.
 */
export async function workerSettings(): Promise<Record<string, string>> {
  const given = appSettings(process.env);
  for (const { advice } of settingWarnings(process.env, "npm start")) console.warn(advice);
  const secret = process.env.SESSION_SECRET || kept(SECRET_FILE) || newSecret();
  const { LOG, METRICS_TOKEN } = process.env;
  const problem =
    settingsProblem({ ...given, SESSION_SECRET: secret }) ?? tokenProblem("METRICS_TOKEN", { METRICS_TOKEN });
  if (problem) fail(problem.startsWith("SESSION_SECRET") ? withFile(problem, "SESSION_SECRET", SECRET_FILE) : problem);
  if (LOG && LOG !== "json") fail(`LOG must be json, which prints the whole log, or not set; it is ${LOG}`);
  prepareDataDir();
  const SIGNING_KEY = process.env.SIGNING_KEY || (kept(KEY_FILE) ?? keep(KEY_FILE, await newSigningKey()));
  const warning = signingKeyProblem(SIGNING_KEY);
  if (warning) console.warn(withFile(warning, "SIGNING_KEY", KEY_FILE));
  return { ...given, SESSION_SECRET: sessionSecret(), SIGNING_KEY, ...(METRICS_TOKEN && { METRICS_TOKEN }) };
}

/** Adds to a problem of a secret the file that has it, unless the environment has it. */
function withFile(problem: string, setting: string, file: string): string {
  return process.env[setting] ? problem : `${problem}\nIt is read from the file ${join(dataDir, file)}.`;
}

/** The port to listen on; 0 selects a free one. */
export function portSetting(): number {
  const text = process.env.PORT || "8787";
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65535)) fail(`PORT must be a number from 0 to 65535; it is ${text}`);
  return port;
}

/** The host to listen on: this machine only, unless `HOST` names another address; `0.0.0.0` is all of them. */
export function hostSetting(): string {
  return process.env.HOST || "127.0.0.1";
}

/**
 * Warns of a host that is of no use: without PUBLIC_ORIGIN the app refuses all hosts but this machine's names. `address` is the
 * app's.
 */
export function warnOfHost({ PUBLIC_ORIGIN }: Record<string, string>, host: string, address: string): void {
  if (PUBLIC_ORIGIN || isThisMachine(host.includes(":") ? `[${host}]` : host)) return;
  console.warn(`
HOST is ${host}, but PUBLIC_ORIGIN is not set, so the app answers on this machine only, as localhost. For others set it to the
address by which they open the app: PUBLIC_ORIGIN=https://hours.example.com, or http://192.168.1.5:${new URL(address).port} on your own network.`);
}

/** The executable's folder of its database. `npm start` has its own in `v3`. */
const OF_EXECUTABLE = "database";

/**
 * Ends a command that needs an existing database if the data folder is missing, cannot be used, or is the executable's. Nothing
 * is created.
 */
export function requireDataDir(): void {
  try {
    if (!statSync(dataDir).isDirectory()) fail(`${dataDir} is not a folder. ${OTHER_FOLDER}`);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") fail(`There is no folder ${dataDir}. ${WHICH_FOLDER}`);
    fail(`This user cannot read and write the folder ${dataDir}. Run the command as the user who runs the app.`);
  }
  refuseExecutablesFolder();
}

/** Advice for a wrong data folder. */
const OTHER_FOLDER = "Set DATA_DIR to the data folder of npm start.";

/** Advice for a data folder without a database. */
export const WHICH_FOLDER =
  "Run `npm start` first, which makes it, and then this command; or set DATA_DIR to the data folder of an app that was started.";

/** Refuses the executable's folder: two databases in one folder would be taken for each other. */
function refuseExecutablesFolder(): void {
  const folder = join(dataDir, OF_EXECUTABLE);
  if (!existsSync(folder) || !readdirSync(folder).some(isDatabaseFile)) return;
  fail(
    `${dataDir} is the data folder of the executable, which npm start and its commands cannot use: see docs/single-binary.md. ${OTHER_FOLDER}`,
  );
}

/** Creates the data folder if it is missing, checks that it is writable, and removes other users' access. */
export function prepareDataDir(): void {
  refuseExecutablesFolder();
  try {
    // At once: by this folder the executable sees whose data folder it is, also while the app is built.
    makeFolder(join(dataDir, DATABASE, "d1"));
    accessSync(dataDir, constants.W_OK);
    // A folder with other files in it may be shared on purpose: then only our own files are changed.
    if (readdirSync(dataDir).every((name) => KEPT.includes(name))) closeToOthers(dataDir);
    for (const name of KEPT) closeToOthers(join(dataDir, name));
  } catch (error) {
    fail(
      `The data cannot be kept in ${dataDir}: ${messageOf(error)}\nChoose a folder that can be written: DATA_DIR=… npm start`,
    );
  }
}

/** Removes other users' access to a file, or to a folder and its files. Earlier versions left them readable. */
function closeToOthers(path: string): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status && status.mode & 0o077) {
    try {
      chmodSync(path, status.mode & 0o700);
    } catch (error) {
      console.warn(`Other users can read ${path}: ${messageOf(error)}\nTake that from them: chmod -R go= ${dataDir}`);
    }
  }
  if (status?.isDirectory()) for (const name of readdirSync(path)) closeToOthers(join(path, name));
}

/** Like `mkdir -p`: Node's own never returns in a folder such as /proc, in which no folder can be created. */
function makeFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

/** The secret of this installation: from the environment, or generated once and stored in the data folder. */
export function sessionSecret(): string {
  return process.env.SESSION_SECRET || (kept(SECRET_FILE) ?? keep(SECRET_FILE, newSecret()));
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The text of a file of the data folder; null if it is missing or empty. Ends the command if it cannot be read. */
export function kept(name: string): string | null {
  const file = join(dataDir, name);
  try {
    return (existsSync(file) && readFileSync(file, "utf8").trim()) || null;
  } catch (error) {
    fail(`The file ${file} cannot be read: ${messageOf(error)}`);
  }
}

/** Writes a file of the data folder, and returns its text. Ends the command if it cannot be written. */
export function keep(name: string, text: string): string {
  const file = join(dataDir, name);
  try {
    writeFileSync(file, text, { mode: 0o600 });
    return text;
  } catch (error) {
    fail(`The file ${file} cannot be written: ${messageOf(error)}\n\`df ${dataDir}\` shows whether the disk is full.`);
  }
}

/**
 * Copies the database, which no program may use meanwhile, into the folder `backups`, and removes such copies of more than 30 days
 * ago. Ends the command if it cannot be copied.
 */
export function backUpBeforeVersion(): void {
  const nameOf = (at: number) => `${new Date(at).toISOString().slice(0, 19).replaceAll(":", "-")}Z-before-${VERSION}`;
  const copy = join(dataDir, BACKUPS, nameOf(Date.now()));
  const unfinished = `${copy}.unfinished`;
  try {
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
    cpSync(join(dataDir, DATABASE), join(unfinished, DATABASE), { recursive: true });
    renameSync(unfinished, copy);
  } catch (error) {
    if (existsSync(unfinished)) rmSync(unfinished, { recursive: true }); // `force` alone fails where `backups` is a file
    fail(
      `No backup could be taken before version ${VERSION}, so nothing was changed: ${messageOf(error)}\nThe database is copied into ${join(dataDir, BACKUPS)}: make room there, and start again.`,
    );
  }
  console.log(`This version did not use the data last. A copy of the database is in ${copy}, for 30 days.`);
  const oldest = nameOf(Date.now() - BACKUP_KEPT_MS);
  for (const name of readdirSync(join(dataDir, BACKUPS)).filter((name) => BACKUP.test(name) && name < oldest)) {
    rmSync(join(dataDir, BACKUPS, name), { recursive: true, force: true });
  }
}
