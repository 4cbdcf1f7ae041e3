import { expect } from "#tests/browser/technician.ts";
import type { States } from "./states.ts";

/** States of signing in, and of unknown addresses. */
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
  "the not-found page": (page) => page.goto("/nowhere"),
};
