import type { Page } from "@playwright/test";
import { goOffline, installWorker, logIn, storedRows } from "./offline-device.ts";
import { expect, freshEmail, NO_NETWORK, PASSWORD, signUp, test } from "./technician.ts";

/*
 * A shift card in a browser: its fragment fills the form in, also after registering, after another user has signed in and without a
 * signal. Catches a card that is lost on the way, one that is saved by itself, and one that replaces what was typed.
 */

const TODAY = new Intl.DateTimeFormat("sv-SE").format(new Date());

/** The link of the shift that a technician has typed, read from the page that shows it. */
async function share(page: Page): Promise<string> {
  await page.goto("/profile");
  await page.getByLabel("Job Location").fill("Quay 5");
  await page.getByLabel("NDT Method").selectOption("UT_THK");
  await page.getByText("More details").click();
  await page.getByLabel("Job or report No.").fill("J-2231");
  await page.getByRole("button", { name: "Share this shift" }).click();
  await expect(page.getByRole("img", { name: "QR code of the shift" })).toBeVisible();
  return page.getByLabel("Link of the shift").inputValue();
}

async function isFilledIn(page: Page, place = "Quay 5"): Promise<void> {
  await expect(page.getByLabel("Job Location")).toHaveValue(place);
  await expect(page.getByLabel("Job Date")).toHaveValue(TODAY);
  await expect(page.getByLabel("NDT Method")).toHaveValue("UT_THK");
  await expect(page.getByLabel("Hours", { exact: true })).toHaveValue("");
}

const CARD = `/shift#d=${TODAY}&p=Quay+5&m=UT_THK&j=J-2231&s=Ola+Hansen&e=ola%40example.org&t=%2B47+555&l=Level+III&c=Fjord`;

test("a technician shares a shift, a newcomer registers, comes back to it, types hours, and asks its supervisor", async ({
  technician: { page },
  browser,
}) => {
  const link = await share(page);
  expect(link.length).toBeLessThanOrEqual(300);
  const phone = await (await browser.newContext()).newPage();
  const asked: string[] = [];
  phone.on("request", (request) => asked.push(request.url() + (request.postData() ?? "")));
  await phone.goto(`${link}&s=Ola+Hansen&e=ola%40example.org&t=%2B47+555&l=Level+III&c=Fjord`);
  await expect(phone.getByText("Log in or register. The form of your shift comes next.")).toBeVisible();
  await phone.getByRole("link", { name: "Register" }).click();
  await phone.getByLabel("Email").fill(freshEmail());
  await phone.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await phone.getByLabel("Full Name").fill("Jo Berg");
  await phone.getByRole("button", { name: "Register", exact: true }).click();
  await isFilledIn(phone);
  await expect(phone.getByLabel("Job or report No.")).toHaveValue("J-2231");
  await expect(phone.getByText("Supervisor: Ola Hansen, ola@example.org.")).toBeVisible();
  // No request so far had anything of the card.
  expect(asked.filter((text) => /Quay|ola%40/.test(text.split("#")[0] ?? ""))).toEqual([]);
  await expect(phone.getByLabel("Hours", { exact: true })).toBeFocused();
  await phone.keyboard.type("7,5");
  await phone.keyboard.press("Enter");
  await expect(phone.getByRole("dialog")).toContainText("Request Verification");
  await expect(phone.getByLabel("Name")).toHaveValue("Ola Hansen");
  await expect(phone.getByLabel("Email")).toHaveValue("ola@example.org");
  await expect(phone.getByLabel("Company")).toHaveValue("Fjord");
  await phone.getByRole("button", { name: "Send Request" }).click();
  await expect(phone.getByRole("dialog")).toContainText("Verification Email Sent");
  await phone.context().close();
});

test("what the fields refuse is left out and named, and the rest is filled in", async ({
  technician: { page, entries },
}) => {
  const next = Number(TODAY.slice(0, 4)) + 1;
  await page.goto(`/shift#d=${next}-01-31&p=%3Cb%3EQuay&m=XYZ&hours=9&s=Ola`);
  const note = page.getByText("From a shift card");
  await expect(note).toHaveText(
    "From a shift card: look at what is filled in, and type your hours. Supervisor: Ola. Left out, as it cannot be used: Job Date, NDT Method, what is unknown or too long.",
  );
  await expect(page.getByLabel("Job Location")).toHaveValue("<b>Quay");
  await expect(page.getByLabel("Job Date")).toHaveValue(TODAY);
  await expect(page.getByLabel("Hours", { exact: true })).toHaveValue("");
  await page.goto("about:blank");
  await page.goto(`/shift#p=Quay&j=${"x".repeat(10_000)}`);
  await expect(note).toContainText("Left out, as it cannot be used: what is unknown or too long.");
  await expect(page.getByLabel("Job Location")).toHaveValue("");
  expect(await entries()).toEqual([]);
});

