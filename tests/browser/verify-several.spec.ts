import { storeNotice } from "./database.ts";
import { expect, inWay, REFUSED_PAGE, test } from "./technician.ts";

// The pages that refuse a form or an address are part of what is tested here.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(REFUSED_PAGE));

/** A supervisor answers a request for fifty records on a phone: three taps and a name. The page has no script (bytes.spec.ts). */
for (const way of ["without JavaScript"] as const) {
  test.describe(way, () => {
    test.use({ ...inWay(way), viewport: { width: 360, height: 740 } });

    test("a supervisor verifies 47 of 50 records and declines 3 of them with a reason", async ({
      technician,
      supervisor,
    }) => {
      const drafts = Array.from({ length: 50 }, (_, index) => ({
        date: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
        location: `Job ${index + 1}`,
      }));
      const entries = await technician.addEntries(...drafts);
      await supervisor.goto(await technician.requestSeveral(entries));
      // The first screen has the name and the button.
      await expect(supervisor.getByRole("button", { name: "Verify 50 records, 375.0 h" })).toBeInViewport({ ratio: 1 });
      await expect(supervisor.getByLabel("Your name")).toBeInViewport({ ratio: 1 });
      await supervisor.getByLabel("Your name").fill("P. van der Berg");
      await expect(supervisor.getByLabel("What's wrong?").first()).toBeHidden();
      for (const row of [1, 7, 49]) {
        const item = supervisor.getByRole("list", { name: new RegExp(`Job ${row + 1}(?!\\d)`) });
        await item.getByRole("checkbox", { name: "Not right" }).check();
        await item.getByLabel("What's wrong?").fill("This was my day off.");
        // The button stays in sight beside the row, and does not cover what is typed into.
        await expect(supervisor.locator(".sent")).toBeInViewport({ ratio: 1 });
      }
      // The style sheet counts the marks. A screen reader does not say its numbers.
      const button = supervisor.getByRole("button", { name: "Verify and decline as marked" });
      await expect(button.getByText("Verify 50 records")).toBeHidden();
      const text = await button.locator(".sent").evaluate((sent) => getComputedStyle(sent, "::before").content);
      expect(text).toContain("Verify and decline as marked");
      await button.click();
      const heading = supervisor.getByRole("heading", { name: "Verification Complete" });
      await expect(heading).toBeVisible();
      // Neither the heading nor the answer below it is behind the toast.
      const parts = [supervisor.getByRole("status"), supervisor.getByText(/VER-\d{8}-/)];
      const [toast, answer] = await Promise.all(parts.map((part) => part.boundingBox()));
      expect(toast?.y ?? 0).toBeGreaterThan((answer?.y ?? 740) + (answer?.height ?? 0));
      await expect(supervisor.getByText("3 records declined.")).toBeVisible();
      await expect(supervisor.getByText(/VER-\d{8}-/)).toBeVisible();

      const stored = await technician.entries();
      const declined = stored.filter(({ verified }) => !verified).map(({ location }) => location);
      expect(declined.sort()).toEqual(["Job 2", "Job 50", "Job 8"]);
      expect(new Set(stored.flatMap(({ verifiedBy }) => verifiedBy ?? []))).toEqual(new Set(["P. van der Berg"]));
      await technician.page.goto(`/profile/record/${entries.find(({ location }) => location === "Job 8")?.id}`);
      await expect(
        technician.page.getByText(/Declined by P\. van der Berg.*Reason: This was my day off\./),
      ).toBeVisible();
    });

    test("after a corrected error, Back shows the form as it was sent, and not an error of the browser", async ({
      technician,
      supervisor,
    }) => {
      const entries = await technician.addEntries({ location: "A" }, { location: "B" });
      await supervisor.goto(await technician.requestSeveral(entries));
      const later = supervisor.getByRole("listitem").nth(1).getByRole("checkbox", { name: "Leave it for later" });
      await supervisor.getByRole("listitem").nth(1).getByRole("checkbox", { name: "Not right" }).check();
      await later.check();
      await supervisor.locator("button.tall").click();
      await expect(supervisor.getByText("Name is required")).toBeVisible();
      await supervisor.getByLabel("Your name").fill("P. van der Berg");
      await supervisor.locator("button.tall").click();
      await expect(supervisor.getByRole("heading", { name: "Verification Complete" })).toBeVisible();
      await supervisor.goBack();
      await expect(supervisor.getByText("Name is required")).toBeVisible();
      await expect(later).toBeChecked();
    });

    test("what is missing is marked, with the focus on the first, and nothing typed is lost", async ({
      technician,
      supervisor,
    }) => {
      const entries = await technician.addEntries({ location: "A" }, { location: "B" }, { location: "C" });
      await supervisor.goto(await technician.requestSeveral(entries));
      const second = supervisor.getByRole("listitem").nth(1);
      await second.getByRole("checkbox", { name: "Not right" }).check();
      await supervisor.locator("button.tall").click();
      await expect(supervisor.getByLabel("Your name")).toBeFocused();
      await expect(supervisor.getByText("Name is required")).toBeVisible();
      await expect(second.getByText("Give a reason")).toBeVisible();
      await supervisor.getByLabel("Your name").fill("P. van der Berg");
      await supervisor.locator("button.tall").click();
      await expect(second.getByLabel("What's wrong?")).toBeFocused();
      await expect(second.getByRole("checkbox", { name: "Not right" })).toBeChecked();
    });

    test("a record that is left for later stays in sight when *Not right* is taken back, and so does its reason", async ({
      technician,
      supervisor,
    }) => {
      const entries = await technician.addEntries({ location: "A" }, { location: "B" });
      await supervisor.goto(await technician.requestSeveral(entries));
      const first = supervisor.getByRole("listitem").first();
      const [wrong, later] = [/Not right/, /Leave it for later/].map((name) => first.getByRole("checkbox", { name }));
      const shown = () =>
        supervisor.locator(".sent").evaluate((sent) => getComputedStyle(sent, "::before").content.split(" / ")[0]);
      await wrong?.check();
      expect(await shown()).toContain("counter(yes)");
      await later?.check();
      expect(await shown()).toContain("Send your answers");
      await wrong?.uncheck();
      await expect(first.getByLabel("What's wrong?")).toBeVisible();
      await later?.uncheck();
      await expect(first.getByLabel("What's wrong?")).toBeHidden();
      await expect(supervisor.getByText("Verify 2 records, 15.0 h")).toBeVisible();
    });
  });
}

