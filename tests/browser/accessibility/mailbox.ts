import { storeNotice } from "#tests/browser/database.ts";
import { linkTo } from "#tests/browser/mailbox.ts";
import { expect, freshEmail, type Technician } from "#tests/browser/technician.ts";
import type { States } from "./states.ts";

/** Asks a supervisor for several records, whose address gets an email. Returns the address. */
async function asked({ addEntries, api }: Technician): Promise<string> {
  const email = freshEmail();
  const person = {
    name: "Piet van der Berg",
    email,
    phone: "1",
    certificationLevel: "Level III",
    company: "NDT Holland",
  };
  const { id: supervisorId } = await (await api.post("/api/supervisors", { data: person })).json();
  const records = (await addEntries({}, { method: "UT_THK" })).map(({ id }) => ({ type: "entry", id }));
  await api.post("/api/verification-requests", { data: { supervisorId, records } });
  return email;
}

/** States of the pages that emails to supervisors lead to. */
export const MAILBOX: States = {
  "the inbox of an address, before the link is sent": (page) => page.goto("/inbox"),
  "the inbox of an address": async (page, technician) => {
    const email = await asked(technician);
    await technician.api.post("/api/supervisor-inbox", { data: { email } });
    await page.context().clearCookies(); // no one verifies their own hours
    await page.goto(await linkTo(email, "The records that wait for your answer"));
    await expect(page.locator(".sent")).toBeVisible();
  },
  "an answered link, with the ways back": async (page, technician) => {
    const email = await asked(technician);
    await page.context().clearCookies(); // the technician cannot answer
    const link = await linkTo(email, /asks you to verify/, /\/verify\/\S+/);
    await page.goto(link);
    await page.getByLabel("Your name").fill("Piet van der Berg");
    await page.locator(".sent").click();
    await expect(page.getByText("Verified by Piet van der Berg")).toBeVisible();
    await page.goto(link);
    await page.getByText("I verified some of these by mistake").click();
    await page.getByText("It was not me who answered").click();
    await expect(page.getByRole("button", { name: "Withdraw all 2" })).toBeVisible();
  },
  "records to disown": async (page, technician) => {
    // One after the other, because they are listed in the order of their requests.
    for (const { id } of await technician.addEntries({}, { method: "UT_THK" })) await technician.verify(id);
    await page.context().clearCookies(); // the technician cannot answer
    await page.goto((await storeNotice(technician.email)).disown);
    await expect(page.getByRole("heading", { name: "Did you verify these?" })).toBeVisible();
  },
  "records to confirm": async (page, technician) => {
    for (const { id } of await technician.addEntries({}, { method: "UT_THK" })) await technician.verify(id);
    await page.context().clearCookies(); // the technician cannot answer
    await page.goto((await storeNotice(technician.email)).confirm);
    await expect(page.getByRole("button", { name: "Yes, I verified these" })).toBeVisible();
  },
  "a link that stops all emails": async (page, technician) => {
    const email = await asked(technician);
    await page.goto(await linkTo(email, /asks you to verify/, /\/unsubscribe\/\S+/));
    await expect(page.getByRole("button", { name: "Stop all emails" })).toBeVisible();
  },
  "a page that does not take a form": async (page) => {
    await page.goto("/requests");
    await page.evaluate(() => {
      const form = document.createElement("form");
      form.method = "post";
      document.body.insertAdjacentElement("beforeend", form);
      form.submit();
    });
    await expect(page.getByRole("link", { name: "Go to Hours Tracker" })).toBeVisible();
  },
};
