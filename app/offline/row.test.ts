import { expect, test } from "vitest";
import { csvOf } from "#app/offline/signed-in-queue.client.ts";
import { recordsOf } from "./row.ts";

test("the fields of a form become the records that the API takes", () => {
  const fields: [string, string][] = [
    ["entries[0].date", "2026-03-02"],
    ["entries[0].hours", "7.5"],
    ["entries[1].date", "2026-03-03"],
    ["entries[10].hours", "1"],
  ];
  const records = recordsOf(fields);
  expect(records[0]).toEqual({ date: "2026-03-02", hours: "7.5" });
  expect([records[1], records[10]]).toEqual([{ date: "2026-03-03" }, { hours: "1" }]);
  expect(
    recordsOf([
      ["startDate", "2026-03-02"],
      ["hours", "8"],
    ]),
  ).toEqual([{ startDate: "2026-03-02", hours: "8" }]);
});

test("the file of unsent hours has a line for each record of its kind, and no formula", () => {
  const row = { key: "k", userId: "7", at: 0, state: "saved" as const };
  const body = [{ date: "2026-03-02", location: '=HYPERLINK("x")', method: "PT", hours: "7.5" }];
  const rows = [
    { ...row, kind: "entry" as const, body },
    { ...row, kind: "rope_hour" as const, body: [{ startDate: "2026-03-01", endDate: "2026-03-02" }] },
  ];
  expect(csvOf(rows, "entry")).toBe('\ufeffDate,Location,Method,Hours\r\n2026-03-02,"\'=HYPERLINK(""x"")",PT,7.5\r\n');
});