test.describe("after three records were declined, without JavaScript", () => {
  test.use({ ...inWay("without JavaScript"), viewport: { width: 360, height: 740 } });

  test("they are corrected, asked for again, verified by the copied link, and disowned by the named supervisor", async ({
    technician,
    supervisor,
  }) => {
    const { page } = technician;
    const entries = await technician.addEntries({ location: "A" }, { location: "B" }, { location: "C" });
    const first = await technician.requestSeveral(entries);
    const declined = { supervisorName: "P. van der Berg", reason: "It was six hours." };
    expect((await supervisor.request.post(`/api${first}/decline`, { data: declined })).status()).toBe(200);

    for (const { id } of entries) {
      await page.goto(`/profile/record/${id}`);
      await expect(page.getByText("Reason: It was six hours.").first()).toBeVisible();
      await page.getByRole("link", { name: "Edit" }).click();
      await page.getByLabel("Hours", { exact: true }).fill("6");
      await page.getByRole("button", { name: "Save Changes" }).click();
      await expect(page.getByText("Pending: no supervisor is asked now.")).toBeVisible();
    }
    await page.goto("/profile");
    await page.getByRole("link", { name: "Request verification", exact: true }).click();
    await page.getByRole("button", { name: "Send Request" }).click();
    const copied = await page.getByLabel("Verification link").inputValue();
    expect(copied).not.toContain("?m=");

    await supervisor.goto(copied);
    await supervisor.getByLabel("Your name").fill("Somebody Else");
    await supervisor.getByRole("button", { name: "Verify 3 records" }).click();
    await expect(supervisor.getByText("by link")).toBeVisible();
    const verified = { hours: 6, status: "verified", verifiedBy: "Somebody Else", verifiedVia: "link" };
    expect(await technician.entries()).toMatchObject([verified, verified, verified]);

    const { disown, confirm } = await storeNotice(technician.email);
    await supervisor.goto(confirm);
    await supervisor.getByRole("checkbox").last().uncheck();
    await supervisor.getByRole("button", { name: "Yes, I verified these" }).click();
    await expect(supervisor.getByText("2 records are confirmed. Thank you.")).toBeVisible();
    await supervisor.goto(disown);
    await expect(supervisor.getByText("verified as Somebody Else")).toHaveCount(3);
    await supervisor.getByRole("button", { name: "I did not verify the chosen records" }).click();
    await expect(supervisor.getByText("3 records are no longer verified.")).toBeVisible();
    const pending = { status: "pending", verified: false, verifiedBy: null };
    expect(await technician.entries()).toMatchObject([pending, pending, pending]);
  });
});
