import AxeBuilder from "@axe-core/playwright";
import { linkTo } from "./mailbox.ts";
import { expect, freshEmail, inWay, REFUSED_PAGE, test, WAYS_WITHOUT_ISLAND } from "./technician.ts";

// The pages that refuse a form or an address are part of what is tested here.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(REFUSED_PAGE));

/* A technician asks a supervisor to verify several records at once. */

for (const way of WAYS_WITHOUT_ISLAND) {
  test.describe(way, () => {
    test.use({ ...inWay(way), viewport: { width: 360, height: 740 } });

    test("a technician chooses records and a new supervisor, who gets one link to all of them", async ({
      technician,
    }) => {
      const { page, addEntries, api } = technician;
      const to = freshEmail();
      await addEntries({ hours: 7.5, location: "Dock 1" }, { hours: 4, location: "Dock 2" }, { location: "Dock 3" });
      await page.goto("/profile");
      await page.getByRole("link", { name: "Request verification", exact: true }).click();
      await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(3);
      await page.getByRole("checkbox", { name: /Dock 3/ }).uncheck();
      await page.getByRole("button", { name: "Send Request" }).click();
      await expect(page.getByText("Phone is required")).toBeVisible();
      await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(2);
      await page.getByLabel("Name").fill("Piet van der Berg");
      await page.getByLabel("Email").fill(to);
      await page.getByLabel("Phone").fill("+31 6 1234");
      await page.getByLabel("Certification Level").selectOption("Level III");
      await page.getByLabel("Company").fill("NDT Holland");
      await page.getByRole("button", { name: "Send Request" }).click();
      await expect(page.getByRole("heading", { name: "Piet van der Berg" })).toBeVisible();
      const [request] = await (await api.get("/api/verification-requests")).json();
      expect(request.items.length).toBe(2);
      await expect(page.getByLabel("Verification link")).toHaveValue(request.verificationUrl);
      await expect(page.getByRole("img", { name: "QR code of the link" })).toBeVisible();
      expect((await linkTo(to, /./)).startsWith(`/verify/${request.verificationToken}?m=`)).toBe(true);

      await page.getByRole("button", { name: "Turn off" }).click();
      await expect(page.getByText("Reminders are off.")).toBeVisible();
      await page.getByRole("link", { name: "Withdraw" }).click();
      await page.getByRole("button", { name: "Withdraw request" }).click();
      await expect(page.getByText("2 records withdrawn")).toBeVisible();
      await page.goto("/requests");
      await expect(page.getByText("2 ended")).toBeVisible();
    });
  });
}

test.describe("with its script", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("the page counts what is chosen, and selects all and none without loading again", async ({ technician }) => {
    const { page, addEntries } = technician;
    await addEntries({ hours: 7.5, location: "Dock 1" }, { hours: 4.25, location: "Dock 2" });
    await page.goto("/requests/new");
    await expect(page.getByText("0 selected, 0.0 h")).toBeVisible();
    await page.getByRole("checkbox", { name: /Dock 2/ }).check();
    await expect(page.getByText("1 selected, 4.25 h")).toBeVisible();
    await page.getByRole("link", { name: "Select all on this page" }).click();
    await expect(page.getByText("2 selected, 11.75 h")).toBeVisible();
    await page.getByRole("link", { name: "Select none" }).click();
    await expect(page.getByText("0 selected, 0.0 h")).toBeVisible();
    await expect(page).toHaveURL("/requests/new");
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  });

  test("to select all leaves out what was declined and not corrected, which can be chosen by itself", async ({
    technician,
    supervisor,
  }) => {
    const { page, addEntries } = technician;
    const [declined] = await addEntries({ hours: 7.5, location: "Dock 1" }, { hours: 4.25, location: "Dock 2" });
    const path = await technician.request(declined?.id ?? 0);
    const answer = { supervisorName: "Piet", reason: "It was 4 hours" };
    expect((await supervisor.request.post(`/api${path}/decline`, { data: answer })).status()).toBe(200);
    await page.goto("/requests/new");
    await page.getByRole("link", { name: "Select all on this page" }).click();
    await expect(page.getByText("1 selected, 4.25 h")).toBeVisible();
    await page.getByRole("checkbox", { name: /Dock 1/ }).check();
    await expect(page.getByText("2 selected, 11.75 h")).toBeVisible();
    await page.getByRole("link", { name: "Select none" }).click();
    await expect(page.getByText("0 selected, 0.0 h")).toBeVisible();
  });

  test("a message goes when what it is about is changed, and the others stay", async ({ technician }) => {
    const { page, addEntries } = technician;
    await addEntries({ location: "Dock 1" });
    await page.goto("/requests/new");
    await page.getByLabel("Email").fill("nobody");
    await page.getByRole("button", { name: "Send Request" }).click();
    await expect(page.getByText("Invalid email address")).toBeVisible();
    await page.getByLabel("Email").fill("ola@example.org");
    await expect(page.getByText("Invalid email address")).toHaveCount(0);
    await expect(page.getByLabel("Email")).not.toHaveAttribute("aria-invalid");
    await expect(page.getByText("Name is required")).toBeVisible();
    await page.getByRole("checkbox").check();
    await expect(page.getByText("Choose at least one record")).toHaveCount(0);
    await expect(page.getByText("Name is required")).toBeVisible();
  });

  test("a message also goes when its field was changed before the script came", async ({ technician }) => {
    const { page, addEntries } = technician;
    await addEntries({ location: "Dock 1" });
    await page.goto("/requests/new");
    await page.getByLabel("Email").fill("nobody");
    let release = () => {};
    const typed = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/*.js", (route) => typed.then(() => route.continue()));
    await page.getByRole("button", { name: "Send Request" }).click();
    await expect(page.getByText("Invalid email address")).toBeVisible();
    await page.getByLabel("Email").fill("ola@example.org");
    await expect(page.getByText("Invalid email address")).toBeVisible();
    release();
    await expect(page.getByText("Invalid email address")).toHaveCount(0);
    await expect(page.getByText("Name is required")).toBeVisible();
  });

  test("the copy button copies the link of a request, without loading React", async ({ technician, context }) => {
    const { page, addEntries, request, api } = technician;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const [entry] = await addEntries({});
    await request(entry?.id ?? 0);
    const [made] = await (await api.get("/api/verification-requests")).json();
    const files: string[] = [];
    page.on("request", (one) => files.push(one.url()));
    await page.goto(`/requests/${made.id}`);
    await page.getByRole("button", { name: "Copy link" }).click();
    await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(made.verificationUrl);
    expect(files.filter((url) => /react/.test(url))).toEqual([]);
  });
});
