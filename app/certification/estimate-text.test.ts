import { expect, test } from "vitest";
import { estimateText } from "#app/certification/target-section.tsx";

test("an estimate names a part of a month, and only the month if it is more than four months away", () => {
  expect(estimateText("2026-12-01", "2026-11-22")).toBe("early December 2026");
  expect(estimateText("2026-12-11", "2026-11-22")).toBe("mid-December 2026");
  expect(estimateText("2027-01-31", "2026-11-22")).toBe("late January 2027");
  expect(estimateText("2027-03-22", "2026-11-22")).toBe("late March 2027");
  expect(estimateText("2027-03-23", "2026-11-22")).toBe("March 2027");
});
