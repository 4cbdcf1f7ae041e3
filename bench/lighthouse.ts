import { existsSync, mkdirSync } from "node:fs";
import { findChromium } from "#scripts/lib/chromium.ts";
import { run } from "#scripts/lib/process.ts";
import { median, type Row, told } from "./table.ts";
import type { World } from "./world.ts";

/** The last one for the Node that we ask for. It has a hundred packages, so nobody who only starts or tests pays for it. */
const VERSION = "12.8.2";
const FOLDER = "node_modules/.cache/lighthouse";
const PROGRAM = `${FOLDER}/node_modules/lighthouse/cli/index.js`;

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;

interface Report {
  categories: Record<
    (typeof CATEGORIES)[number],
    { score: number | null; auditRefs: { id: string; weight: number }[] }
  >;
  audits: Record<string, { score: number | null; title: string }>;
}

/** `npm run measure -- lighthouse`: as on a phone, by Lighthouse's own settings. */
export async function lighthouse(world: World, runs: number): Promise<Row[]> {
  if (!(await isInstalled())) return [told("Lighthouse mobile, /auth", "not to be had here: npm could not install it")];
  const reports: Report[] = [];
  for (let index = 0; index < runs; index += 1) {
    const report = await reportOn(`${world.address}/auth`);
    if (typeof report === "string") return [told("Lighthouse mobile, /auth", "did not run", "", report)];
    reports.push(report);
  }
  return CATEGORIES.map((category) => {
    const scores = reports.map(({ categories }) => Math.round((categories[category].score ?? 0) * 100));
    const score = median(scores);
    const note = [`runs: ${scores.join(", ")}`, ...faultsIn(reports[0], category)].join("; ");
    return {
      what: `Lighthouse mobile, /auth: ${category}`,
      ours: String(score),
      target: "100",
      passed: score === 100,
      note,
    };
  });
}

async function isInstalled(): Promise<boolean> {
  if (existsSync(PROGRAM)) return true;
  console.log("Installing Lighthouse …");
  mkdirSync(FOLDER, { recursive: true });
  const options = ["--prefix", FOLDER, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", ...options, `lighthouse@${VERSION}`], { isSystem: true, quiet: true });
  return existsSync(PROGRAM);
}

/** A report, or what went wrong. */
async function reportOn(url: string): Promise<Report | string> {
  const flags = ["--headless=new", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])].join(" ");
  const args = [PROGRAM, url, "--quiet", "--output=json", "--output-path=stdout", `--chrome-flags=${flags}`];
  const { status, stdout, output } = await run(process.execPath, args, {
    isSystem: true,
    quiet: true,
    env: { CHROME_PATH: findChromium() ?? "", CI: "1" },
    timeout: 180_000,
  });
  return status === 0 ? JSON.parse(stdout) : (output.trim().split("\n").at(-1) ?? "");
}

/** What cost points. */
function faultsIn(report: Report | undefined, category: (typeof CATEGORIES)[number]): string[] {
  return (report?.categories[category].auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (report?.audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => report?.audits[id]?.title ?? id);
}
