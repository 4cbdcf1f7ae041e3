import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BINARY } from "#scripts/binary.ts";
import { type Running, startBinary } from "#self-host/build/running.ts";
import { atEnd } from "#tests/worker/data-folder.ts";

export const TOKEN = "0123456789abcdef0123456789abcdef";
export const SETTINGS = { SESSION_SECRET: "a secret for tests, of 32 bytes and more", BACKUP_TOKEN: TOKEN };

/** A data folder for one test or file. */
export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hours-tracker-data-"));
  atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the executable on a data folder until the end of the test or file. */
export async function start(
  data: string,
  env: Record<string, string> = SETTINGS,
  program: string = BINARY,
): Promise<Running> {
  const running = await startBinary({ program, data, env });
  atEnd(() => running.stop("SIGKILL").then(() => {}));
  return running;
}

/** Resolves with the set-up link of this start when it is logged. */
export async function setUpLink({ log, url }: Running): Promise<string> {
  await visit(`${url}/healthz`);
  return JSON.parse(await logged(log, /"set-up"/)).link;
}

/** Resolves with the first matching line of a log, which arrives a little after the response. */
export async function logged(log: string[], expected: RegExp): Promise<string> {
  for (const deadline = Date.now() + 2 * 60_000; ; ) {
    const line = log.find((one) => expected.test(one));
    if (line !== undefined) return line;
    if (Date.now() > deadline) throw new Error(`the log has no line like ${expected}:\n${log.join("\n")}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Sends one request on a new connection, because the runtime may close an idle one during the next request. */
export function visit(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("Connection", "close");
  return fetch(url, { redirect: "manual", ...init, headers });
}

/** A signed-in user. */
export interface Person {
  call(method: string, path: string, body?: unknown): Promise<Response>;
}

/** Registers a user through the API. */
export async function register({ url }: Pick<Running, "url">, email: string): Promise<Person> {
  const answer = await json(url, "POST", "/api/auth/register", { email, password: "correct horse" });
  if (answer.status !== 201) throw new Error(`registration answered ${answer.status}: ${await answer.text()}`);
  return personWith(url, cookieOf(answer));
}

export async function logIn({ url }: Running, email: string, password = "correct horse"): Promise<Person> {
  const answer = await json(url, "POST", "/api/auth/login", { email, password });
  if (answer.status !== 200) throw new Error(`the log-in answered ${answer.status}: ${await answer.text()}`);
  return personWith(url, cookieOf(answer));
}

function personWith(url: string, cookie: string): Person {
  return { call: (method, path, body) => json(url, method, path, body, cookie) };
}

export function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

function json(url: string, method: string, path: string, body?: unknown, cookie?: string): Promise<Response> {
  return visit(url + path, {
    method,
    headers: { ...(body !== undefined && { "Content-Type": "application/json" }), ...(cookie && { Cookie: cookie }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
