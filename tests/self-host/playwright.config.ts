import { defineConfig } from "@playwright/test";
import common from "../../playwright.config.ts";

const port = process.env.BROWSER_TEST_PORT ?? "8791";

/** The users' main path and the export through the executable, in a real browser. */
export default defineConfig({
  ...common,
  testDir: "../browser",
  outputDir: "../../test-results/executable",
  testMatch: ["main-job.spec.ts", "export.spec.ts"],
  webServer: {
    command: "node --import tsx tests/self-host/serve.ts",
    cwd: "../..",
    url: `http://localhost:${port}/healthz`,
    reuseExistingServer: false,
    timeout: 10 * 60_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 2 * 60_000 },
    env: { BROWSER_TEST_PORT: port, BROWSER_TEST_DATA: process.env.BROWSER_TEST_DATA ?? "" },
  },
});
