import type { Page } from "@playwright/test";
import { FORM_METHODS } from "#app/db/enumerations.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { expect, test } from "./technician.ts";

/** One number of hours as a phone shows it: its label, and the head of the column that its cell belongs to. */
interface ShownHours {
  label: string;
  column: string;
  hours: string;
}

/** The cells with hours below the given part of a table, in the order of the page. */
function hoursIn(page: Page, rows: string): Promise<ShownHours[]> {
  return page.locator(rows).evaluateAll((rows) =>
    rows.flatMap((row) => {
      const heads = [...([...(row.closest("table")?.tHead?.rows ?? [])].at(-1)?.cells ?? [])].map((head) =>
        head.textContent.trim(),
      );
      return [...row.querySelectorAll("td")].flatMap((cell) => {
        const hours = cell.textContent.trim();
        if (!/^\d+\.\d+$/.test(hours) || !cell.checkVisibility()) return [];
        // The line of totals begins with a cell that may take two columns, so they are counted from the end; a row of the form
        // ends before the supervisor, whose cell is beside several rows.
        const isFromEnd = row.querySelector("[colspan]") !== null || row.children.length === heads.length;
        const column = heads.at((isFromEnd ? row.children.length * -1 : 0) + cell.cellIndex) ?? "";
        const label = getComputedStyle(cell, "::before").content.replaceAll('"', "").trim();
        return [{ label, column, hours }];
      });
    }),
  );
}

// Catches labels by column position: with the methods in another order a phone named hours after the wrong method.
test("on a phone each number of hours is labelled with the method that it was saved with", async ({ technician }) => {
  const { page, addEntries, verifyAll } = technician;
  const saved = FORM_METHODS.map((method, index) => ({ method, hours: index + 1.5 }));
  await verifyAll(await addEntries(...saved));
  const expected = saved.map(({ method, hours }) => ({
    label: methodLabel(method),
    column: methodLabel(method),
    hours: hours.toFixed(1),
  }));

  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/profile");
  expect((await hoursIn(page, ".log tbody tr")).sort(byHours)).toEqual(expected);
  expect(await hoursIn(page, ".log tfoot tr")).toEqual(expected);
  await page.goto("/profile/print");
  expect((await hoursIn(page, "tbody:not(.sums) tr:not(.answer)")).sort(byHours)).toEqual(expected);
  expect(await hoursIn(page, ".totals")).toEqual(expected);
});

const byHours = (one: ShownHours, other: ShownHours) => Number(one.hours) - Number(other.hours);

// Seen: the plate of a long method stood over the place, and a name of three lines was cut after two.
test("on a narrow phone with text of twice the size no part of a card or of the name covers another", async ({
  technician: { page, api, addEntries },
}) => {
  await api.patch("/api/user", { data: { name: "Maria Magdalena Wiśniewska-Konstantynowicz von und zu Hohenstein" } });
  await addEntries({ method: "UT_THK", hours: 10.25, location: "Grangemouth refinery, heat exchanger 4" });
  await page.setViewportSize({ width: 320, height: 740 });
  await page.goto("/profile");
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  const parts = page.locator(".log tbody tr:not(.month) td").filter({ visible: true });
  const boxes = await parts.evaluateAll((cells) =>
    cells.filter((cell) => cell.textContent).map((cell) => cell.getBoundingClientRect()),
  );
  expect(boxes.length).toBeGreaterThanOrEqual(4);
  for (const [index, one] of boxes.entries())
    for (const other of boxes.slice(index + 1)) {
      const isApart = one.bottom <= other.top + 1 || other.bottom <= one.top + 1;
      expect(isApart || one.right <= other.left + 1 || other.right <= one.left + 1).toBe(true);
    }
  expect(await page.locator("h1").evaluate((name) => name.scrollHeight <= name.clientHeight)).toBe(true);
});
