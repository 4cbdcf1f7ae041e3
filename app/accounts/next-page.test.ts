import { expect, test } from "vitest";
import { namePath, nextPage, nextPageWithQuery, signInPath } from "./next-page.ts";

const nextOf = (address: string) => nextPage(new URL(address, "https://hours.example.com"));

test("a page leads to the sign-in page and back", () => {
  for (const path of ["/requests/94", "/profile/record/3/edit", "/admin", "/%C3%B8/%2F"]) {
    expect(nextOf(signInPath(path))).toBe(path);
  }
  expect(signInPath("/requests/94")).toBe("/auth?next=/requests/94");
});

test("the first page, none and a very long one need no way back", () => {
  for (const path of [null, "/", "/profile", `/${"x".repeat(1_000)}`]) expect(signInPath(path)).toBe("/auth");
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
  expect(nextOf(`/auth?next=${encodeURIComponent(next)}`)).toBeNull();
  expect(nextPageWithQuery(new URL(namePath(next), "https://hours.example.com"))).toBeNull();
});

test("the page that asks for a name leads on with the query", () => {
  const path = "/requests/new?all=1&q=M%C3%B8re";
  expect(nextPageWithQuery(new URL(namePath(path), "https://hours.example.com"))).toBe(path);
});
