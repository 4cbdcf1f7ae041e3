import { expect, inWay, REFUSED_PAGE, test } from "./technician.ts";

// The pages that refuse a form or an address are part of what is tested here.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(REFUSED_PAGE));

/** A record's page on a phone: the request, its withdrawal, and the verification. */
test.describe("without JavaScript", () => {
  test.use({ ...inWay("without JavaScript"), viewport: { width: 360, height: 740 } });

  test("a withdrawn request's link explains itself, and the audit log shows each step of the next request", async ({
    technician,
    supervisor,
  }) => {
    const { page, addEntries, request } = technician;
    const [entry] = await addEntries({ date: "2026-11-20", location: "Mongstad" });
    const old = await request(entry?.id ?? 0);
    await page.goto("/profile");
    await page.getByRole("link", { name: "20 Nov 2026" }).click();
    await expect(page.getByText("Pending: a supervisor has been asked.")).toBeVisible();
    await expect(page.getByText("Piet van der Berg was asked to verify")).toBeVisible();
    await page.getByRole("button", { name: "Withdraw request" }).click();
    await expect(page.getByRole("status")).toContainText("Request withdrawn");
    await expect(page.getByText("Pending: no supervisor is asked now.")).toBeVisible();

    await supervisor.goto(old);
    await expect(supervisor.getByRole("heading", { name: "Verification Failed" })).toBeVisible();
    await expect(supervisor.getByText("The technician has withdrawn this request.")).toBeVisible();

    const fresh = await request(entry?.id ?? 0);
    expect(fresh).not.toBe(old);
    await supervisor.goto(fresh);
    await supervisor.getByLabel("Your name").fill("Piet van der Berg");
    await supervisor.getByRole("button", { name: "Verify Hours" }).click();
    await expect(supervisor.getByText(/VER-/)).toBeVisible();

    await page.goto(`/profile/record/${entry?.id}`);
    const history = page.getByRole("region", { name: "How this was verified" });
    for (const words of [
      "Request withdrawn; its link no longer works",
      "Verified; the name typed was Piet van der Berg",
    ]) {
      await expect(history.getByText(words)).toBeVisible();
    }
    await expect(history.getByText("This history is complete")).toBeVisible();
    await history.locator("summary").last().click();
    await expect(history.getByText("Previous event").last()).toBeVisible();
    await expect(page.getByRole("button", { name: "Withdraw request" })).toHaveCount(0);
  });
});

test("each event's hash in the audit log fits on one line, however long the supervisor's address is", async ({
  technician,
}) => {
  const { page, api, addEntries } = technician;
  const [entry] = await addEntries({ date: "2026-11-20", location: "Mongstad" });
  const email = `${"a.very.long.name.".repeat(3)}o@${"inspection.".repeat(3)}example.com`;
  const supervisor = { name: "Ola Hansen", email, phone: "555", certificationLevel: "Level III", company: "Fjord" };
  const { id } = await (await api.post("/api/supervisors", { data: supervisor })).json();
  await api.post(`/api/verify-request/${entry?.id}`, { data: { supervisorId: id } });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`/profile/record/${entry?.id}`);
  // The height of the text without its padding: one line.
  const heights = await page
    .locator("main summary")
    .evaluateAll((all) => all.map((one) => one.clientHeight / Number.parseFloat(getComputedStyle(one).lineHeight)));
  expect(heights.length).toBeGreaterThan(0);
  expect(Math.max(...heights)).toBeLessThan(2.5);
});
