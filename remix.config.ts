import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vitest/config";
import { inlineScripts } from "./scripts/vite-inline.ts";
import { islandsOnly } from "./scripts/vite-islands.ts";
import { slimPdf } from "./scripts/vite-pdf.ts";
import { cloudflareWorker } from "./scripts/vite-worker.ts";

/** Vite's config and Vitest's. Remix's plugin stays out of Vitest, which would never exit with it. */
export default defineConfig(({ mode }) => ({
  plugins:
    mode === "test"
      ? []
      : [
          remix({
            serverModuleFormat: "esm",
            future: {
              v3_fetcherPersist: true,
              v3_lazyRouteDiscovery: true,
              v3_relativeSplatPath: true,
              v3_routeConfig: true,
              v3_singleFetch: true,
              v3_throwAbortReason: true,
            },
          }),
          cloudflareWorker(),
          islandsOnly(),
          inlineScripts(),
        ],
  build: {
    target: "es2022",
    // Cloudflare counts the Worker's size, and a stack trace is read with its source map.
    minify: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  worker: { format: "es", plugins: () => [slimPdf()] },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["app/**/*.test.{ts,tsx}", "tests/spec/**/*.test.ts"],
          exclude: ["app/**/*.worker.test.ts"],
          testTimeout: 30_000, // the PDFs take seconds on a machine that has other work
        },
      },
      {
        extends: true,
        test: {
          name: "worker",
          // The files share what they import, which is most of their time; each starts a Worker of its own.
          isolate: false,
          include: ["app/**/*.worker.test.ts", "tests/{worker,safe}/**/*.test.ts"],
          globalSetup: "tests/worker/build.ts",
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          // Times, taken by `npm run safe` and `npm run mail:faults`: `npm test` has none.
          name: "timing",
          include: ["tests/safe/**/*.timing.ts"],
          globalSetup: "tests/worker/build.ts",
          testTimeout: 900_000,
        },
      },
      {
        extends: true,
        test: {
          name: "binary",
          include: ["tests/binary/**/*.test.ts"],
          globalSetup: "tests/binary/build.ts",
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "worker-in-binary",
          isolate: false,
          include: ["app/**/*.worker.test.ts", "tests/{worker,safe}/**/*.test.ts"],
          // They ask D1 alone, or hold workerd's time against Miniflare's.
          exclude: ["app/db/**", "app/admin/plans.worker.test.ts"],
          globalSetup: "tests/binary/worker-build.ts",
          provide: { target: "binary" },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
}));
