import { availableParallelism } from "node:os";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { cloudflareWorker } from "./vite/cloudflare-worker.ts";
import { inlineScripts } from "./vite/inline-scripts.ts";
import { islandsOnly } from "./vite/islands-only.ts";
import { slimPdf } from "./vite/slim-pdf.ts";

/**
 * A limit on waiting ends a hang; it does not time the machine, which may have other work. So it is long, for every test
 * of every suite.
 */
const HANG = 10 * 60_000;
const waits = { testTimeout: HANG, hookTimeout: HANG, teardownTimeout: HANG };

/** Vite's config and Vitest's. Remix's plugin stays out of Vitest, which would never exit with it, and takes long to load. */
export default defineConfig(
  async ({ mode }): Promise<ViteUserConfig> => ({
    plugins:
      mode === "test"
        ? []
        : [
            (await import("@remix-run/dev")).vitePlugin({
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
      // By default Vitest leaves one core to itself: on two of them that is half of the machine.
      maxWorkers: availableParallelism(),
      projects: [
        {
          extends: true,
          test: {
            name: "unit",
            include: ["app/**/*.test.{ts,tsx}", "tests/spec/**/*.test.ts"],
            exclude: ["app/**/*.worker.test.ts"],
            ...waits,
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
            ...waits,
          },
        },
        {
          extends: true,
          test: {
            // Times, taken by `npm run safe` and `npm run mail:faults`: `npm test` has none.
            name: "timing",
            include: ["tests/safe/**/*.timing.ts"],
            globalSetup: "tests/worker/build.ts",
            ...waits,
            testTimeout: 30 * 60_000, // hundreds of log-ins, one after the other
          },
        },
        {
          extends: true,
          test: {
            name: "self-host",
            include: ["tests/self-host/**/*.test.ts"],
            globalSetup: "tests/self-host/build.ts",
            ...waits,
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
            globalSetup: "tests/self-host/worker-build.ts",
            provide: { target: "binary" },
            ...waits,
          },
        },
      ],
    },
  }),
);
