import "./own-data.ts"; // before all others
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import binary, { BINARY } from "#scripts/binary.ts";
import { beforeEnd } from "#scripts/lib/process.ts";
import { startBinary } from "#self-host/build/running.ts";
import { SUPERVISOR } from "./scale.ts";
import { inDigits, type Row, reported } from "./table.ts";

/** The requests a second, one step after the other, until one is beyond the knee. */
const RATES = [25, 50, 100, 150, 200, 250, 300, 400, 500, 650, 800, 1_000, 1_300, 1_600, 2_000];
const SECONDS = 5;

/** Beyond the knee: the slowest hundredth takes longer than this, in milliseconds, or requests fail. */
const KNEE_MS = 500;

/** How long a client waits for an answer, in milliseconds. */
const PATIENCE_MS = 10_000;

const WRITERS = 20;
const ENTRIES = 50;
const ENTRY = { date: "2026-11-19", location: "Dock 4, tank 12", method: "UT_THK", hours: 7.5 };

type Ask = () => Promise<Response>;

/**
 * `npm run measure -- load`: the executable under more and more requests a second, of which 70 % are GET /profile, 15 %
 * POST /api/entries and 15 % GET /verify/{token}.
 */
export async function load(): Promise<Row[]> {
  if (process.platform !== "linux") return [reported("load", "measured on Linux alone, by /proc")];
  await binary();
  const folder = mkdtempSync(join(tmpdir(), "hours-tracker-load-"));
  beforeEnd(() => rmSync(folder, { recursive: true, force: true }));
  const env = { SESSION_SECRET: "a secret for measuring, of 32 bytes and more", REQUESTS_PER_MINUTE: "100000000" };
  const { port, pid, stop } = await startBinary({ program: BINARY, data: join(folder, "data"), env });
  const next = await mixFor(`http://127.0.0.1:${port}`);
  await fireAt(50, next); // the first requests compile the code
  const table = [reported("cores", cpus().length, "", `${cpus()[0]?.model}; the requests are sent from them too`)];
  let knee = "below the first step";
  for (const rate of RATES) {
    const before = cpuOf(pid);
    const start = performance.now();
    const times = (await fireAt(rate, next)).sort((one, other) => one - other);
    const seconds = (performance.now() - start) / 1000;
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => times[Math.floor(share * times.length)] ?? Number.NaN);
    const failed = times.filter((time) => time === Number.POSITIVE_INFINITY).length;
    const cpu = (100 * (cpuOf(pid) - before)) / seconds;
    const answered = (times.length - failed) / seconds;
    const note = `${answered.toFixed(0)}/s answered, ${failed} failed, ${cpu.toFixed(0)} % of a core, ${memoryOf(pid).toFixed(0)} MB`;
    const shown = [p50, p95, p99].map((time) => inDigits(Math.round(time ?? 0))).join(" / ");
    table.push(reported(`${rate}/s: p50 / p95 / p99`, shown, " ms", note));
    if (failed > 0 || (p99 ?? 0) > KNEE_MS) break;
    knee = `${rate}/s`;
  }
  await stop();
  return [...table, reported("the knee", knee, "", `p99 ≤ ${KNEE_MS} ms and no failure`)];
}

const ROUNDS = 60;
const SAVES_A_ROUND = 5;

/**
 * `npm run measure -- acts`: the times of a save, of an answer to 50 records, and of an export of 50 verified records, in the
 * executable, one after the other. Each round is a new technician, so that all rounds are alike.
 */
