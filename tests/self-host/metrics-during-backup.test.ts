import { expect, test } from "vitest";
import { answerMetrics } from "#self-host/metrics-endpoint.ts";

const TOKEN = "fedcba9876543210fedcba9876543210";

/** A database whose writes wait, as while a backup is written. */
function withoutWrites(): D1Database {
  const empty = { results: [{ count: 0, oldest: null }], meta: { size_after: 4096 } };
  const prepare = (sql: string) => ({ sql, bind: () => ({ sql }) });
  const batch = ([first]: { sql: string }[]) =>
    first?.sql.startsWith("SELECT") ? Promise.resolve([empty, { results: [] }]) : new Promise(() => {});
  return { prepare, batch } as unknown as D1Database;
}

// Prometheus gives up after ten seconds, and a backup can take longer.
test("while writes wait for a backup, /metrics answers with the program's own check of its health", async () => {
  const request = new Request("http://localhost/metrics", { headers: { Authorization: `Bearer ${TOKEN}` } });
  const answer = await answerMetrics(request, {
    DB: withoutWrites(),
    METRICS_TOKEN: TOKEN,
    isHealthy: async () => true,
  });
  expect(await answer?.text()).toContain("\nhourstracker_ready 1\n");
});
