import { defineConfig } from "@playwright/test";
import { CHROMIUM_ARGS, findChromium, findHeadless } from "./tests/chromium.ts";
import { databaseFolder, keepDatabasesInMemory } from "./tests/memory-folder.ts";

// Each of Playwright's workers reads this file again, with the environment of the main process.
process.env.CHROMIUM_PATH ??= findHeadless() ?? findChromium() ?? "";
keepDatabasesInMemory();
process.env.BROWSER_TEST_DATA ??= databaseFolder();
const port = process.env.BROWSER_TEST_PORT ?? "8790";
const baseURL = `http://localhost:${port}`;

/** The users' paths through the built app, in a real browser, with an empty database. */
export default defineConfig({
  testDir: "tests/browser",
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // The limit only ends tests that hang. It must not depend on the speed of the machine.
  timeout: 10 * 60_000,
  // A colour that a person would see differ, in an area larger than a letter.
  expect: { timeout: 2 * 60_000, toHaveScreenshot: { threshold: 0.05, maxDiffPixelRatio: 0.0003 } },
  // One picture for all systems. Only `npm test -- keep-screens` stores one: otherwise a missing picture fails.
  snapshotPathTemplate: "{testDir}/screens/{arg}{ext}",
  updateSnapshots: "none",
  forbidOnly: !!process.env.CI,
  outputDir: "test-results/app", // each run empties its own folder
  use: {
    baseURL,
    // With a service worker, requests for pages cannot be intercepted. The tests of offline pages allow it.
    serviceWorkers: "block",
    // Each worker of the suite has its own network: together they register more users than one network may.
    extraHTTPHeaders: { "X-Forwarded-For": `10.0.0.${process.env.TEST_WORKER_INDEX ?? 0}` },
    // Stores the steps, and the page at a failure. Screenshots and snapshots of each step take a third of the suite's
    // time; `--trace on` adds them.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: CHROMIUM_ARGS,
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
