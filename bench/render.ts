import "./own-data.ts"; // before all others
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEnd } from "#scripts/lib/ending.ts";
import { serveWorker } from "#scripts/lib/local.ts";
import { dataDir, sessionSecret } from "#scripts/lib/settings.ts";
import { TECHNICIANS, type Technician, userId } from "./seed.ts";
import { atLeast, atMost, inDigits, median, type Row, told } from "./table.ts";
import { buildVariant } from "./variant.ts";
import { startWorld } from "./world.ts";

/** How many the Worker does in one request, and how many requests make a figure. */
const AT_ONCE = 20;

/** `npm run measure -- render`. */
export async function render(): Promise<Row[]> {
  const world = await startWorld();
  const build = await buildVariant("render", [
    { file: "vite/cloudflare-worker.ts", from: /\.\.\/app\/entry\.worker\.ts/, to: "../app/measured.worker.tsx" },
    { file: "app/measured.worker.tsx", with: "render/measured.worker.tsx" },
    { file: "app/bare-table.tsx", with: "render/bare-table.tsx" },
    { file: "app/replayed-database.ts", with: "render/replayed-database.ts" },
    // What the page shows is fewer: a thousand are rendered here for the comparison.
    { file: "app/routes/profile.tsx", from: /const SHOWN = [\d_]+;/, to: "const SHOWN = 1000;" },
  ]);
  const data = join(dataDir, "render");
  cpSync(join(dataDir, "v3"), join(data, "v3"), { recursive: true });
  const before = new Set(runtimes());
  const worker = serveWorker({ SESSION_SECRET: sessionSecret() }, { build, data, quiet: true });
  beforeEnd(() => worker.dispose());
  const address = await worker.ready;
  const pid = runtimes().find((pid) => !before.has(pid));

  const ask = async (path: string, who: Technician, times: number) => {
    const { name, value } = await world.cookieOf(who);
    const answer = await fetch(new URL(`${path}?times=${times}&rows=${userId(who)}`, address), {
      headers: { Cookie: `${name}=${value}` },
    });
    return answer.text();
  };
  const timed = async (path: string, who: Technician) => {
    const start = performance.now();
    await ask(path, who, AT_ONCE);
    return (performance.now() - start) / AT_ONCE;
  };
  const ratio = async (who: Technician): Promise<Row> => {
    const [whole, alone] = [await ask("/handler", who, 1), await ask("/bare", who, 1)];
    // Head and totals are rows too, and the page has another table, of the form.
    if (Number(alone) !== TECHNICIANS[who] + 2 || Number(whole) < Number(alone))
      throw new Error(`${whole} and ${alone} rows for ${who}`);
    const times = { bare: [] as number[], handler: [] as number[] };
    for (let round = 0; round < 25; round += 1) {
      for (const what of ["bare", "handler"] as const) {
        const time = await timed(`/${what}`, who);
        if (round >= 5) times[what].push(time); // until then it is being compiled
      }
    }
    const [bare, handler] = [median(times.bare), median(times.handler)];
    const note = `${inDigits(bare)} ms ÷ ${inDigits(handler)} ms, medians of ${times.bare.length} × ${AT_ONCE}`;
    return atLeast(
      `bare render ÷ whole handler, ${inDigits(TECHNICIANS[who])} rows, without D1`,
      bare / handler,
      0.65,
      note,
    );
  };
  const table = [await ratio("thousand")];

  if (pid === undefined) return [...table, told("CPU of /profile, 200 rows", "not measured: no /proc here")];
  await ask("/handler/json", "twoHundred", 1);
  for (let round = 0; round < 20; round += 1) await ask("/handler/json", "twoHundred", AT_ONCE);
  const cpu = { page: [] as number[], bare: [] as number[] };
  const used = async (path: string, who: Technician) => {
    const start = cpuOf(pid);
    for (let request = 0; request < 20; request += 1) await ask(path, who, AT_ONCE);
    return (cpuOf(pid) - start) / (20 * AT_ONCE);
  };
  for (let round = 0; round < 5; round += 1) {
    cpu.page.push(await used("/handler/json", "twoHundred"));
    cpu.bare.push(await used("/bare", "thousand"));
  }
  const [page, bare] = [median(cpu.page), median(cpu.bare)];
  table.push(
    atMost(
      "CPU of /profile, 200 rows, the Worker's own",
      page,
      2.5,
      " ms",
      "CPU time of workerd ÷ 400 requests, D1's answer read from JSON, without D1, HTTP and gzip",
    ),
    told(
      "the same ÷ CPU of the bare render, 1,000 rows",
      page / bare,
      "",
      `the bare render took ${inDigits(bare)} ms here; 4 ms where the target was set, of which 2.5 is 0.63`,
    ),
  );
  return table;
}

/** The processes that this one has started and that are workerd, on a system that has /proc. */
export function runtimes(): number[] {
  if (!existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const { name, parent } = statOf(Number(pid));
      return parent === process.pid && name.startsWith("workerd");
    })
    .map(Number);
}

/** What a process has used of its processors, in milliseconds; the kernel counts in hundredths of a second. */
function cpuOf(pid: number): number {
  return statOf(pid).ticks * 10;
}

function statOf(pid: number): { name: string; parent: number; ticks: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // pid (name) state parent …, user and system time are fields 14 and 15
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { name, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return { name: "", parent: 0, ticks: 0 }; // it has ended meanwhile
  }
}
