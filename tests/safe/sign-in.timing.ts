import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { PASSWORD, type Technician } from "#tests/worker/people.ts";
import { reportFigure } from "./figures.ts";

/*
 * The time of a response must not reveal whether an address has an account: medians of requests that take turns, since
 * only times of one run can be compared. Only `npm run safe` measures this, one file after the other; `npm test` checks
 * the work instead (app/accounts/hashes.worker.test.ts). Seen to fail here: a login that hashes nothing for an unknown
 * address (known ÷ unknown was above 10).
 */

const n = Number(process.env.SAFE_TIMES) || 200;
const app = await startApp({ realHashes: true });

function median(values: number[]): number {
  return values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** Returns known ÷ unknown, the ratio of the medians of that many requests each. */
async function ratioOf(n: number, send: (isKnown: boolean, round: number) => Promise<unknown>): Promise<number> {
  const times = { known: [] as number[], unknown: [] as number[] };
  // The first requests are slower than the others: warm-up.
  for (let round = -3; round < n; round += 1) {
    // The second request of a pair may find warm caches: they take turns in that, too.
    for (const isKnown of round % 2 ? [true, false] : [false, true]) {
      const start = performance.now();
      await send(isKnown, round + 3);
      if (round >= 0) times[isKnown ? "known" : "unknown"].push(performance.now() - start);
    }
  }
  return median(times.known) / median(times.unknown);
}

test("a login takes as long for a known address as for an unknown one", async () => {
  const email = "known@example.com";
  // By the app's own form: its hash has the real cost.
  const answer = await app.json("POST", "/api/auth/register", { email, password: PASSWORD });
  expect(answer.status).toBe(201);
  const ratio = await ratioOf(n, async (isKnown, round) => {
    const body = { email: isKnown ? email : `other${round}@example.com`, password: "wrong password" };
    expect((await app.json("POST", "/api/auth/login", body)).status).toBe(401);
  });
  console.log(`login, known ÷ unknown: ${ratio.toFixed(3)} (n = ${n})`);
  expect(ratio).toBeGreaterThanOrEqual(0.95);
  expect(ratio).toBeLessThanOrEqual(1.05);
  reportFigure("Login timing, known ÷ unknown", `${ratio.toFixed(3)} (n = ${n})`);
});

test("a request for a reset link takes as long for a known address as for an unknown one", async () => {
  const people: Technician[] = [];
  for (let round = 0; round < n + 3; round += 1) people.push(await app.register()); // 60 may wait for a hash at once
  const ratio = await ratioOf(n, async (isKnown, round) => {
    const email = isKnown ? people[round]?.user.email : `nobody${round}@example.com`;
    expect((await app.json("POST", "/api/auth/reset-password", { email })).status).toBe(200);
  });
  console.log(`reset link, known ÷ unknown: ${ratio.toFixed(3)} (n = ${n})`);
  expect(ratio).toBeGreaterThanOrEqual(0.9);
  expect(ratio).toBeLessThanOrEqual(1.1);
  reportFigure("Reset timing, known ÷ unknown", `${ratio.toFixed(3)} (n = ${n})`);
});
