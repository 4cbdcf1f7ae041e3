import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { run } from "./process.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

const DOWNLOAD_MS = 15 * 60_000;

/** The path of a Chromium that runs: from CHROMIUM_PATH, the system's, or Playwright's. */
export function findChromium(): string | null {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const candidates = [
    process.env.CHROMIUM_PATH ?? "",
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    chromium.executablePath(),
  ];
  return candidates.find((path) => path && existsSync(path) && doesRun(path)) ?? null;
}

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
    ...asRoot("apt-get", "install", "-y", "--no-install-recommends", "chromium"),
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
