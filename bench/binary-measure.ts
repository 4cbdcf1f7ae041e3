import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import binary, { BINARY } from "#scripts/binary.ts";
import { type Running, startBinary } from "#self-host/build/running.ts";
import { npmStart } from "#tests/self-host/npm-start.ts";
import { median } from "./table.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";
const ENV = { SESSION_SECRET: "a secret for measuring, of 32 bytes and more", BACKUP_TOKEN: TOKEN };
const PASSWORD = "correct horse";
const ENTRY = { date: "2026-03-02", location: "Dock 4", method: "ET", hours: 7.5 };

/** The seconds for which requests are counted, and the number of connections. */
const SECONDS = 5;
const CONNECTIONS = 16;
const BURST = 50;
const ENTRIES = 10_000;

/** `npm run binary:measure`: the figures of docs/single-binary.md, with those of `npm start` in the same run. */
export default async function measure(): Promise<void> {
  await binary();
  const folder = mkdtempSync(join(tmpdir(), "hours-tracker-measure-"));
  await inOrder(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
}

async function inOrder(folder: string): Promise<void> {
  say("file", `${(statSync(BINARY).size / 1_000_000).toFixed(1)} MB`);
  const data = join(folder, "binary");
  say("first start, until the first page", `${await startTime(join(folder, "new"))} ms`);
  const starts: number[] = [];
  for (let i = 0; i < 5; i += 1) starts.push(await startTime(data));
  say("start, until the first page (median of 5)", `${median(starts)} ms`);

  const running = await startBinary({ program: BINARY, data, env: ENV });
  const cookie = await register(running.port);
  await save(running.port, cookie, 50);
  say("memory after the first pages", `${memoryOf(running.pid)} MB`);
  const ours = await rates(running.port, cookie);
  say("memory after that load", `${memoryOf(running.pid)} MB`);
  await drill(running, cookie, join(folder, "restored"));
  say(`${BURST} log-ins at once`, await burst(running.port));
  say("memory after those", `${memoryOf(running.pid)} MB`);
  const stopping = Date.now();
  say("stop by SIGTERM", `exit code ${await running.stop()} after ${Date.now() - stopping} ms`);

  const beside = await npmStart(join(folder, "npm-start"));
  const besideCookie = await register(beside.port);
  await save(beside.port, besideCookie, 50);
  const theirs = await rates(beside.port, besideCookie);
  await beside.stop();
  for (const [what, perSecond] of ours) {
    const other = theirs.get(what) ?? Number.NaN;
    say(what, `${perSecond}/s; npm start ${other}/s; ratio ${(perSecond / other).toFixed(2)}`);
  }
}

/** The time from the start of the process to the first page, in milliseconds. */
async function startTime(data: string): Promise<number> {
  const start = performance.now();
  const running = await startBinary({ program: BINARY, data, env: ENV });
  await send(running.port, "GET", "/auth");
  const time = Math.round(performance.now() - start);
  await running.stop("SIGKILL");
  return time;
}

/** Resident memory of a process, in MB, by Linux. */
function memoryOf(pid: number): string {
  if (process.platform !== "linux") return "?";
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  return (kilobytes / 1000).toFixed(0);
}

/** Responses per second for each kind of request. */
async function rates(port: number, cookie: string): Promise<Map<string, number>> {
  return new Map([
    ["GET /auth", await rate(port, "GET", "/auth", {})],
    ["GET /profile, 50 entries", await rate(port, "GET", "/profile", { cookie })],
    ["POST /api/entries", await rate(port, "POST", "/api/entries", { cookie }, { ...ENTRY, hours: 1 })],
  ]);
}

/** Responses per second on several connections, each sending one request after the other. */
async function rate(port: number, method: string, path: string, headers: Headers, body?: object): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const answeredIn = async (seconds: number) => {
    const until = performance.now() + seconds * 1000;
    let answered = 0;
    const ask = async () => {
      for (; performance.now() < until; answered += 1)
        await send(port, method, path, headers, body, agent).then(requireOk);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, ask));
    return answered;
  };
  await answeredIn(1); // the first second compiles the code
  const answered = await answeredIn(SECONDS);
  agent.destroy();
  return Math.round(answered / SECONDS);
}

/** Takes a backup of the running program, restores it into an empty folder, and compares the two. */
async function drill(running: Running, cookie: string, folder: string): Promise<void> {
  await save(running.port, cookie, ENTRIES - (await count(running.port, cookie)));
  const headers = { authorization: `Bearer ${TOKEN}` };
  const start = performance.now();
  const backup = await send(running.port, "GET", "/backup", headers);
  const taken = performance.now() - start;
  const entries = await count(running.port, cookie);
  say(`backup of ${entries} entries`, `${(backup.body.length / 1e6).toFixed(1)} MB in ${taken.toFixed(0)} ms`);
  const fresh = await startBinary({ program: BINARY, data: folder, env: ENV });
  const again = performance.now();
  const answer = await send(fresh.port, "POST", "/restore", headers, backup.body);
  const time = performance.now() - again;
  const restored = await count(fresh.port, cookie);
  say("restore", `${answer.body} in ${time.toFixed(0)} ms, ${restored} of ${entries} entries`);
  await fresh.stop("SIGKILL");
}

async function count(port: number, cookie: string): Promise<number> {
  const { body } = await send(port, "GET", "/api/entries", { cookie });
  return (JSON.parse(String(body)) as object[]).length;
}

async function burst(port: number): Promise<string> {
  const start = performance.now();
  const logIn = (_: unknown, index: number) =>
    send(port, "POST", "/api/auth/login", {}, { email: `nobody-${index}@example.com`, password: PASSWORD });
  const answers = await Promise.allSettled(Array.from({ length: BURST }, logIn));
  const answered = answers.filter(({ status }) => status === "fulfilled").length;
  return `${answered} answered, in ${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** Registers a technician and returns the session cookie. */
async function register(port: number): Promise<string> {
  const account = { email: "ada@example.com", password: PASSWORD };
  return requireOk(await send(port, "POST", "/api/auth/register", {}, account)).cookies;
}

async function save(port: number, cookie: string, number: number): Promise<void> {
  for (let left = number; left > 0; left -= 500) {
    const entries = Array.from({ length: Math.min(left, 500) }, (_, i) => ({ ...ENTRY, location: `Dock ${i}` }));
    requireOk(await send(port, "POST", "/api/entries", { cookie }, entries));
  }
}

type Headers = Record<string, string>;

interface Answer {
  status: number;
  body: Buffer;
  cookies: string;
}

/** Sends a request, on its own connection if there is no agent. An object is sent as JSON. */
function send(
  port: number,
  method: string,
  path: string,
  headers: Headers = {},
  body?: object | Buffer,
  agent: Agent | false = false,
): Promise<Answer> {
  const isJson = body && !Buffer.isBuffer(body);
  const bytes = isJson ? Buffer.from(JSON.stringify(body)) : body;
  const more = {
    ...(isJson && { "content-type": "application/json" }),
    ...(bytes && { "content-length": bytes.length }),
  };
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, method, path, agent, headers: { ...headers, ...more } }, (answer) => {
      const cookies = (answer.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
      buffer(answer).then((all) => resolve({ status: answer.statusCode ?? 0, body: all, cookies }), reject);
    })
      .on("error", reject)
      .end(bytes);
  });
}

/** @throws {Error} if the request was refused */
function requireOk(answer: Answer): Answer {
  if (answer.status >= 400) throw new Error(`a request was answered ${answer.status}: ${answer.body}`);
  return answer;
}

function say(what: string, figure: string): void {
  console.log(`${what.padEnd(44)} ${figure}`);
}
