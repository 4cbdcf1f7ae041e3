import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { borrowDatabase } from "#scripts/lib/holder.ts";
import { npmStart } from "#tests/self-host/npm-start.ts";
import { cookieOf, visit } from "#tests/self-host/start.ts";
import { reportFigureAtEnd } from "./figures.ts";

/*
 * The time that other users wait for a page, a check or a log-in while a few make the app as busy as they can: clients
 * that do not read their downloads, invented cookies, and right passwords. `npm test` checks the statuses
 * (app/server/turns.worker.test.ts).
 */

const WAIT_MS = 3_000;
const ROUNDS = 10;
const PASSWORD = "correct horse battery";

const data = mkdtempSync(join(tmpdir(), "hours-tracker-busy-"));
const app = await npmStart(data, { REQUESTS_PER_MINUTE: "1000000" });
afterAll(async () => {
  await app.stop();
  rmSync(data, { recursive: true, force: true });
});

const call = (path: string, body: object) =>
  visit(app.url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
const logIn = (who: string) => call("/api/auth/login", { email: `${who}@example.com`, password: PASSWORD });

const cookies = new Map<string, string>();
for (const who of ["other", ...Array.from({ length: 10 }, (_, number) => `busy-${number}`)]) {
  const answer = await call("/api/auth/register", { email: `${who}@example.com`, password: PASSWORD, name: who });
  cookies.set(who, cookieOf(answer));
}
const borrowed = await borrowDatabase(data);
if (!borrowed) throw new Error("npm start does not lend its database");
await borrowed.database
  .prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
      INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
      SELECT users.id, 'entry', '2026-11-20', ?, 'MT', 750, '', 0 FROM users, n WHERE email IN (?, ?)`,
  )
  .bind("🏭".repeat(200), "busy-0@example.com", "busy-1@example.com")
  .run();

/** The requests of others. The status is as given, whatever the app is busy with. */
const OTHERS: [string, number, () => Promise<Response>][] = [
  ["/progress", 200, () => visit(`${app.url}/progress`, { headers: { Cookie: cookies.get("other") ?? "" } })],
  ["a search", 200, () => visit(`${app.url}/profile?q=Rig`, { headers: { Cookie: cookies.get("other") ?? "" } })],
  ["/disown", 404, () => visit(`${app.url}/disown/invented`)],
  ["a log-in", 200, () => logIn("other")],
];

const figures: string[] = [];

/** Measures the longest wait of others, in milliseconds, until `isOver` is called. */
async function expectOthersAnswered(what: string): Promise<void> {
  let longest = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, status, send] of OTHERS) {
      const start = performance.now();
      const answer = await send();
      await answer.arrayBuffer();
      longest = Math.max(longest, performance.now() - start);
      expect.soft([name, answer.status]).toEqual([name, status]);
    }
  }
  figures.push(`${what} ${longest.toFixed(0)} ms`);
  console.log(`${what}: others wait for ${longest.toFixed(0)} ms at most`);
  expect(longest).toBeLessThan(WAIT_MS);
}

/** Sends `send` again and again, that many at a time, until the others are measured. */
async function besides(atOnce: number, send: () => Promise<Response>, work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const busy = Array.from({ length: atOnce }, async () => {
    while (!isOver) await (await send()).arrayBuffer();
  });
  await work().finally(() => {
    isOver = true;
  });
  await Promise.all(busy);
}

test("others are answered while two clients do not read their downloads", async () => {
  const idle = ["busy-0", "busy-0", "busy-1", "busy-1"].map((who) => {
    const sent = request(`${app.url}/api/export.json`, { headers: { Cookie: cookies.get(who) ?? "" } });
    sent.on("error", () => {}); // its connection is cut off
    return new Promise<() => void>((resolve) => {
      sent.on("response", (answer) => {
        answer.pause().on("error", () => {});
        resolve(() => sent.destroy());
      });
      sent.end();
    });
  });
  const close = await Promise.all(idle);
  await expectOthersAnswered("beside downloads that are not read");
  for (const end of close) end();
});

test("others are answered beside 70 requests at a time with invented cookies", async () => {
  const invented = () => {
    const value = Buffer.from(JSON.stringify(crypto.randomUUID())).toString("base64");
    return visit(`${app.url}/progress`, { headers: { Cookie: `session=${encodeURIComponent(value)}` } });
  };
  await besides(70, invented, () => expectOthersAnswered("beside invented cookies"));
});

test("others are answered beside ten right passwords in each of ten accounts", async () => {
  let next = 0;
  const right = () => {
    next += 1;
    return logIn(`busy-${next % 10}`);
  };
  await besides(100, right, () => expectOthersAnswered("beside right passwords"));
});

reportFigureAtEnd("Others beside a few busy ones", () => figures.join("; "));
