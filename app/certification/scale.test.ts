import { expect, test } from "vitest";
import { chartScale, gaugeEnd, percent } from "#app/certification/target-section.tsx";

test("a gauge ends at what is required until more is reached, then at a round number above that", () => {
  const table: [required: number, reached: number, end: number][] = [
    [210, 0, 210],
    [210, 60, 210],
    [210, 210, 210],
    [210, 292.5, 300],
    [70, 137.5, 140],
    [70, 100_000, 100_000],
    [0.1, 0.2, 0.2],
  ];
  for (const [required, reached, end] of table)
    expect([required, reached, gaugeEnd(required, reached)]).toEqual([required, reached, end]);
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
