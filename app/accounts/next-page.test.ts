import { expect, test } from "vitest";
import { nextPage, signInPath } from "./next-page.ts";

const HERE = "https://hours.example.com";

test("a page leads to the sign-in page and back, with its query", () => {
  for (const path of ["/requests/94", "/profile?q=dock%204&method=MT", "/progress?target=1", "/admin"]) {
    const address = signInPath(path);
    expect(nextPage(HERE + address)).toBe(path);
    expect(address.startsWith(`/auth?next=${path.split("?")[0]}`)).toBe(true);
  }
});

test("the first page, none and a very long one need no way back", () => {
  for (const path of [null, "/", "/profile", `/profile?q=${"x".repeat(1_000)}`]) expect(signInPath(path)).toBe("/auth");
});

// Catches an open redirect: what a browser takes for another origin, however it is written.
test.each([
  ...[
    "https://evil.example/",
    "//evil.example/x",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
  ],
  ...[
    "profile",
    "",
    "/api/export.json",
    "/API/user",
    "/auth?next=/x",
    "/logout",
    `/${"x".repeat(1_001)}`,
    "http:/evil.example",
  ],
])("%j is no page to open after signing in", (next) => {
  expect(nextPage(`${HERE}/auth?next=${encodeURIComponent(next)}`)).toBeNull();
});
