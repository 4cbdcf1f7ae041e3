import { expect, test } from "vitest";
import { settingsProblem } from "./settings.ts";

const SESSION_SECRET = "x".repeat(32);

test("a secret of 32 bytes is the only required setting", () => {
  expect(settingsProblem({ SESSION_SECRET })).toBeNull();
  expect(settingsProblem({ SESSION_SECRET: "ÿ".repeat(16) })).toBeNull();
  expect(settingsProblem({ SESSION_SECRET, TRUST_PROXY: "", PUBLIC_ORIGIN: "" })).toBeNull();
});

test("a missing secret or one under 32 bytes is rejected, with the command that makes one", () => {
  expect(settingsProblem({})).toMatch(/SESSION_SECRET is missing.*openssl rand -base64 32/);
  const problem = settingsProblem({ SESSION_SECRET: "y".repeat(31) });
  expect(problem).toMatch(/SESSION_SECRET is too short.*openssl rand -base64 32/);
  expect(problem).not.toContain("yy");
});

test("TRUST_PROXY is `1` or empty", () => {
  expect(settingsProblem({ SESSION_SECRET, TRUST_PROXY: "1" })).toBeNull();
  for (const TRUST_PROXY of ["0", "false", "true", "yes", " 1"]) {
    expect(settingsProblem({ SESSION_SECRET, TRUST_PROXY })).toContain(`TRUST_PROXY must be 1`);
  }
});

test("PUBLIC_ORIGIN is a scheme and a host", () => {
  expect(settingsProblem({ SESSION_SECRET, PUBLIC_ORIGIN: "https://hours.example.com/" })).toBeNull();
  for (const PUBLIC_ORIGIN of ["hours.example.com", "https://hours.example.com/app", "ftp://hours.example.com"]) {
    expect(settingsProblem({ SESSION_SECRET, PUBLIC_ORIGIN })).toContain("PUBLIC_ORIGIN must be scheme and host");
  }
});

// Catches a setting that only looks like a URL: the app would start and fail at each request.
test("PUBLIC_ORIGIN is refused if it has more than scheme, host and port, or is no URL", () => {
  expect(settingsProblem({ SESSION_SECRET, PUBLIC_ORIGIN: "http://Hours.example.com:8787" })).toBeNull();
  for (const rest of [
    "a b",
    "[",
    "hours.example.com:99999",
    "hours.example.com?a",
    "hours.example.com#a",
    "me@h",
    "a\n",
  ]) {
    const problem = settingsProblem({ SESSION_SECRET, PUBLIC_ORIGIN: `https://${rest}` });
    expect([rest, problem]).toEqual([rest, expect.stringContaining("PUBLIC_ORIGIN must be scheme and host")]);
  }
});
