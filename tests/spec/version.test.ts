import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSION } from "#app/server/version.ts";

test("the app, package.json and the newest entry of CHANGELOG.md name the same version", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const [, newest] = /^## (\d+\.\d+\.\d+)/m.exec(readFileSync("CHANGELOG.md", "utf8")) ?? [];
  expect([VERSION, newest]).toEqual([version, version]);
});
