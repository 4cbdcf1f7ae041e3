import { expect, test } from "vitest";
import { chartScale, gaugeScale, percent } from "#app/certification/target-section.tsx";

test("a gauge ends at what is required until more is reached", () => {
  expect(gaugeScale(210, 60, 0.1)).toEqual({ end: 210, long: 50, short: 5 });
  expect(gaugeScale(210, 210, 0.1).end).toBe(210);
});

test("a gauge runs past what is required to a round number above what is reached", () => {
  expect(gaugeScale(210, 292.5, 0.1)).toEqual({ end: 300, long: 50, short: 5 });
  expect(gaugeScale(70, 137.5, 0.1)).toEqual({ end: 140, long: 20, short: 2 });
  expect(gaugeScale(70, 100_000, 0.1)).toEqual({ end: 100_000, long: 20_000, short: 2_000 });
});

test("a month is never divided, an hour can be", () => {
  expect(gaugeScale(6, 0, 1)).toEqual({ end: 6, long: 2, short: 1 });
  expect(gaugeScale(1, 0, 1)).toEqual({ end: 1, long: 1, short: 1 });
  expect(gaugeScale(0.1, 0, 0.01)).toEqual({ end: 0.1, long: 0.02, short: 0.01 });
});

// Catches a scale with so many graduations that a phone shows a grey bar.
test("a gauge has at most 70 short graduations and 7 long ones, whatever is required and reached", () => {
  for (let required = 0.1; required <= 100_000; required *= 1.37) {
    for (const reached of [0, required, required * 1.01, required * 3, 100_000]) {
      const { end, long, short } = gaugeScale(required, reached, 0.01);
      expect([
        required,
        reached,
        end * 1.000001 >= Math.max(required, reached),
        end / short <= 70,
        end / long <= 7.01,
      ]).toEqual([...[required, reached, true, true, true]]);
    }
  }
});

test("a chart ends at a long graduation at or above its highest bar, and is never without a scale", () => {
  expect(chartScale(137.5)).toEqual({ end: 150, long: 50, short: 10 });
  expect(chartScale(150).end).toBe(150);
  expect(chartScale(0)).toEqual({ end: 5, long: 5, short: 1 });
  expect(chartScale(100_000)).toEqual({ end: 100_000, long: 20_000, short: 4_000 });
});

test("a part is a percentage with two decimals, and never more than the whole", () => {
  expect([percent(1, 3), percent(0, 3), percent(7, 3)]).toEqual(["33.33%", "0%", "100%"]);
});
