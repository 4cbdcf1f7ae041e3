import type { Page } from "@playwright/test";
import { expect, test } from "./technician.ts";

/** The mark's colour in a light page: `--ok` of app/ui/base.css. */
const GREEN = "rgb(13, 90, 51)";

/** Returns for each row of the list its status text, the colour of its mark, and its background. */
function rowsOf(page: Page): Promise<{ words: string; mark: string; background: string }[]> {
  return page.locator(".list tbody tr:not(.month)").evaluateAll((rows) =>
    rows.map((row) => {
      const cell = [...row.querySelectorAll("td")].find((td) =>
        /Verified by|Pending|Request Verification/.test(td.textContent),
      );
      const words = /Verified by .*|Pending/.exec(cell?.textContent ?? "")?.[0]?.trim() ?? "";
      const marks = [...row.querySelectorAll("td *")].map((part) => getComputedStyle(part, "::before"));
      return {
        words,
        // The tick is cut out of its colour; the mark of a pending record is a ring.
        mark: marks.find(({ clipPath }) => clipPath.startsWith("polygon"))?.backgroundColor ?? "",
        background: getComputedStyle(row).backgroundColor,
      };
    }),
  );
}

// Catches rows styled as verified because they have no button: a list without buttons showed every row so.
for (const width of [360, 1280]) {
  test(`each row shows its own status, with or without buttons, at ${width} px`, async ({ technician, baseURL }) => {
    const { page, api, addEntries, verify } = technician;
    const [verified] = await addEntries({}, {});
    await verify(verified?.id ?? 0);
    const rope = { startDate: "2026-03-01", endDate: "2026-03-02", location: "Dock 4", skills: "Rescue", hours: 8 };
    for (const hours of [8, 9]) {
      expect((await api.post("/api/rope-hours", { data: { ...rope, hours } })).status()).toBe(201);
    }
    const [first] = await (await api.get("/api/rope-hours")).json();
    const [supervisor] = await (await api.get("/api/supervisors")).json();
    const data = { supervisorId: supervisor.id };
    const asked = await (await api.post(`/api/verify-request-rope/${first.id}`, { data })).json();
    const stranger = await page
      .context()
      .browser()
      ?.newContext({ ...(baseURL && { baseURL }) });
    const link = `/api/verify/${asked.verificationToken}`;
    const confirmed = await stranger?.request.post(link, { data: { supervisorName: "Piet van der Berg" } });
    expect(confirmed?.status()).toBe(200);
    await stranger?.close();

    await page.setViewportSize({ width, height: 900 });
    for (const path of ["/profile", "/rope-hours"]) {
      await page.goto(path);
      const before = await rowsOf(page);
      expect(before.map(({ words }) => words).sort()).toEqual(["Pending", "Verified by Piet van der Berg"]);
      const verifiedRow = before.find(({ words }) => words !== "Pending");
      const pendingRow = before.find(({ words }) => words === "Pending");
      expect([verifiedRow?.mark, pendingRow?.mark]).toEqual([GREEN, ""]);
      expect(verifiedRow?.background).not.toBe(pendingRow?.background);
      await page.locator(".list button").evaluateAll((buttons) => {
        for (const button of buttons) button.remove();
      });
      expect(await rowsOf(page)).toEqual(before);
    }
  });
}
