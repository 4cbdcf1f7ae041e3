import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fail, messageOf } from "./process.ts";

/** Where the local database lives. */
export const dataDir = resolve(process.env.DATA_DIR || ".data");

/** Settings of the environment that reach the Worker as they are. */
const PASSED_ON = ["PUBLIC_ORIGIN", "TRUST_PROXY", "MAILCHANNELS_API_KEY", "MAILCHANNELS_BASE_URL", "MAIL_FROM"];

/** The Worker's settings: those that the environment has, and its secret. */
export function workerSettings(): Record<string, string> {
  const { PUBLIC_ORIGIN } = process.env;
  if (PUBLIC_ORIGIN && !/^https?:\/\/[^/]+\/?$/.test(PUBLIC_ORIGIN)) {
    fail(`PUBLIC_ORIGIN must be scheme and host, such as https://hours.example.com; it is ${PUBLIC_ORIGIN}`);
  }
  const set = PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  return { ...Object.fromEntries(set), SESSION_SECRET: sessionSecret() };
}

/** The port to listen on; 0 is any that is free. */
export function portSetting(): number {
  const text = process.env.PORT || "8787";
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65535)) fail(`PORT must be a number from 0 to 65535; it is ${text}`);
  return port;
}

/** Makes the data folder and sees that it can be written. */
export function prepareDataDir(): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    fail(
      `The data cannot be kept in ${dataDir}: ${messageOf(error)}\nChoose a folder that can be written: DATA_DIR=… npm start`,
    );
  }
}

/** As `mkdir -p`. Node's own never returns from a place such as /proc, where nothing can be made. */
function makeFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

/** The secret of this installation: the environment's, or one that is made once and kept beside the data. */
export function sessionSecret(): string {
  if (process.env.SESSION_SECRET) return process.env.SESSION_SECRET;
  const file = join(dataDir, "session-secret");
  const kept = readIfThere(file);
  if (kept) return kept;
  const made = randomBytes(32).toString("base64url");
  writeFileSync(file, made, { mode: 0o600 });
  return made;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}
