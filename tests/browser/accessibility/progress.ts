import { expect, type Technician } from "#tests/browser/technician.ts";
import { anItem, aTarget } from "#tests/worker/targets.ts";
import type { States } from "./states.ts";

/** Logs hours of some methods in a year that is past, and has some of them verified. */
async function withHours({ addEntries, verifyAll, request }: Technician): Promise<void> {
  const entries = await addEntries(
    { method: "UT_THK", hours: 12, date: "2024-03-02" },
    { method: "UTSW", hours: 9, date: "2024-03-05" },
    { method: "MT", hours: 26, date: "2024-04-07" },
    { method: "MT", date: "2024-04-08" },
    { method: "LSI", date: "2024-05-01" },
    { method: "UT_THK", date: "2024-05-02" },
    { method: "UT_THK", date: "2024-01-31" },
  );
  await verifyAll(entries.slice(0, 3));
  await request(entries[5]?.id ?? 0);
}

/** The same, and a target with items of every kind. */
async function withTarget(technician: Technician): Promise<void> {
  const { api } = technician;
  await withHours(technician);
  const items = [
    anItem({ clause: "x".repeat(100) }),
    anItem({ title: "MT", methods: ["MT"], required: 20 }),
    anItem({ title: "Days", methods: ["UT_THK", "UTSW", "MT"], unit: "days", required: 45 }),
    anItem({ title: "Rope", methods: [], unit: "months", kind: "rope_hour", required: 12 }),
  ];
  const source = "A training provider's page";
  const target = aTarget({ title: "SNT-TC-1A, Level I", source, since: "2024-02-01", items });
  expect((await api.post("/api/targets", { data: target })).status()).toBe(201);
  const ropeHours = { startDate: "2024-03-02", endDate: "2024-03-06", location: "Dock", skills: "Rigging", hours: 40 };
  expect((await api.post("/api/rope-hours", { data: ropeHours })).status()).toBe(201);
}

/** States of the pages of progress. */
export const PROGRESS: States = {
  "progress without a target": (page) => page.goto("/progress"),
  "a year of hours": async (page, technician) => {
    await withHours(technician);
    await page.goto("/progress?year=2024");
    await expect(page.getByRole("heading", { name: "Hours by month" })).toBeVisible();
  },
  "progress towards a target": async (page, technician) => {
    await withTarget(technician);
    await page.goto("/progress?year=2024");
    await page.getByText("The parts in detail").click();
  },
  "progress with its tables": async (page, technician) => {
    await withTarget(technician);
    await page.goto("/progress?year=2024&days=table");
    await page.evaluate(() => {
      for (const folded of document.querySelectorAll("main details")) folded.setAttribute("open", "");
    });
    await expect(page.getByRole("region", { name: "Hours day by day" }).getByRole("table")).toBeVisible();
  },
  "the printed summary of progress": async (page, technician) => {
    await withTarget(technician);
    await page.goto("/progress/print?year=2024");
  },
};
