import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { count } from "#tests/worker/database.ts";
import { tagsOf, textsOf } from "#tests/worker/html.ts";
import { PASSWORD } from "#tests/worker/people.ts";

/*
 * Messages when the database does not answer (spec section 8). Catches a failure that shows internals, one that loses
 * the typed address, and a logout that reports success while the session still exists.
 */

const app = await startApp();
const FAIL = { "x-fail-d1-round-trip": "1" };

test("a login that fails on the server says Login failed, signs no user in and keeps the address", async () => {
  const { user } = await app.register();
  const page = await app.post("/auth", { email: user.email, password: PASSWORD }, FAIL);
  expect([page.status, page.setCookie("session")]).toEqual([500, undefined]);
  expect(textsOf(page.text, "p", 'role="alert"')).toEqual(["Login failed"]);
  expect(textsOf(page.text, "div", 'class="toast error"')).toEqual(["Login failed Login failed"]);
  expect(tagsOf(page.text, "input").find(({ name }) => name === "email")?.value).toBe(user.email);
});

test("a login that a rule rejects is titled Login failed and shows the rule's message", async () => {
  const page = await app.post("/auth", { email: "nobody@example.com", password: PASSWORD });
  expect(textsOf(page.text, "div", 'class="toast error"')).toEqual(["Login failed Invalid email or password"]);
});

test("a registration that fails on the server says Registration failed and creates no account", async () => {
  const fields = { email: "unlucky@example.com", password: PASSWORD };
  const page = await app.post("/auth?tab=register", fields, FAIL);
  expect([page.status, page.setCookie("session")]).toEqual([500, undefined]);
  expect(textsOf(page.text, "p", 'role="alert"')).toEqual(["Registration failed"]);
  expect(textsOf(page.text, "div", 'class="toast error"')).toEqual(["Registration failed Registration failed"]);
  expect(await count(app.db, "users", "email = ?", fields.email)).toBe(0);
  expect((await app.post("/auth?tab=register", fields)).location).toBe("/profile");
});

test("a failed logout shows its error on the page, and the user stays signed in", async () => {
  const ada = await app.register();
  const answer = await ada.post("/logout", {}, FAIL);
  expect([answer.status, answer.location]).toEqual([303, "/profile"]);
  const page = await ada.follow(answer);
  expect(textsOf(page.text, "div", 'role="alert"')).toEqual(["Error Failed to log out. Please try again."]);
  expect((await ada.get("/api/user")).status).toBe(200);
});

test("a failed logout through the API answers Logout failed, and the session remains", async () => {
  const ada = await app.register();
  const answer = await ada.json("POST", "/api/auth/logout", {}, FAIL);
  expect([answer.status, answer.json()]).toEqual([500, { code: "server_error", message: "Logout failed" }]);
  expect((await ada.get("/api/user")).status).toBe(200);
});
