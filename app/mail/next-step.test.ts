import { expect, test } from "vitest";
import { nextStep } from "./next-step.ts";

const now = new Date("2026-11-21T12:00:00Z");
const fresh = { attempts: 1, unknownOutcomes: 0, createdAt: now };
const MINUTE = 60_000;
/** The most that the timer adds to a delay: it runs once a minute. */
const TIMER = MINUTE;

function pause(...[outcome, standing, , random]: Parameters<typeof nextStep>): number {
  const { dueAt } = nextStep(outcome, standing, now, random);
  if (!dueAt) throw new Error("it has ended");
  return dueAt.getTime() - now.getTime();
}

test("the first retry is within two minutes, with any jitter", () => {
  for (const random of [0, 0.5, 0.999]) {
    expect(pause("later", fresh, now, random) + TIMER).toBeLessThanOrEqual(2 * MINUTE);
    expect(pause("later", fresh, now, random)).toBeGreaterThanOrEqual(30_000);
  }
});

test("delays double up to an hour, and jitter spreads the retries of different emails", () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 20].map(
    (attempts) => pause("later", { ...fresh, attempts }, now, 1) / MINUTE,
  );
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(pause("later", fresh, now, 0.1)).not.toBe(pause("later", fresh, now, 0.2));
});

test("an hour without the mail service costs a handful of attempts per email", () => {
  let [attempts, elapsed] = [0, 0];
  while (elapsed < 60 * MINUTE) {
    attempts += 1;
    elapsed += pause("later", { ...fresh, attempts }, now, 0);
  }
  expect(attempts).toBeLessThanOrEqual(8);
});

test("an email is given up after a day without success, or after its own time", () => {
  const old = { ...fresh, createdAt: new Date(now.getTime() - 24 * 60 * MINUTE) };
  expect(nextStep("later", old, now, 0)).toEqual({ state: "failed", reason: "gave_up", dueAt: null });
  expect(nextStep("sent", old, now, 0).state).toBe("sent");
  expect(nextStep("later", { ...old, giveUpAfter: 25 * 60 * MINUTE }, now, 0).state).toBe("waiting");
});

test("an unknown outcome is retried once within four minutes, and then not again", () => {
  for (const random of [0, 0.999]) {
    expect(pause("unknown", fresh, now, random) + TIMER).toBeLessThanOrEqual(4 * MINUTE);
  }
  expect(nextStep("unknown", { ...fresh, attempts: 2, unknownOutcomes: 1 }, now, 0).state).toBe("unknown");
  // A definite answer after an unknown one counts as usual.
  expect(nextStep("later", { ...fresh, attempts: 2, unknownOutcomes: 1 }, now, 0).state).toBe("waiting");
});

test("a rejected email is not retried", () => {
  expect(nextStep("refused", fresh, now, 0)).toEqual({ state: "failed", reason: "refused", dueAt: null });
});

test("with a refused key an email waits without growing pauses, for 30 days", () => {
  for (const attempts of [1, 10, 1000]) {
    expect(pause("key_refused", { ...fresh, attempts }, now, 0.999)).toBeLessThanOrEqual(MINUTE);
  }
  const ago = (days: number) => ({ ...fresh, createdAt: new Date(now.getTime() - days * 24 * 60 * MINUTE) });
  expect(nextStep("key_refused", ago(29), now, 0).state).toBe("waiting");
  expect(nextStep("key_refused", ago(30), now, 0)).toEqual({ state: "failed", reason: "gave_up", dueAt: null });
});
