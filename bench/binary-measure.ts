import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import binary, { BINARY } from "#scripts/binary.ts";
import { type Running, startBinary } from "#self-host/build/running.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";
const ENV = { SESSION_SECRET: "a secret for measuring, of 32 bytes and more", BACKUP_TOKEN: TOKEN };
const PASSWORD = "correct horse";

/** How long requests are counted, and from how many connections. */
const SECONDS = 5;
const CONNECTIONS = 16;
const BURST = 50;
const ENTRIES = 10_000;

/** `npm run binary:measure`: the figures of docs/single-binary.md, those of `npm start` beside them in the same run. */
export default async function measure(): Promise<void> {
  await binary();
  const folder = mkdtempSync(join(tmpdir(), "hours-tracker-measure-"));
  try {
    await inOrder(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function inOrder(folder: string): Promise<void> {
  say("file", `${(statSync(BINARY).size / 1_000_000).toFixed(1)} MB`);
  const data = join(folder, "binary");
  say("first start, until the first page", `${await startTime(join(folder, "new"))} ms`);
  const starts: number[] = [];
  for (let i = 0; i < 5; i += 1) starts.push(await startTime(data));
  say("start, until the first page (median of 5)", `${median(starts)} ms`);

  const running = await startBinary({ program: BINARY, data, env: ENV });
  const cookie = await register(running.port, "ada@example.com");
  await save(running.port, cookie, 50);
  say("memory after the first pages", `${memoryOf(running.pid)} MB`);
  const ours = await rates(running.port, cookie);
  say("memory after that load", `${memoryOf(running.pid)} MB`);
  await drill(running, cookie, join(folder, "restored"));
  say(`${BURST} log-ins at once`, await burst(running.port));
  say("memory after those", `${memoryOf(running.pid)} MB`);
  const stopping = Date.now();
  say("stop by SIGTERM", `exit code ${await running.stop()} after ${Date.now() - stopping} ms`);

  const started = await npmStart(join(folder, "npm-start"));
  const beside = await register(started.port, "ada@example.com");
  await save(started.port, beside, 50);
  const theirs = await rates(started.port, beside);
  started.stop();
  for (const [index, { what, perSecond }] of ours.entries()) {
    const other = theirs[index]?.perSecond ?? 0;
    say(what, `${perSecond}/s; npm start ${other}/s; ratio ${(perSecond / other).toFixed(2)}`);
  }
}

/** From the start of the process to the first page, in milliseconds. */
async function startTime(data: string): Promise<number> {
  const start = performance.now();
  const running = await startBinary({ program: BINARY, data, env: ENV });
  await send(running.port, "GET", "/auth");
  const time = Math.round(performance.now() - start);
  await running.stop("SIGKILL");
  return time;
}

/** Resident memory of a process, in MB. */
function memoryOf(pid: number): string {
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  return (kilobytes / 1000).toFixed(0);
}

async function rates(port: number, cookie: string): Promise<{ what: string; perSecond: number }[]> {
  const headers = { cookie };
  const entry = JSON.stringify({ date: "2026-03-02", location: "Dock 4", method: "ET", hours: 1 });
  return [
    { what: "GET /auth", perSecond: await rate(port, "GET", "/auth") },
    { what: "GET /profile, 50 entries", perSecond: await rate(port, "GET", "/profile", headers) },
    {
      what: "POST /api/entries",
      perSecond: await rate(port, "POST", "/api/entries", { ...headers, "content-type": "application/json" }, entry),
    },
  ];
}

/** Answers a second, from several connections that each send one request after the other. */
async function rate(port: number, method: string, path: string, headers = {}, body?: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let answered = 0;
  const ask = async (until: number) => {
    while (performance.now() < until) {
      const { status } = await send(port, method, path, headers, body, agent);
      if (status >= 400) throw new Error(`${method} ${path} answered ${status}`);
      answered += 1;
    }
  };
  const all = (seconds: number) => {
    const until = performance.now() + seconds * 1000;
    return Promise.all(Array.from({ length: CONNECTIONS }, () => ask(until)));
  };
  await all(1); // warm
  answered = 0;
  await all(SECONDS);
  agent.destroy();
  return Math.round(answered / SECONDS);
}

/** The backup drill: taken while it runs, restored into an empty folder, and compared. */
async function drill(running: Running, cookie: string, folder: string): Promise<void> {
  const before = await count(running.port, cookie);
  if (before < ENTRIES) await save(running.port, cookie, ENTRIES - before);
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

/** How many entries there are of somebody, by the pages of the call. */
async function count(port: number, cookie: string): Promise<number> {
  const { body } = await send(port, "GET", "/api/entries", { cookie });
  return (JSON.parse(String(body)) as object[]).length;
}

async function burst(port: number): Promise<string> {
  const start = performance.now();
  const answers = await Promise.all(
    Array.from({ length: BURST }, (_, i) =>
      send(port, "POST", "/api/auth/login", JSON_TYPE, credentials(`nobody-${i}@example.com`), false).catch(() => null),
    ),
  );
  const answered = answers.filter((answer) => answer !== null).length;
  return `${answered} answered, in ${((performance.now() - start) / 1000).toFixed(1)} s`;
}

const JSON_TYPE = { "content-type": "application/json" };

function credentials(email: string): string {
  return JSON.stringify({ email, password: PASSWORD });
}

async function register(port: number, email: string): Promise<string> {
  const { status, cookies } = await send(port, "POST", "/api/auth/register", JSON_TYPE, credentials(email));
  if (status !== 201) throw new Error(`the registration answered ${status}`);
  return cookies;
}

async function save(port: number, cookie: string, number: number): Promise<void> {
  for (let left = number; left > 0; left -= 500) {
    const entries = Array.from({ length: Math.min(left, 500) }, (_, i) => ({
      date: "2026-03-02",
      location: `Dock ${i}`,
      method: "ET",
      hours: 7.5,
    }));
    const { status } = await send(port, "POST", "/api/entries", { ...JSON_TYPE, cookie }, JSON.stringify(entries));
    if (status !== 201) throw new Error(`a saving answered ${status}`);
  }
}

interface Answer {
  status: number;
  body: Buffer;
  cookies: string;
}

function send(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string | Buffer,
  agent: Agent | false = false,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    request({ host: "127.0.0.1", port, method, path, agent, headers: { ...headers, ...length } }, (answer) => {
      const cookies = (answer.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
      buffer(answer).then((all) => resolve({ status: answer.statusCode ?? 0, body: all, cookies }), reject);
    })
      .on("error", reject)
      .end(body);
  });
}

/** The app as `npm start` serves it, on a free port. */
async function npmStart(data: string): Promise<{ port: number; stop(): void }> {
  const child = spawn(process.execPath, ["scripts/run.mjs", "start"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PORT: "0", DATA_DIR: data, PUBLIC_ORIGIN: "", npm_lifecycle_event: "" },
  });
  let output = "";
  for await (const chunk of child.stdout) {
    output += chunk;
    const [, port] = /http:\/\/localhost:(\d+)\n/.exec(output) ?? [];
    if (port) return { port: Number(port), stop: () => child.kill("SIGTERM") };
  }
  throw new Error(`npm start ended:\n${output}`);
}

function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function say(what: string, figure: string): void {
  console.log(`${what.padEnd(44)} ${figure}`);
}
