import { expect, test } from "vitest";
import { requestUrl } from "./request-line.ts";

test("any path and a valid Host make a URL", () => {
  for (const [target, host, url] of [
    ["/auth?a=b", "localhost:8787", "http://localhost:8787/auth?a=b"],
    ["//verify/x", "hours.example.com", "http://hours.example.com//verify/x"],
    ["/http://evil.example/", "[::1]:80", "http://[::1]/http://evil.example/"],
    ["/@evil.example", "192.0.2.7", "http://192.0.2.7/@evil.example"],
  ] as const) {
    expect(requestUrl(target, host)?.href).toBe(url);
  }
});

test("a target that is not a path, or an invalid Host, makes no URL", () => {
  for (const target of ["http://localhost/verify/x", "https://localhost/", "verify/x", "*", "", "localhost:80"]) {
    expect([target, requestUrl(target, "localhost")]).toEqual([target, null]);
  }
  for (const host of [null, undefined, "", "a b", "evil/verify/x?", "a@b", "a#", "a\\b", "localhost:99999", "[::1"]) {
    expect([host, requestUrl("/auth", host)]).toEqual([host, null]);
  }
});
