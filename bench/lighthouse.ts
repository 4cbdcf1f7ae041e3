import { run } from "#scripts/lib/process.ts";
import { findChromium } from "#tests/chromium.ts";
import { median, type Row, reported } from "./table.ts";
import type { World } from "./world.ts";

/** The last version for our Node. Not a dependency, because it has a hundred packages and nothing else needs it. */
const VERSION = "12.8.2";
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;

type Report = { categories: Record<(typeof CATEGORIES)[number], { score: number | null }> };

/** `npm run measure -- lighthouse`: with Lighthouse's own settings for a phone. */
export async function lighthouse(world: World, runs: number): Promise<Row[]> {
  const reports: Report[] = [];
  for (let index = 0; index < runs; index += 1) {
    const report = await reportOn(`${world.address}/auth`);
    if (typeof report === "string") return [reported("Lighthouse mobile, /auth", "did not run", "", report)];
    reports.push(report);
  }
  return CATEGORIES.map((category) => {
    const scores = reports.map(({ categories }) => Math.round((categories[category].score ?? 0) * 100));
    const score = median(scores);
    const row = reported(`Lighthouse mobile, /auth: ${category}`, score, "", `runs: ${scores.join(", ")}`);
    return { ...row, target: "100", passed: score === 100 };
  });
}

/** A report, or the last line of the error. */
async function reportOn(url: string): Promise<Report | string> {
  const flags = ["--headless=new", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])].join(" ");
  const program = ["--yes", `lighthouse@${VERSION}`]; // npx downloads it into npm's cache the first time
  const args = [...program, url, "--quiet", "--output=json", "--output-path=stdout", `--chrome-flags=${flags}`];
  const { status, stdout, output } = await run("npx", args, {
    isSystem: true,
    quiet: true,
    env: { CHROME_PATH: findChromium() ?? "", CI: "1" },
    timeout: 600_000,
  });
  return status === 0 ? JSON.parse(stdout) : (output.trim().split("\n").at(-1) ?? "");
}
