import AxeBuilder from "@axe-core/playwright";
import { linkTo, mailTo } from "./mailbox.ts";
import { expect, freshEmail, inWay, test, WAYS } from "./technician.ts";

for (const way of WAYS) {
  test.describe(way, () => {
    test.use({ ...inWay(way), viewport: { width: 360, height: 740 } });

    test("a supervisor verifies by the emailed link, and the technician is told by email", async ({
      technician,
      supervisor,
    }) => {
      const { page, email, api } = technician;
      const to = freshEmail();
      const [entry] = await technician.addEntries({ location: "Dock 9" });
      await page.goto(`/profile?request=${entry?.id}`);
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Piet van der Berg");
      await dialog.getByLabel("Email").fill(to);
      await dialog.getByLabel("Phone").fill("+31 6 1234");
      await dialog.getByLabel("Certification Level").selectOption("Level III");
      await dialog.getByLabel("Company").fill("NDT Holland");
      await dialog.getByRole("button", { name: "Send Request" }).click();
      await expect(dialog).toContainText(`to Piet van der Berg (${to}).`);
      const shown = await dialog.getByLabel("Verification link").inputValue();
      await expect(page.getByRole("dialog", { name: "Verification Email Sent" })).toContainText(
        "An email has been sent to the supervisor for verification. You'll be notified once the hours are verified.",
      );
      await page.getByRole("button", { name: "Done" }).click();
      await expect(page.getByRole("dialog")).toBeHidden();

      const link = await linkTo(to, /asks you to verify 7.5 OJT hours/);
      // The emailed link has a secret besides, which the technician never sees.
      expect(link).toMatch(/\?m=[\w-]{22}$/);
      expect(shown.endsWith(link.replace(/\?.*/, ""))).toBe(true);
      await supervisor.goto(link);
      await supervisor.getByLabel("Your name").fill("P. van der Berg");
      await supervisor.getByRole("button", { name: "Verify Hours" }).click();
      await expect(supervisor.getByRole("heading", { name: "Verification Complete" })).toBeVisible();
      expect(await (await api.get("/api/entries")).json()).toMatchObject([
        { status: "verified", verifiedVia: "mailbox" },
      ]);
      await expect(async () => {
        const [told] = mailTo(email);
        expect(told?.subject).toBe("Your OJT hours of 2 Mar 2026 were verified");
        expect(told?.text).toContain("P. van der Berg");
      }).toPass();
    });

    test("a second request to the same supervisor for the same record says that no email is sent, and shows the link", async ({
      technician,
      javaScriptEnabled,
    }) => {
      const { page, api } = technician;
      const to = freshEmail();
      const [entry] = await technician.addEntries({});
      const supervisor = { name: "Piet van der Berg", email: to, phone: "1", certificationLevel: "Level II" };
      await api.post("/api/supervisors", { data: { ...supervisor, company: "NDT Holland" } });
      const dialog = page.getByRole("dialog");
      for (const words of [`to Piet van der Berg (${to}).`, `The next email to Piet van der Berg (${to}) waits`]) {
        await page.goto(`/profile?request=${entry?.id}`);
        await dialog.getByRole("button", { name: "Send Request" }).click();
        await expect(dialog).toContainText(words);
        await expect(dialog.getByLabel("Verification link")).toHaveValue(/\/verify\/[0-9a-f-]{36}$/);
      }
      if (javaScriptEnabled) {
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id }) => id)).toEqual([]);
      }
      await dialog.getByRole("button", { name: "Done" }).click();
      await expect(dialog).toBeHidden();
      await expect(async () => expect(mailTo(to)).toHaveLength(1)).toPass();
    });
  });
}
