import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSION } from "#app/server/version.ts";
import { oldRuntimeWarning } from "#self-host/build/config.ts";

test("the app, package.json and the newest entry of CHANGELOG.md name the same version", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const [, newest] = /^## (\d+\.\d+\.\d+)/m.exec(readFileSync("CHANGELOG.md", "utf8")) ?? [];
  expect([VERSION, newest]).toEqual([version, version]);
});

// Catches a version in package.json that names no day: then it never warns.
test("`npm run check` warns of the executable's workerd once it is over 90 days old", () => {
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const [, runtime = ""] = /^npm:workerd@(.*)$/.exec(devDependencies["workerd-of-executable"]) ?? [];
  expect(oldRuntimeWarning(runtime, new Date("2036-11-17"))).toContain(`${runtime}, is 3`);
  expect(oldRuntimeWarning("1.20261117.1", new Date("2027-02-15T23:00:00Z"))).toBeNull();
  expect(oldRuntimeWarning("1.20261117.1", new Date("2027-02-16"))).toContain("1.20261117.1, is 91 days old");
});
