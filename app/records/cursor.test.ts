import { expect, test } from "vitest";
import { formatCursor, parseCursor } from "#app/records/queries.server.ts";

test("a cursor is read back from a URL parameter", () => {
  const place = { date: "2026-11-21", id: 42 };
  expect(formatCursor(place)).toBe("2026-11-21.42");
  expect(parseCursor(formatCursor(place))).toEqual(place);
});

test("an invalid cursor is read as none, without an error", () => {
  for (const text of [null, "", "42", "2026-11-21", "2026-11-21.", "2026-02-30.1", "2026-11-21.-1", "2026-11-21.1e9"]) {
    expect([text, parseCursor(text)]).toEqual([text, null]);
  }
  expect(parseCursor("2026-11-21.9999999999999999")).toBeNull();
  expect(parseCursor("2026-11-21.1' OR '1'='1")).toBeNull();
});
