import type { Locator, Page } from "@playwright/test";
import { storeNotice } from "./database.ts";
import { expect, inWay, REFUSED_PAGE, type Technician, test, unfold, WAYS_WITHOUT_ISLAND } from "./technician.ts";

// The pages that refuse a form or an address are part of what is tested here.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(REFUSED_PAGE));

/*
 * A form of verified hours from its export to its check: on a phone, with and without script. The auditor has a browser of their
 * own, in which nobody is signed in.
 */

/** Has entries verified, exports them, and returns the code on the page to print. */
async function printedCode({ page, addEntries, verifyAll }: Technician, hasScript: boolean): Promise<string> {
  await verifyAll(
    await addEntries(
      { date: "2026-03-02", location: "Dock 4", method: "ET", hours: 7.5 },
      { date: "2026-03-03", location: "Dock 5", method: "PT", hours: 12.25 },
    ),
  );
  await page.goto("/profile");
  const button = page.getByRole("button", { name: "Export Verified Hours as PDF" });
  if (hasScript) {
    const file = page.waitForEvent("download");
    await button.click();
    await file;
    await page.goto("/account");
    await unfold(page, "Exports");
    await page.getByRole("link", { name: "Experience Hours (OJT), 2 records, 19.75 h" }).click();
  } else {
    await button.click();
  }
  await expect(page).toHaveURL(/\/profile\/print\/\d+$/);
  const code = page.getByText(/^\w{4}(-\w{4}){3}-\w$/).first();
  return (await code.textContent()) ?? "";
}

/** The code with another character at its fifth place. */
const mistyped = (code: string) => code.replace(/^(.{5})(.)/, (_, start, wrong) => start + (wrong === "7" ? "8" : "7"));

/** In how many lines a text is shown. */
const linesOf = (text: Locator) =>
  text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  });

async function check(auditor: Page, code: string): Promise<void> {
  await auditor.getByLabel("Code on the form").fill(code);
  await auditor.getByRole("button", { name: "Check" }).click();
}

for (const way of WAYS_WITHOUT_ISLAND) {
  test.describe(way, () => {
    test.use({ ...inWay(way), viewport: { width: 360, height: 740 } });
    const codeOf = (technician: Technician) => printedCode(technician, way === "with its script");

    test("the code on the paper, typed in lower case with a wrong character and then right, lists the records", async ({
      technician,
      supervisor: auditor,
    }) => {
      const code = await codeOf(technician);
      await auditor.goto("/check");
      await check(auditor, mistyped(code).toLowerCase());
      await expect(auditor.getByRole("alert")).toContainText("This code is mistyped");
      await expect(auditor.getByLabel("Code on the form")).toHaveValue(mistyped(code).toLowerCase());
      await check(auditor, code.toLowerCase().replaceAll("-", " "));
      await expect(auditor).toHaveURL(`/c/${code}`);
      await expect(auditor.getByRole("heading", { level: 1 })).toHaveText(
        "Marta Nowak, 19.75 verified hours in 2 records",
      );
      await expect(auditor.getByText("Every record is unchanged")).toBeVisible();
      const records = auditor.getByRole("listitem").filter({ hasText: "Dock" });
      await expect(records).toHaveCount(2);
      for (const [index, facts] of [
        ["2 Mar 2026", "ET", "7.5", "Dock 4", "Piet van der Berg"],
        ["3 Mar 2026", "PT", "12.25", "Dock 5", "Piet van der Berg"],
      ].entries()) {
        for (const fact of facts) await expect(records.nth(index)).toContainText(fact);
      }
      const [listed] = await (await technician.api.get("/api/exports")).json();
      expect([listed.code, listed.checks]).toEqual([code, 1]);
      // Catches a column of hours that is too narrow for two decimals, and hours that break in the middle.
      await auditor.setViewportSize({ width: 1280, height: 800 });
      for (const hours of ["7.5", "12.25"]) {
        const shown = records.getByText(hours, { exact: true });
        await expect(shown).toBeVisible();
        expect([hours, await linesOf(shown)]).toEqual([hours, 1]);
      }
    });

    test("a record that its supervisor disowned is shown, with the day and a link to it", async ({
      technician,
      supervisor: auditor,
    }) => {
      const code = await codeOf(technician);
      const answer = await auditor.request.post(`/api${(await storeNotice(technician.email)).disown}`, { data: {} });
      expect(answer.status()).toBe(200);
      await auditor.goto(`/c/${code}`);
      await expect(auditor.getByText("2 verifications were withdrawn by their supervisors since.")).toBeVisible();
      await expect(auditor.getByText("Every record is unchanged")).toBeHidden();
      await expect(auditor.getByRole("listitem").filter({ hasText: "Dock 4" })).toContainText(
        /Verification withdrawn by the supervisor on \d+ \w+ 20\d\d/,
      );
      await auditor.getByRole("link", { name: "Show the first" }).click();
      await expect(auditor).toHaveURL(`/c/${code}#r1`);
    });

    test("Close on the account asks, and then the check shows the date alone", async ({
      technician,
      supervisor: auditor,
    }) => {
      const { page } = technician;
      const code = await codeOf(technician);
      await page.goto("/account");
      await unfold(page, "Exports");
      await expect(page.getByText(code)).toBeVisible();
      await page.getByRole("button", { name: /^Close the export of/ }).click();
      const dialog = page.getByRole("dialog", { name: "Close export" });
      await expect(dialog).toContainText(`Experience Hours (OJT), 2 records, 19.75 h`);
      await dialog.getByRole("link", { name: "Cancel" }).click();
      await expect(dialog).toBeHidden();
      await unfold(page, "Exports");
      await auditor.goto(`/c/${code}`);
      await expect(auditor.getByText("Dock 4")).toBeVisible();

      await page.getByRole("button", { name: /^Close the export of/ }).click();
      await dialog.getByRole("button", { name: "Close export" }).click();
      await expect(page.getByRole("status")).toContainText("Export closed");
      await unfold(page, "Exports");
      await expect(page.getByRole("button", { name: /^Close the export of/ })).toHaveCount(0);
      await auditor.reload();
      await expect(auditor.getByRole("heading", { name: "This form was closed" })).toBeVisible();
      await expect(auditor.getByText(/The technician closed it on .* UTC/)).toBeVisible();
      for (const gone of ["Dock", "Marta", "19.75"]) expect(await auditor.content()).not.toContain(gone);
      const [listed] = await (await technician.api.get("/api/exports")).json();
      expect([listed.code, Boolean(listed.closedAt)]).toEqual([null, true]);
    });
  });
}
