import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { chromium } from "@playwright/test";
import { run } from "#scripts/lib/process.ts";

/** A whole Chromium, as systems package it. */
const WHOLE = ["chromium", "chromium-browser", "google-chrome"];

/**
 * Chromium without windows, as Debian packages it. The whole one makes a window for each context, which no test looks at: with
 * three pages in it a context takes 0.8 s of processor time there and 0.3 s here.
 */
const SHELL = ["chromium-headless-shell"];

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

/** The path of a Chromium that runs: from CHROMIUM_PATH, or a whole one. */
export function findChromium(): string | null {
  return firstOf([process.env.CHROMIUM_PATH ?? "", ...wholeOnes()]);
}

/** The path of a whole Chromium: the system's, or Playwright's. */
export function findWhole(): string | null {
  return firstOf(wholeOnes());
}

const wholeOnes = () => [...programs(WHOLE), chromium.executablePath()];

/** The path of a Chromium for tests: from CHROMIUM_PATH, or one without windows, of the system or of Playwright. */
export function findHeadless(): string | null {
  return firstOf([process.env.CHROMIUM_PATH ?? "", ...programs(SHELL), ...playwrightsShells()]);
}

/** Returns where programs of these names may be, by PATH. */
function programs(names: string[]): string[] {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/**
 * Returns the folders where Playwright keeps its Chromium without windows: beside the whole one, whose path is the only
 * one that it returns.
 */
function playwrightsShells(): string[] {
  const folder = dirname(dirname(chromium.executablePath())).replace(/chromium(-\d+)$/, "chromium_headless_shell$1");
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((file) => /headless-shell(\.exe)?$/.test(file)).map((file) => join(folder, file));
}

const firstOf = (candidates: string[]) => candidates.find((path) => existsSync(path) && doesRun(path)) ?? null;

/** An installed browser may lack a system library; on Ubuntu it may be a stub for snap. */
function doesRun(path: string): boolean {
  return spawnSync(path, ["--version"], { stdio: "ignore", timeout: 2 * 60_000 }).status === 0;
}

type Way = [program: string, args: string[]];

/**
 * Finds a Chromium for tests or installs one: one without windows, of Playwright or of the system; if there is none, the whole
 * one that is there; and only then a whole one.
 */
export async function installChromium(): Promise<string | null> {
  const playwright = "node_modules/.bin/playwright";
  // The font has the widths of Arial, which pages ask for: with a wider one some pages look otherwise.
  const packages = ["install", "-y", "--no-install-recommends", "fonts-liberation"];
  const shell = await foundAfter(findHeadless, [
    [playwright, ["install", "--only-shell", "chromium"]],
    ...asRoot("apt-get", "update"),
    ...asRoot("apt-get", ...packages, "chromium-headless-shell"),
  ]);
  return (
    shell ??
    foundAfter(
      () => findChromium() ?? findHeadless(),
      [
        ...asRoot("apt-get", ...packages, "chromium"),
        ...asRoot(playwright, "install-deps", "chromium"),
        [playwright, ["install", "chromium"]],
      ],
    )
  );
}

/** Returns the result of `find`, at first or after one of the ways to install it. */
async function foundAfter(find: () => string | null, ways: Way[]): Promise<string | null> {
  let found = find();
  if (!found) console.log("Looking for a Chromium to test with …");
  for (const [program, args] of found ? [] : ways) {
    const { status } = await run(program, args, { isSystem: true, quiet: true, timeout: DOWNLOAD_MS });
    found = status === 0 ? find() : null;
    if (found) break;
  }
  return found;
}

/** A command to run as root on Linux; none on other systems. */
function asRoot(program: string, ...args: string[]): Way[] {
  if (process.platform !== "linux") return [];
  return process.getuid?.() === 0 ? [[program, args]] : [["sudo", ["-n", program, ...args]]];
}
