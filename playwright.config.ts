import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/lib/chromium.ts";

// Playwright reads this file once more in each of its workers, which have the environment of the first.
process.env.CHROMIUM_PATH ??= findChromium() ?? "";
process.env.BROWSER_TEST_DATA ??= mkdtempSync(join(tmpdir(), "hours-tracker-tests-"));
const port = process.env.BROWSER_TEST_PORT ?? "8790";
const baseURL = `http://localhost:${port}`;

/** People's paths through the built app, in a real browser, over an empty database. */
export default defineConfig({
  testDir: "tests/browser",
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // A limit on waiting ends a hang; it does not time the machine, which may have other work.
  timeout: 10 * 60_000,
  expect: { timeout: 2 * 60_000 },
  forbidOnly: !!process.env.CI,
  outputDir: "test-results",
  use: {
    baseURL,
    // Each worker of the suite comes from a network of its own: together they register more people than one may.
    extraHTTPHeaders: { "X-Forwarded-For": `10.0.0.${process.env.TEST_WORKER_INDEX ?? 0}` },
    // What was done, and how the page looked when it failed. Pictures and copies of the page at each step cost a third of
    // the suite's time; `--trace on` takes them.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        // Nothing that Chromium itself would fetch belongs into a test.
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  webServer: {
    command: "node --import tsx tests/browser/serve.ts",
    url: `${baseURL}/auth`,
    reuseExistingServer: false,
    timeout: 10 * 60_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 2 * 60_000 },
    env: {
      PORT: port,
      DATA_DIR: process.env.BROWSER_TEST_DATA,
      PUBLIC_ORIGIN: "",
      TRUST_PROXY: "1",
      HOST: "",
      SESSION_SECRET: "",
      MAILCHANNELS_API_KEY: "a key for tests",
      MAIL_FROM: "Hours Tracker <hours@example.com>",
    },
  },
});
