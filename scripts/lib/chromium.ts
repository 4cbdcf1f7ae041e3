import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { run } from "./process.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/**
 * Chromium without windows, as Debian packages it. The other one makes a window for each context, which no test looks at: with
 * three pages in it a context takes 0.8 s of processor time there and 0.3 s here.
 */
const HEADLESS = ["chromium-headless-shell"];

const DOWNLOAD_MS = 15 * 60_000;

/**
 * Parts of Chromium that take time in each test and that no page needs: of its chrome, the two panels below the address
 * bar, which are pages of their own in every window and took half of the suite's time, and the renderer that is started
 * for a later page. The last list of features counts, so the rest is Playwright's own list.
 */
const UNUSED_FEATURES = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess"],
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"],
  ...["HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "OptimizationHints"],
  ...["ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "NetworkTimeServiceQuerying"],
  ...["AimEnabled", "PreconnectToSearch"],
];

/** The arguments of a Chromium for tests. */
export const CHROMIUM_ARGS = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  // Chromium itself must not fetch anything during a test.
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${UNUSED_FEATURES}`,
];

/** The path of a Chromium that runs: from CHROMIUM_PATH, the system's, or Playwright's. */
export function findChromium(): string | null {
  return firstOf([process.env.CHROMIUM_PATH ?? "", ...programs(NAMES), chromium.executablePath()]);
}

/** The path of a Chromium for tests: from CHROMIUM_PATH, or the system's that has no windows. */
export function findHeadless(): string | null {
  return firstOf([process.env.CHROMIUM_PATH ?? "", ...programs(HEADLESS)]);
}

/** Where programs of these names may be, by PATH. */
function programs(names: string[]): string[] {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

const firstOf = (candidates: string[]) => candidates.find((path) => path && existsSync(path) && doesRun(path)) ?? null;

/** An installed browser may lack a system library; on Ubuntu it may be a stub for snap. */
function doesRun(path: string): boolean {
  return spawnSync(path, ["--version"], { stdio: "ignore", timeout: 2 * 60_000 }).status === 0;
}

/** Finds a Chromium or installs one: Playwright's, or the system's package. */
export async function installChromium(): Promise<string | null> {
  const found = findChromium();
  if (found) return found;
  console.log("Looking for a Chromium to test with …");
  const ways: [string, string[]][] = [
    ["node_modules/.bin/playwright", ["install", "chromium"]],
    ...asRoot("apt-get", "update"),
    // The font has the widths of Arial, which pages ask for: with a wider one some pages look otherwise.
    ...asRoot("apt-get", "install", "-y", "--no-install-recommends", "chromium", "fonts-liberation"),
    ...asRoot("node_modules/.bin/playwright", "install-deps", "chromium"),
  ];
  for (const [program, args] of ways) {
    const { status } = await run(program, args, { isSystem: true, quiet: true, timeout: DOWNLOAD_MS });
    const brought = status === 0 && findChromium();
    if (brought) return brought;
  }
  return null;
}

/** A command to run as root on Linux; none on other systems. */
function asRoot(program: string, ...args: string[]): [string, string[]][] {
  if (process.platform !== "linux") return [];
  return process.getuid?.() === 0 ? [[program, args]] : [["sudo", ["-n", program, ...args]]];
}
