import { availableParallelism } from "node:os";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import type { TestSpecification } from "vitest/node";
import { keepDatabasesInMemory } from "./tests/memory-folder.ts";
import { checkedStatements, cloudflareWorker } from "./vite/cloudflare-worker.ts";
import { inlineScripts } from "./vite/inline-scripts.ts";
import { installable } from "./vite/installable.ts";
import { islandsOnly } from "./vite/islands-only.ts";
import { serviceWorker } from "./vite/service-worker.ts";
import { slimPdf } from "./vite/slim-pdf.ts";

/**
 * The limit only ends tests that hang. It is long for every suite, because it must not depend on the speed of the
 * machine.
 */
const HANG = 10 * 60_000;
const waits = { testTimeout: HANG, hookTimeout: HANG, teardownTimeout: HANG };

/** The races but for those of tests/safe/races.test.ts, and programs of documents and of `bench`: for `npm run safe` alone. */
const LONG = [
  "tests/safe/{account,answer,correction,deletion}-races.test.ts",
  "tests/spec/{proof-docs,variants}.test.ts",
];
const excluded = process.env.SAFE ? [] : LONG;

/** Runs the files that `npm run safe` names first (`SAFE_FIRST` in tests/safe.ts), in that order, before the others. */
class NamedFirst {
  shard = (files: TestSpecification[]) => files;
  sort(files: TestSpecification[]): TestSpecification[] {
    const first = process.env.SAFE_FIRST?.split(" ") ?? [];
    const place = ({ moduleId }: TestSpecification) => {
      const found = first.findIndex((name) => moduleId.includes(name));
      return found < 0 ? first.length : found;
    };
    return files.toSorted((one, other) => place(one) - place(other));
  }
}

/**
 * Vite's and Vitest's configuration. Remix's plugin is left out of Vitest, which would never exit with it, and loads
 * slowly.
 */
export default defineConfig(async ({ mode }): Promise<ViteUserConfig> => {
  if (mode === "test") keepDatabasesInMemory();
  return {
    plugins:
      mode === "test"
        ? [checkedStatements()]
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
            checkedStatements(),
            islandsOnly(),
            inlineScripts(),
            serviceWorker(),
            installable(),
          ],
    // Whether pages register the service worker (app/entry/signed-in.inline.ts).
    define: { "import.meta.env.OFFLINE": JSON.stringify(process.env.OFFLINE ?? "") },
    build: {
      target: "es2022",
      // Cloudflare limits the Worker's size. The source map makes stack traces readable.
      minify: "terser",
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
    worker: { format: "es", plugins: () => [slimPdf()] },
    test: {
      tags: [{ name: "long" }], // tests/safe/figures.ts
      // One more than cores, because some files wait: for another attempt, a limit or a client that reads slowly.
      maxWorkers: availableParallelism() + 1,
      ...(process.env.SAFE_FIRST && { sequence: { sequencer: NamedFirst } }),
      projects: [
        {
          extends: true,
          test: {
            name: "unit",
            // As in the Worker's suite, the files share their imports, which take half of their time.
            isolate: false,
            include: ["app/**/*.test.{ts,tsx}", "tests/spec/**/*.test.ts"],
            exclude: ["app/**/*.worker.test.ts", ...excluded],
            ...waits,
          },
        },
        {
          extends: true,
          test: {
            name: "worker",
            // The files share their imports, which take most of their time, and one after the other a Worker (tests/worker/miniflare.ts).
            isolate: false,
            include: ["app/**/*.worker.test.ts", "tests/{worker,safe}/**/*.test.ts"],
            exclude: excluded,
            globalSetup: "tests/worker/build.ts",
            ...waits,
          },
        },
        {
          extends: true,
          test: {
            // Measurements of time, for `npm run safe`: `npm test` has none.
            name: "timing",
            include: ["tests/safe/**/*.timing.ts"],
            globalSetup: "tests/worker/build.ts",
            ...waits,
            testTimeout: 30 * 60_000, // hundreds of logins, one after the other
          },
        },
        {
          extends: true,
          test: {
            name: "self-host",
            isolate: false, // a process for each file took a second of processor time
            include: ["tests/self-host/**/*.test.ts"],
            // Most of their time is spent waiting, for example a minute for the timer.
            maxWorkers: 2 * availableParallelism(),
            sequence: { groupOrder: 1 }, // Vitest requires an order of its own for another number of workers
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
            // They only use D1, compare workerd's time with Miniflare's, or cut a browser's network.
            exclude: ["app/db/**", "app/admin/plans.worker.test.ts", "tests/safe/offline.test.ts", ...excluded],
            globalSetup: "tests/self-host/worker-build.ts",
            provide: { target: "binary" },
            ...waits,
          },
        },
      ],
    },
  };
});
