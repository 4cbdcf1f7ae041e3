import "./own-data.ts"; // before all others
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import binary, { BINARY } from "#scripts/binary.ts";
import { beforeEnd } from "#scripts/lib/ending.ts";
import { type Running, startBinary } from "#self-host/build/running.ts";
import { loadCurve, type Step } from "./load-curve.ts";
import { type Asked, type Fired, fireAt, send } from "./open-load.ts";
import { inDigits, PICTURES, type Row, reported } from "./table.ts";

/** The requests a second, one step after the other, until two in a row are beyond the knee. */
const RATES = [25, 50, 75, 100, 150, 200, 250, 300, 400, 500, 650, 800, 1_000, 1_300, 1_600, 2_000];
const SECONDS = 5;

/** Beyond the knee: the slowest hundredth takes longer than this, in milliseconds, or requests fail. */
const KNEE_MS = 500;

const WRITERS = 20;
const ENTRIES = 50;
const ENTRY = { date: "2026-11-19", location: "Dock 4, tank 12", method: "UT_THK", hours: 7.5 };

/**
 * `npm run measure -- load`: the executable under more and more requests a second, of which 70 % are GET /profile, 15 %
 * POST /api/entries and 15 % GET /verify/{token}. A request is sent when it is due, whatever became of the earlier ones. Draws
 * docs/load.svg.
 */
export async function load(): Promise<Row[]> {
  if (process.platform !== "linux") return [reported("load", "measured on Linux alone, by /proc")];
  await binary();
  const folder = mkdtempSync(join(tmpdir(), "hours-tracker-load-"));
  beforeEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const [busy = 0] = loadavg();
  const env = { SESSION_SECRET: "a secret for measuring, of 32 bytes and more", REQUESTS_PER_MINUTE: "100000000" };
  const running = await startBinary({ program: BINARY, data: join(folder, "data"), env });
  const mix = await mixFor(running);
  await fireAt(50, 3, running.port, mix); // the first requests compile the code
  const steps: Step[] = [];
  for (const rate of RATES) {
    steps.push(await stepAt(rate, running, mix));
    if (steps.slice(-2).every(isBeyond) && steps.length > 1) break;
  }
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const after = await stepAt(RATES[0] ?? 25, running, mix);
  await running.stop();
  const [core] = cpus();
  const machine = `${cpus().length} cores of ${core?.model ?? "an unknown processor"}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  writeFileSync(`${PICTURES}/load.svg`, loadCurve(steps, machine));
  const knee = steps.filter((step) => !isBeyond(step)).at(-1);
  return [
    reported("machine", machine, "", `load average at the start ${busy.toFixed(1)}; the requests are sent from it too`),
    ...steps.map(rowOf),
    reported("the knee", knee ? `${knee.rate}/s` : "below the first step", "", `p99 ≤ ${KNEE_MS} ms and no failure`),
    { ...rowOf(after), what: "afterwards, 25/s: p50 / p95 / p99" },
  ];
}

const isBeyond = ({ p99, failed }: Step) => p99 > KNEE_MS || failed > 0;

function rowOf({ rate, answered, p50, p95, p99, failed, answers, cpu, memory }: Step): Row {
  const times = [p50, p95, p99].map((time) => inDigits(Math.round(time))).join(" / ");
  const note = `${answered.toFixed(0)}/s answered, ${failed} failed${answers && ` (${answers})`}, ${cpu.toFixed(0)} % of a core, ${memory.toFixed(0)} MB`;
  return reported(`${rate}/s: p50 / p95 / p99`, times, " ms", note);
}

async function stepAt(rate: number, running: Running, mix: () => Asked): Promise<Step> {
  const before = cpuOf(running.pid);
  const start = performance.now();
  const fired = await fireAt(rate, SECONDS, running.port, mix);
  const seconds = (performance.now() - start) / 1000;
  const times = fired.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN;
  const failures = fired.filter(isFailed).map(({ status }) => String(status ?? "none"));
  const failed = failures.length;
  return {
    answers: [...new Set(failures)].join(", "),
    rate,
    failed,
    answered: (fired.length - failed) / seconds,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    cpu: (100 * (cpuOf(running.pid) - before)) / seconds,
    memory: memoryOf(running.pid),
  };
}

const isFailed = ({ status }: Fired) => status === null || status >= 400;

/** The requests of the mix, in a fixed order: one reader with 50 entries, writers in turn, one open link. */
async function mixFor({ port }: Running): Promise<() => Asked> {
  const reader = await technician(port, 0);
  const entries = Array.from({ length: ENTRIES }, (_, n) => ({ ...ENTRY, location: `Dock ${n}` }));
  const saved = await post(port, "/api/entries", entries, reader);
  const [first] = JSON.parse(saved.text) as { id: number }[];
  const supervisor = await post(port, "/api/supervisors", SUPERVISOR, reader);
  const { id: supervisorId } = JSON.parse(supervisor.text) as { id: number };
  const asked = await post(port, `/api/verify-request/${first?.id}`, { supervisorId }, reader);
  const { verificationToken } = JSON.parse(asked.text) as { verificationToken: string };
  const writers: string[] = [];
  for (let n = 1; n <= WRITERS; n += 1) writers.push(await technician(port, n));
  let turn = 0;
  return () => {
    turn += 1;
    const place = (turn * 7) % 20; // each of 20 places once in 20 requests
    if (place < 14) return { method: "GET", path: "/profile", cookie: reader };
    if (place < 17) return { method: "GET", path: `/verify/${verificationToken}` };
    return { method: "POST", path: "/api/entries", cookie: writers[turn % WRITERS] ?? reader, body: [ENTRY] };
  };
}

const SUPERVISOR = {
  name: "Ingrid Solheim",
  email: "ingrid@refinery.example",
  phone: "+47 555 01 230",
  certificationLevel: "Level III",
  company: "Fjord Inspection AS",
};

/** Registers a technician and returns the session cookie. */
async function technician(port: number, n: number): Promise<string> {
  return (await post(port, "/api/auth/register", { email: `t${n}@example.com`, password: "correct horse battery" }))
    .cookie;
}

async function post(port: number, path: string, body: object, cookie?: string) {
  const answer = await send(port, { method: "POST", path, body, ...(cookie && { cookie }) });
  if (answer.status === null || answer.status >= 400) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
  return answer;
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
