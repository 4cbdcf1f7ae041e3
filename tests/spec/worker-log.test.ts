import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SECURITY_EVENT_NAMES } from "#app/server/logger.server.ts";
import { inShort } from "#scripts/lib/worker-log.ts";

const line = (facts: object) => JSON.stringify({ level: "warn", time: "2026-11-21T12:00:00.000Z", ...facts });
const CLOCK = /^\d\d:\d\d:\d\d /;

test("a terminal shows no line for a successful request or event", () => {
  expect(inShort(JSON.stringify({ level: "info", time: "", event: "request", status: 200 }))).toBeNull();
  expect(inShort(JSON.stringify({ level: "info", time: "", event: "security", what: "login" }))).toBeNull();
});

test("a refusal is a few words and the request id", () => {
  const shown = inShort(
    line({ event: "security", what: "login_failed", id: "8f3c0a1b2c3d4e5f", route: "routes/auth", user: null }),
  );
  expect(shown).toMatch(CLOCK);
  expect(shown?.replace(CLOCK, "")).toBe("login_failed routes/auth (8f3c0a1b2c3d4e5f)");
});

test("an error keeps its message and stack frames", () => {
  const error = { level: "error", event: "error", id: "8f3c0a1b2c3d4e5f", method: "GET", path: "/profile" };
  const shown = inShort(line({ ...error, name: "Error", message: "D1_ERROR: gone", at: ["at a (x.js:1:2)"] }));
  expect(shown?.replace(CLOCK, "")).toBe("error GET /profile D1_ERROR: gone (8f3c0a1b2c3d4e5f)\n    at a (x.js:1:2)");
});

test("an email that was not sent is reported with its known facts", () => {
  expect(inShort(line({ event: "mail", kind: "password_reset", outcome: "refused", status: 403 }))).toContain(
    '"outcome":"refused","status":403',
  );
});

test("text that is not a log line is shown as it is", () => {
  for (const text of ["workerd says hello", '{"level":"info', "{}"]) expect(inShort(text)).toBe(text);
});

// Catches a link that only the whole log has: the operator of `npm start` would never see it.
test("the set-up link and what is not configured are shown in short", () => {
  const time = new Date().toISOString();
  const link = "http://localhost:8787/set-up/a-token";
  const setUp = inShort(JSON.stringify({ level: "info", time, event: "set-up", link, missing: ["Email"] }));
  expect(setUp).toMatch(/There is no admin yet.*\n {2}http:\/\/localhost:8787\/set-up\/a-token$/);
  const advice = "An admin sees how at http://localhost:8787/set-up";
  const facts = { level: "info", time, event: "not configured", missing: ["Email", "Signing key"], advice };
  expect(inShort(JSON.stringify(facts))).toBe(`Not configured: Email, Signing key. ${advice}`);
});

test("the link of RESET_ADMIN is shown with its advice, and so is an address that it refuses", () => {
  const link = "http://localhost:8787/reset-password/a-token";
  expect(inShort(line({ event: "admin reset", account: 7, link, advice: "Open it." }))).toBe(`Open it.\n  ${link}`);
  expect(inShort(line({ event: "admin reset refused", advice: "It is no admin." }))).toBe("It is no admin.");
});

// Catches a documented event that no code writes.
test("every security event is written somewhere", () => {
  const files = ["app", "self-host"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  const writers = files.filter((file) => /(\.server|-endpoint|entry\.worker)\.tsx?$/.test(file));
  const sources = writers.map((file) => readFileSync(file, "utf8")).join("");
  const unwritten = SECURITY_EVENT_NAMES.filter(
    (name) => !new RegExp(`(securityEvent\\([^)]*?|refused: )"${name}"`).test(sources),
  );
  expect(unwritten).toEqual([]);
});
