import { expect, type Technician } from "#tests/browser/technician.ts";
import { anItem, aTarget } from "#tests/worker/targets.ts";
import type { States } from "./states.ts";

/** Logs hours of two methods in one year, verifies some, and adds a target with items of every kind. */
async function withTarget({ addEntries, verifyAll, request, api }: Technician): Promise<void> {
  const entries = await addEntries(
    { method: "UT_THK", hours: 12 },
    { method: "UTSW", hours: 9, date: "2026-03-05" },
    { method: "MT", hours: 26, date: "2026-04-07" },
    { method: "MT", date: "2026-04-08" },
    { method: "LSI", date: "2026-05-01" },
    { method: "UT_THK", date: "2026-05-02" },
    { method: "UT_THK", date: "2026-01-31" },
  );
  await verifyAll(entries.slice(0, 3));
  await request(entries[5]?.id ?? 0);
  const items = [
    anItem({ clause: "x".repeat(100) }),
    anItem({ title: "MT", methods: ["MT"], required: 20 }),
    anItem({ title: "Days", methods: ["UT_THK", "UTSW", "MT"], unit: "days", required: 45 }),
    anItem({ title: "Rope", methods: [], unit: "months", kind: "rope_hour", required: 12 }),
  ];
  const target = aTarget({ title: "SNT-TC-1A, Level I", source: "A training provider's page", items });
  expect((await api.post("/api/targets", { data: target })).status()).toBe(201);
  const ropeHours = { startDate: "2026-03-02", endDate: "2026-03-06", location: "Dock", skills: "Rigging", hours: 40 };
  expect((await api.post("/api/rope-hours", { data: ropeHours })).status()).toBe(201);
}

/** States of the pages of progress. */
export const PROGRESS: States = {
  "progress without a target": (page) => page.goto("/progress"),
  "progress towards a target": async (page, technician) => {
    await withTarget(technician);
    await page.goto("/progress?year=2026");
    await expect(page.getByText("Target reached")).toBeVisible();
  },
  "progress with its tables": async (page, technician) => {
    await withTarget(technician);
    await page.goto("/progress?year=2026&days=table");
    for (const summary of await page.getByText("Table of these numbers").all()) await summary.click();
    await expect(page.getByRole("table", { name: "Hours day by day" })).toBeVisible();
  },
  "the printed summary of progress": async (page, technician) => {
    await withTarget(technician);
    await page.goto("/progress/print?year=2026");
  },
};
