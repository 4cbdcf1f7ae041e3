import type { Page } from "@playwright/test";
import { linkTo } from "#tests/browser/mailbox.ts";
import { expect } from "#tests/browser/technician.ts";
import type { States } from "./states.ts";

async function askForResetLink(page: Page, email: string): Promise<void> {
  await page.context().clearCookies();
  await page.goto("/reset-password");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send Reset Link" }).click();
}

/** States of signing in, of resetting a password, and of unknown addresses. */
export const SIGN_IN: States = {
  login: async (page) => {
    await page.context().clearCookies();
    await page.goto("/auth");
  },
  "login refused": async (page) => {
    await page.context().clearCookies();
    await page.goto("/auth");
    await page.getByRole("button", { name: "Log in" }).click();
  },
  "login failed": async (page) => {
    await page.context().clearCookies();
    await page.goto("/auth");
    await page.getByLabel("Email").fill("nobody@example.com");
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
  },
  register: async (page) => {
    await page.context().clearCookies();
    await page.goto("/auth?tab=register");
  },
  "the request for a reset link": async (page) => {
    await page.context().clearCookies();
    await page.goto("/reset-password");
  },
  "the request for a reset link, refused": async (page) => {
    await askForResetLink(page, "no address");
    await expect(page.getByText("Please enter a valid email address")).toBeVisible();
  },
  "the request for a reset link, sent": async (page, { email }) => {
    await askForResetLink(page, email);
    await expect(page.getByRole("status")).toBeVisible();
  },
  "a reset link": async (page, { email }) => {
    await askForResetLink(page, email);
    await page.goto(await linkTo(email, "Reset your Hours Tracker password"));
  },
  "an unknown reset link": async (page) => {
    await page.context().clearCookies();
    await page.goto("/reset-password/nothing");
  },
  "the not-found page": (page) => page.goto("/nowhere"),
};
