import { expect, test } from "vitest";
import { scripts, WORKER_MAX, workerBytes } from "#bench/bundles.ts";

/*
 * The gzipped size of the build (targets: Slow links, The server). Catches a browser library in the Worker: with
 * @react-pdf/renderer imported by the export button itself the Worker was 667 kB, and both tests failed.
 */

/** The slack of a goal in bytes (docs/measure.md). */
const SLACK = 1.02;

test("the Worker is at most 520 kB, with a slack of 2 %", () => {
  expect(workerBytes()).toBeLessThanOrEqual(WORKER_MAX * SLACK);
});

test("the PDF builder is at most 310 kB, and no other script is larger than a sixth of that", () => {
  const [builder, ...others] = scripts();
  expect(builder?.name).toBe("pdf-worker.client");
  expect(builder?.gzip).toBeLessThanOrEqual(310_000);
  for (const { name, gzip } of others) expect([name, gzip <= 50_000]).toEqual([name, true]);
});