test("one's own address as the supervisor's is left out", async ({ technician: { page, email } }) => {
  await page.goto(`/shift#p=Quay&s=Me&e=${encodeURIComponent(email.toUpperCase())}`);
  await expect(page.getByText("From a shift card")).toContainText(
    "type your hours. Left out, as it cannot be used: supervisor.",
  );
});

test("a card that was only opened is kept nowhere", async ({ technician: { page } }) => {
  await page.goto(CARD);
  await expect(page.getByLabel("Hours", { exact: true })).toBeFocused();
  expect(await storedRows(page)).toEqual([]);
});

test("a link whose end was cut off says so", async ({ technician: { page } }) => {
  await page.goto("/shift");
  await expect(page.getByText("The link has lost its shift. Scan the code again")).toBeVisible();
});

test("a card that is opened while a form holds typed text loses nothing of it", async ({ technician: { page } }) => {
  await page.goto("/profile");
  await page.getByLabel("Job Location").fill("Typed before");
  await page.getByLabel("Hours", { exact: true }).fill("3");
  await page.goto(CARD);
  await isFilledIn(page);
  await expect(page.getByText("You have an unsaved entry")).toBeVisible();
  // And another card on this page, whose hours are typed already.
  await page.getByLabel("Hours", { exact: true }).fill("8");
  await expect.poll(async () => (await storedRows(page)).length).toBe(2);
  await page.evaluate(() => {
    location.hash = location.hash.replace("Quay+5", "Tank+9");
  });
  await isFilledIn(page, "Tank 9");
  await expect(page.getByRole("group").or(page.getByText("1 more, typed before")).first()).toBeVisible();
  expect((await storedRows(page)).flatMap(({ body }) => JSON.stringify(body)).join()).toContain("Typed before");
});

test("the next user of a phone gets the card after a logout, and nobody does once it is saved", async ({
  technician: { page },
  browser,
  baseURL,
}) => {
  const other = await signUp(await browser.newContext(), baseURL ?? "", { name: "Kai Lund" });
  await page.goto(CARD);
  await isFilledIn(page);
  await page.getByRole("button", { name: "Logout" }).last().click();
  await page.getByLabel("Email").fill(other.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log in" }).click();
  await isFilledIn(page);
  await page.getByLabel("Hours", { exact: true }).fill("8");
  await page.getByRole("button", { name: "Save Entries" }).last().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await other.entries()).toMatchObject([{ location: "Quay 5", hours: 8 }]);
  await page.goto("/shift");
  await expect(page.getByText("The link has lost its shift.")).toBeVisible();
  await other.page.context().close();
});

test("the first touch of the form keeps what the card has filled in", async ({ technician: { page, entries } }) => {
  await page.goto(CARD);
  await page.locator("[data-hydrated]").waitFor({ state: "attached" });
  await isFilledIn(page);
  await page.getByRole("button", { name: "Add Another Entry" }).click();
  await page.getByLabel("NDT Method").last().selectOption("PT");
  await page.getByLabel("Hours", { exact: true }).last().fill("2");
  await page.getByLabel("Hours", { exact: true }).first().fill("6");
  await page.getByRole("button", { name: "Save Entries" }).last().click();
  await expect(page).toHaveURL(/saved=/);
  const saved = (await entries()).map(({ location, method, hours }) => [location, method, hours]);
  expect(saved.sort()).toEqual([
    ["Quay 5", "PT", 2],
    ["Quay 5", "UT_THK", 6],
  ]);
});

test.describe("without a signal", () => {
  test.use({ serviceWorkers: "allow", viewport: { width: 360, height: 740 } });

  test("a card fills the offline form in, and its hours are sent with the job number", async ({
    technician: { page, email, api, entries },
    consoleErrors,
  }) => {
    consoleErrors.expect(NO_NETWORK);
    await page.context().clearCookies();
    await logIn(page, email);
    await installWorker(page);
    await goOffline(page, CARD);
    await isFilledIn(page);
    await page.getByLabel("Hours", { exact: true }).fill("7.25");
    await page.getByRole("button", { name: "Save Entries" }).click();
    await page.context().setOffline(false);
    await expect.poll(async () => (await entries()).length).toBe(1);
    const [entry] = await (await api.get("/api/entries")).json();
    expect(entry).toMatchObject({ date: TODAY, location: "Quay 5", method: "UT_THK", hours: 7.25 });
    expect(entry.details).toMatchObject({ jobNumber: "J-2231" });
  });

  test("without a signal what cannot be used is named", async ({ technician: { page, email }, consoleErrors }) => {
    consoleErrors.expect(NO_NETWORK);
    await page.context().clearCookies();
    await logIn(page, email);
    await installWorker(page);
    await goOffline(page, "/shift#p=Quay+5&m=XYZ");
    await expect(page.getByText("Left out, as it cannot be used: NDT Method.")).toBeVisible();
    await expect(page.getByLabel("Job Location")).toHaveValue("Quay 5");
  });
});