export async function acts(): Promise<Row[]> {
  await binary();
  const folder = mkdtempSync(join(tmpdir(), "hours-tracker-acts-"));
  beforeEnd(() => rmSync(folder, { recursive: true, force: true }));
  const env = { SESSION_SECRET: "a secret for measuring, of 32 bytes and more", REQUESTS_PER_MINUTE: "100000000" };
  const { port, stop } = await startBinary({ program: BINARY, data: join(folder, "data"), env });
  const { post, technician } = clientOf(`http://127.0.0.1:${port}`);
  const times = { "a save": [], "50 answers": [], "an export": [] } as Record<string, number[]>;
  const timed = async <Answer>(act: string, work: () => Promise<Answer>): Promise<Answer> => {
    const start = performance.now();
    const answer = await work();
    times[act]?.push(performance.now() - start);
    return answer;
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const cookie = await technician(`acts-${round}`);
    const entries = Array.from({ length: ENTRIES }, (_, n) => ({ ...ENTRY, location: `Dock ${n}` }));
    const [saved] = await post<{ id: number }[]>("/api/entries", entries, cookie);
    for (let n = 0; n < SAVES_A_ROUND; n += 1) await timed("a save", () => post("/api/entries", [ENTRY], cookie));
    const [{ id: supervisorId }] = await post<{ id: number }>("/api/supervisors", SUPERVISOR, cookie);
    const records = saved.map(({ id }) => ({ type: "entry", id }));
    const asked = { supervisorId, records };
    const [{ verificationToken }] = await post<{ verificationToken: string }>(
      "/api/verification-requests",
      asked,
      cookie,
    );
    const path = `/api/verify/${verificationToken}`;
    await timed("50 answers", () => post(path, { supervisorName: "Ingrid Solheim" }));
    await timed("an export", () => post("/api/exports", { form: "ojt" }, cookie));
  }
  await stop();
  return Object.entries(times).map(([act, all]) => {
    const sorted = all.slice(all.length / 10).sort((one, other) => one - other); // the first requests compile the code
    const [p50, p95] = [0.5, 0.95].map((share) => inDigits(sorted[Math.floor(share * sorted.length)] ?? Number.NaN));
    return reported(`${act}: p50 / p95`, `${p50} / ${p95} ms`, "", `${sorted.length} times`);
  });
}

/**
 * Sends `rate` requests a second for some seconds, each when it is due, whether or not earlier ones were answered (an open
 * model): a server that is slow does not get fewer. Returns their times in milliseconds from when they were due, `Infinity` for
 * one that failed.
 */
async function fireAt(rate: number, next: () => Ask): Promise<number[]> {
  const start = performance.now();
  const all: Promise<number>[] = [];
  while (all.length < rate * SECONDS) {
    const isDue = Math.min(rate * SECONDS, ((performance.now() - start) / 1000) * rate);
    while (all.length < isDue) {
      const due = start + (all.length / rate) * 1000;
      const took = (answer: Response) => (answer.ok ? performance.now() - due : Number.POSITIVE_INFINITY);
      all.push(next()().then(took, () => Number.POSITIVE_INFINITY));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return Promise.all(all);
}

/** Returns functions that send requests to the executable as a technician's client does. */
function clientOf(address: string) {
  const send = async (method: string, path: string, cookie = "", body?: object) => {
    const headers = { cookie, ...(body && { "content-type": "application/json" }) };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(address + path, {
      method,
      headers,
      signal,
      ...(body && { body: JSON.stringify(body) }),
    });
    return new Response(await answer.arrayBuffer(), answer);
  };
  const post = async <Answer>(path: string, body: object, cookie?: string): Promise<[Answer, cookie: string]> => {
    const answer = await send("POST", path, cookie, body);
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
    const cookies = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
    return [(await answer.json()) as Answer, cookies.join("; ")];
  };
  const technician = async (n: number | string) =>
    (await post("/api/auth/register", { email: `t${n}@example.com`, password: "correct horse battery" }))[1];
  return { send, post, technician };
}

/** The requests of the mix, in a fixed order: one reader with 50 entries, writers in turn, one open link. */
async function mixFor(address: string): Promise<() => Ask> {
  const { send, post, technician } = clientOf(address);
  const reader = await technician(0);
  const entries = Array.from({ length: ENTRIES }, (_, n) => ({ ...ENTRY, location: `Dock ${n}` }));
  const [saved] = await post<{ id: number }[]>("/api/entries", entries, reader);
  const [{ id: supervisorId }] = await post<{ id: number }>("/api/supervisors", SUPERVISOR, reader);
  const path = `/api/verify-request/${saved[0]?.id}`;
  const [{ verificationToken }] = await post<{ verificationToken: string }>(path, { supervisorId }, reader);
  const writers: string[] = [];
  for (let n = 1; n <= WRITERS; n += 1) writers.push(await technician(n));
  let turn = 0;
  return () => {
    turn += 1;
    const place = (turn * 7) % 20; // each of 20 places once in 20 requests
    if (place < 14) return () => send("GET", "/profile", reader);
    if (place < 17) return () => send("GET", `/verify/${verificationToken}`);
    return () => send("POST", "/api/entries", writers[turn % WRITERS], [ENTRY]);
  };
}

/** The processor time of a process so far, in seconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100; // in hundredths, user and system
}

/** Resident memory of a process, in MB. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000;
}
