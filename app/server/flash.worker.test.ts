import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { textOf, textsOf } from "#tests/worker/html.ts";
import { PASSWORD } from "#tests/worker/people.ts";

const app = await startApp();

async function justLoggedIn() {
  const { user } = await app.register();
  const browser = app.as(new Map());
  await browser.post("/auth", { email: user.email, password: PASSWORD });
  return browser;
}

test("a toast is shown once, on the next page, and announced to screen readers", async () => {
  const browser = await justLoggedIn();
  expect(browser.cookies.has("flash")).toBe(true);
  const first = await browser.get("/profile");
  expect(textsOf(first.text, "div", 'role="status"')).toEqual([expect.stringContaining("Login successful")]);
  expect(browser.cookies.has("flash")).toBe(false);
  expect(textsOf((await browser.get("/profile")).text, "div", 'role="status"')).toEqual([]);
});

// Catches a cookie that is cleared by the next response of any kind: a redirect or an API call would lose the toast.
test("a toast waits for a page: redirects and API calls do not clear it", async () => {
  const browser = await justLoggedIn();
  await browser.get("/api/user");
  expect((await browser.get("/auth")).status).toBe(303);
  expect(textOf((await browser.get("/profile")).text)).toContain("Login successful");
});

test("a toast cookie with a wrong signature is ignored without an error", async () => {
  const browser = await justLoggedIn();
  const [value = "", signature = ""] = decodeURIComponent(browser.cookies.get("flash") ?? "").split(".");
  const forged = btoa(JSON.stringify({ toast: { kind: "error", title: "Call this number" } }));
  for (const flash of [
    `${forged}.${signature}`,
    forged,
    `${value}.`,
    `${value}.%%%`,
    "x",
    "",
    ".",
    "%E0%A4%A",
    "a.b.c",
  ]) {
    const page = await app.as(new Map([["flash", flash]])).get("/auth");
    expect([flash, page.status, textOf(page.text).includes("Call this number")]).toEqual([flash, 200, false]);
  }
});

test("typed text in a toast is escaped", async () => {
  const browser = app.as(new Map());
  const name = "<img src=x onerror=alert(1)>";
  const email = "hostile@example.com";
  await browser.post("/auth?tab=register", { email, password: PASSWORD, name });
  const page = await browser.get("/profile");
  expect(textOf(page.text)).toContain(`Welcome, ${name}!`);
  expect(page.text).not.toContain("<img");
});
