import type { Locator } from "@playwright/test";
import { expect, inWay, test, WAYS_WITHOUT_ISLAND } from "./technician.ts";

/*
 * What is done every day, counted in taps and typed fields on a phone. A select is two taps: it is opened, and a choice is
 * made in it. A field that has the focus already is typed into without a tap.
 */

/** Somebody with a phone in one hand. */
class Thumb {
  taps = 0;
  fields = 0;

  async tap(target: Locator): Promise<void> {
    this.taps += 1;
    await target.click();
  }

  async type(field: Locator, text: string): Promise<void> {
    await expect(field).toBeVisible();
    if (!(await field.evaluate((node) => node === document.activeElement))) await this.tap(field);
    this.fields += 1;
    await field.pressSequentially(text);
  }

  async choose(select: Locator, choice: string): Promise<void> {
    this.taps += 2;
    await select.selectOption(choice);
  }
}

/** The day some days before 2 March 2026. */
const daysBefore = (days: number) => new Date(Date.UTC(2026, 2, 2 - days)).toISOString().slice(0, 10);

test("on a phone the first row is in sight, for a newcomer without a name and after three jobs at long places", async ({
  technician: { page, api, addEntries },
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const expectRowInSight = async () => {
    await page.goto("/profile");
    const bar = await page.locator(".save").boundingBox();
    for (const name of ["Job Date", "Job Location", "NDT Method", "Hours"]) {
      const field = await page.getByLabel(name, { exact: true }).boundingBox();
      expect([name, (field?.y ?? 740) + (field?.height ?? 0) <= (bar?.y ?? 0)]).toEqual([name, true]);
    }
  };
  await api.patch("/api/user", { data: { name: "", employeeNumber: "" } });
  await expectRowInSight();
  await api.patch("/api/user", { data: { name: "Marta Nowak", employeeNumber: "NDT-0417" } });
  const location = "Long place ".repeat(18).trim();
  await addEntries({ location }, { location, method: "UT_THK" }, { location, method: "RT" });
  await expectRowInSight();
});

for (const way of WAYS_WITHOUT_ISLAND) {
  test.describe(way, () => {
    test.use({ ...inWay(way), viewport: { width: 360, height: 740 } });

    test("a day with two methods at the place of yesterday takes 3 taps and 2 numbers", async ({ technician }) => {
      const { page } = technician;
      const job = { location: "Dock 4, Rotterdam", hours: 8 };
      await technician.addEntries({ ...job, method: "UT_THK" }, { ...job, method: "ET" });
      await page.goto("/profile");
      const thumb = new Thumb();
      await thumb.tap(page.getByRole("list", { name: "Log again:" }).getByRole("link", { name: "Dock 4" }));
      const date = await page.getByLabel("Job Date").first().inputValue();
      await thumb.type(page.getByLabel("Hours", { exact: true }).first(), "7,5");
      await thumb.type(page.getByLabel("Hours", { exact: true }).nth(1), "2");
      await thumb.tap(page.getByRole("button", { name: "Save Entries" }));
      await expect(page.getByRole("status")).toContainText("Your OJT hours have been saved successfully.");
      // What was saved is said once, and it and the next button are above the bar of the form.
      const saved = page.getByRole("region", { name: "Saved" });
      const parts = [page.locator(".save"), saved.getByRole("listitem").last(), saved.getByRole("link").last()];
      const [bar, row, next] = await Promise.all(parts.map((part) => part.boundingBox()));
      for (const part of [row, next]) expect((part?.y ?? 740) + (part?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
      await expect(page.locator(".toast")).toHaveCount(0);
      const today = { date, location: "Dock 4, Rotterdam" };
      expect((await technician.entries()).slice(0, 2).sort((a, b) => b.hours - a.hours)).toMatchObject([
        { ...today, method: "UT_THK", hours: 7.5 },
        { ...today, method: "ET", hours: 2 },
      ]);
      expect(thumb).toEqual({ taps: 3, fields: 2 });
    });

    test("30 records: 2 taps ask for them, 2 taps and a name verify them, 4 taps and two texts decline them", async ({
      technician,
      supervisor,
    }) => {
      const { page } = technician;
      const drafts = Array.from({ length: 30 }, (_, days) => ({ date: daysBefore(days), location: `Job ${days}` }));
      // The supervisor is known from an earlier request.
      await technician.requestSeveral(await technician.addEntries({ date: daysBefore(40) }));
      await technician.addEntries(...drafts);
      await page.goto("/profile");
      const asks = new Thumb();
      await asks.tap(page.getByRole("link", { name: "Request verification", exact: true }));
      await asks.tap(page.getByRole("button", { name: "Send Request" }));
      const link = await page.getByLabel("Verification link").inputValue();
      expect(asks).toEqual({ taps: 2, fields: 0 });

      await supervisor.goto(link);
      const verifies = new Thumb();
      await verifies.type(supervisor.getByLabel("Your name"), "P. van der Berg");
      await verifies.tap(supervisor.getByRole("button", { name: "Verify 30 records, 225.0 h" }));
      await expect(supervisor.getByRole("heading", { name: "Verification Complete" })).toBeVisible();
      expect(verifies).toEqual({ taps: 2, fields: 1 });

      await supervisor.goto(await technician.requestSeveral(await technician.addEntries(...drafts)));
      const declines = new Thumb();
      const all = supervisor.locator("details", { has: supervisor.getByText("Decline all 30") });
      await declines.tap(all.locator("summary"));
      await declines.type(all.getByLabel("What's wrong?"), "I was not there.");
      await declines.type(supervisor.getByLabel("Your name"), "P. van der Berg");
      await declines.tap(all.getByRole("button", { name: "Decline all 30" }));
      await expect(supervisor.getByText("30 records declined.")).toBeVisible();
      expect(declines).toEqual({ taps: 4, fields: 2 });
    });

    test("the signed form takes 1 tap", async ({ technician }) => {
      const { page } = technician;
      await technician.verify((await technician.addEntries({}))[0]?.id ?? 0);
      await page.goto("/profile");
      const thumb = new Thumb();
      const form = way === "with its script" ? page.waitForEvent("download") : page.waitForURL(/\/profile\/print\/\d+/);
      await thumb.tap(page.getByRole("button", { name: "Export Verified Hours as PDF" }));
      await form;
      expect(thumb).toEqual({ taps: 1, fields: 0 });
    });
  });
}
