import type { Page } from "@playwright/test";
import { storeAdmin } from "#tests/browser/database.ts";
import { linkTo } from "#tests/browser/mailbox.ts";
import { expect, PASSWORD, unfold } from "#tests/browser/technician.ts";
import type { States } from "./states.ts";

/** States of the account. */
export const ACCOUNT: States = {
  "the account": async (page, { api, email }) => {
    const long = { name: "x".repeat(200), employeeNumber: "y".repeat(200) };
    expect((await api.patch("/api/user", { data: long })).status()).toBe(200);
    const elsewhere = await page
      .context()
      .browser()
      ?.newContext({ baseURL: new URL((await api.get("/auth")).url()).origin });
    await elsewhere?.request.post("/api/auth/login", { data: { email, password: PASSWORD } });
    await elsewhere?.close();
    await page.goto("/account");
    await unfold(page, "Where you are signed in");
    await expect(page.getByRole("button", { name: /^End session/ })).toBeVisible();
  },
  "the account's details, refused": async (page) => {
    await page.goto("/account");
    await unfold(page, "Your details");
    await page.getByLabel("Full Name (Optional)").fill("M");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByText("Name must be at least 2 characters")).toBeVisible();
  },
  "a change of password, refused": async (page) => {
    await page.goto("/account");
    await unfold(page, "Password");
    await page.getByRole("button", { name: "Change Password" }).click();
    await expect(page.getByText("Password is required")).toBeVisible();
  },
  "a change of the email address, refused": async (page) => {
    await page.goto("/account");
    await unfold(page, "Email address");
    await page.getByRole("button", { name: "Send Link" }).click();
    await expect(page.getByText("Please enter a valid email address")).toBeVisible();
  },
  "a change of the email address, sent": async (page, { email }) => {
    await requestChange(page, `next-${email}`);
  },
  "the link of a change of the email address": async (page, { email }) => {
    await requestChange(page, `next-${email}`);
    await page.goto(await linkTo(`next-${email}`, "Confirm your new email address"));
    await expect(page.getByRole("button", { name: "Change Email Address" })).toBeVisible();
  },
  "the email address changed": async (page, { email }) => {
    await requestChange(page, `next-${email}`);
    await page.goto(await linkTo(`next-${email}`, "Confirm your new email address"));
    await page.getByRole("button", { name: "Change Email Address" }).click();
    await expect(page.getByRole("status")).toBeVisible();
  },
  "the link of a change that has ended": async (page) => {
    await page.goto("/account/email/nothing");
    await expect(page.getByRole("alert")).toBeVisible();
  },
  "deleting the account, refused": async (page) => {
    await page.goto("/account/delete");
    await page.getByRole("button", { name: "Delete Account" }).click();
    await expect(page.getByText("Password is required")).toBeVisible();
  },
  "a new token, refused": async (page) => {
    await page.goto("/account/tokens");
    await page.getByRole("button", { name: "Make Token" }).click();
    await expect(page.getByText("Name is required")).toBeVisible();
  },
  "a new token, shown": async (page) => {
    await makeToken(page, "Payroll");
  },
  "the account with tokens, one ended": async (page) => {
    await makeToken(page, "Payroll");
    await makeToken(page, "x".repeat(200));
    await page.goto("/account");
    await unfold(page, "API tokens");
    await page.getByRole("button", { name: "End token Payroll" }).click();
    await expect(page.getByRole("status")).toContainText("Token ended");
  },
  "an admin who would delete their account": async (page, { email }) => {
    await storeAdmin(email);
    await page.goto("/account/delete");
    await expect(page.getByText("Another admin can delete it")).toBeVisible();
  },
};

async function requestChange(page: Page, email: string): Promise<void> {
  await page.goto("/account");
  await unfold(page, "Email address");
  await page.getByLabel("New Email").fill(email);
  await page.getByLabel("Your Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Send Link" }).click();
  await expect(page.getByRole("status")).toBeVisible();
}

async function makeToken(page: Page, name: string): Promise<void> {
  await page.goto("/account/tokens");
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Make Token" }).click();
  await expect(page.getByRole("heading", { name: "Your new token" })).toBeVisible();
}
