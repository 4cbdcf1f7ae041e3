import type { Page } from "@playwright/test";
import { expect, freshEmail, test } from "./technician.ts";

/*
 * A browser that translates the page puts each text into `<font><font>`, and again each text that appears later. React then throws
 * where it removes or inserts beside one of its texts, and an island that throws loses what was typed.
 */

// Where a page was translated before an island is hydrated, React says that it differs, and makes its elements anew.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(/Minified React error #(418|423|425)/));

const MOMENTS = ["before its script comes", "after its script came"] as const;

/** Translates the page from now on. */
function translate(page: Page): Promise<void> {
  return page.evaluate(() => {
    const skipped = ["SCRIPT", "STYLE", "TEXTAREA", "FONT"];
    const translateOne = (text: Text) => {
      if (!text.parentNode || skipped.includes(text.parentNode.nodeName) || !text.data.trim()) return;
      const outer = document.createElement("font");
      outer.appendChild(document.createElement("font")).textContent = `‹${text.data.trim()}›`;
      text.replaceWith(outer);
    };
    const translateIn = (root: Node) => {
      const texts: Text[] = [];
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      texts.forEach(translateOne);
    };
    translateIn(document.body);
    const observer = new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === "characterData") translateOne(target as Text);
        for (const node of addedNodes) {
          if (node instanceof Text) translateOne(node);
          else if (node.nodeName !== "FONT") translateIn(node);
        }
      }
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}

/** Opens a page with an island, and translates it before or after the island is hydrated. */
async function openTranslated(
  page: Page,
  path: string,
  island: string,
  moment: (typeof MOMENTS)[number],
): Promise<void> {
  await page.goto(path, { waitUntil: "networkidle" });
  const touch = async () => {
    await page.locator(`[data-island="${island}"]`).dispatchEvent("pointerdown");
    await expect(page.locator(`[data-island="${island}"]`)).toHaveAttribute("data-hydrated", "");
  };
  if (moment === "after its script came") await touch();
  await translate(page);
  if (moment === "before its script comes") {
    for (const field of await page.locator(`[data-island="${island}"] input[name$="location"]`).all()) {
      await field.evaluate((input: HTMLInputElement) => {
        input.value = "Typed first"; // as fast as a person types before the script has come
      });
    }
    await touch();
  }
}

for (const moment of MOMENTS) {
  test(`the form for hours goes on working if the page is translated ${moment}, and keeps what was typed`, async ({
    technician: { page, entries },
  }) => {
    await openTranslated(page, "/profile", "records/entry/entry-form", moment);
    const row = (index: number) => page.locator("table.rows tbody tr").nth(index);
    const location = (index: number) => row(index).locator("input[name$=location]");
    const hours = (index: number) => row(index).locator("input[name$=hours]");
    if (moment === "before its script comes") await expect(location(0)).toHaveValue("Typed first");
    await location(0).fill("Rig 1");
    await row(0).locator("select").first().selectOption("MT");
    await hours(0).fill("30");
    await expect(page.getByText("That day adds up to 30")).toBeVisible();
    await hours(0).fill("31");
    // The text that changed is shown, and translated again.
    await expect(page.getByText("‹That day adds up to 31.0 hours.", { exact: false })).toBeVisible();
    await hours(0).fill("8");
    await expect(page.getByText("That day adds up to")).toHaveCount(0);
    await page.locator(".save button").first().click();
    await expect(row(1)).toBeVisible();
    await row(1).locator("select").first().selectOption("PT");
    await hours(1).fill("3");
    await row(1).locator("select").first().selectOption("LSI");
    await row(1).locator("select").first().selectOption("RT");
    await expect(location(0)).toHaveValue("Rig 1");
    await expect(hours(1)).toHaveValue("3");
    // A third row comes and goes.
    await page.locator(".save button").first().click();
    await expect(row(2)).toBeVisible();
    await row(2).getByRole("button").last().click();
    await expect(row(2)).toHaveCount(0);
    await page.locator(".save button").last().click();
    await expect(page.getByRole("status")).toBeVisible();
    expect((await entries()).map(({ method, hours }) => [method, hours]).sort()).toEqual([
      ["MT", 8],
      ["RT", 3],
    ]);
  });

  test(`the form for rope hours goes on working if the page is translated ${moment}`, async ({
    technician: { page, api },
  }) => {
    await openTranslated(page, "/rope-hours", "records/rope-hours/rope-form", moment);
    const field = (name: string) => page.locator(`form[data-draft] [name=${name}]`);
    if (moment === "before its script comes") await expect(field("location")).toHaveValue("Typed first");
    const save = page.locator("form[data-draft] button[type=submit]").last();
    await field("location").fill("");
    await save.click();
    await expect(page.locator("form[data-draft] [role=alert]")).toBeVisible();
    await field("startDate").fill("2026-03-02");
    await field("endDate").fill("2026-03-06");
    await field("location").fill("Dock 4");
    await field("skills").fill("Rigging");
    await field("hours").fill("38.25");
    await expect(page.locator("form[data-draft] [role=alert]")).toHaveCount(0);
    await save.click();
    await expect(page.getByRole("status")).toBeVisible();
    expect(await (await api.get("/api/rope-hours")).json()).toMatchObject([{ location: "Dock 4", hours: 38.25 }]);
  });

  test(`the form that asks a supervisor goes on working if the page is translated ${moment}`, async ({
    technician: { page, addEntries, entries, api },
  }) => {
    const [entry] = await addEntries({});
    await openTranslated(page, `/profile?request=${entry?.id}`, "verification/requests/request-form", moment);
    const form = page.locator("form#request");
    await form.locator("button[type=submit]").last().click();
    await expect(form.locator(".wrong").first()).toBeVisible();
    await form.locator("[name=name]").fill("Piet van der Berg");
    await form.locator("[name=email]").fill(freshEmail());
    await form.locator("[name=phone]").fill("+31 6 1234");
    await form.locator("[name=company]").fill("NDT Holland");
    // A translated choice has the value that it had.
    await form.locator("[name=certificationLevel]").selectOption({ index: 2 });
    await expect(form.locator(".wrong")).toHaveCount(0);
    await form.locator("button[type=submit]").last().click();
    await expect(page.locator("form#request")).toHaveCount(0);
    expect(await (await api.get("/api/supervisors")).json()).toMatchObject([
      { name: "Piet van der Berg", certificationLevel: expect.stringMatching(/^Level/) },
    ]);
    expect(await entries()).toMatchObject([{ status: "requested" }]);
  });

  test(`the export goes on working if the page is translated ${moment}`, async ({
    technician: { page, addEntries, verifyAll },
  }) => {
    await verifyAll(await addEntries({}));
    await openTranslated(page, "/profile", "pdf/export-button", moment);
    const saved = page.waitForEvent("download");
    await page.locator('[data-island="pdf/export-button"] button').first().click();
    expect((await saved).suggestedFilename()).toMatch(/\.pdf$/);
    await expect(page.locator('[data-island="pdf/export-button"] button').first()).toBeEnabled();
  });
}
