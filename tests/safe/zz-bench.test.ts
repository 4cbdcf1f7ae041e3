import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { test, inject } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { startDatabase } from "#tests/worker/database.ts";
async function timed(name: string, n: number, work: () => Promise<unknown>) {
  const s = performance.now(); const c = process.cpuUsage();
  for (let i = 0; i < n; i += 1) await work();
  const d = process.cpuUsage(c);
  console.log(name, ((performance.now() - s) / n).toFixed(1), "ms; own cpu", ((d.user + d.system) / 1000 / n).toFixed(1));
}
test("bench", async () => {
  await startApp();
  await timed("startApp", 5, async () => (await startApp()).get("/healthz"));
  await timed("startDatabase", 5, async () => (await startDatabase()).prepare("SELECT 1").run());
  await timed("copy", 5, async () => { const f = mkdtempSync("/dev/shm/zz-"); cpSync(inject("template"), f, { recursive: true }); rmSync(f, { recursive: true }); });
});
