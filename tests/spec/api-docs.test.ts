import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CALLS } from "#tests/worker/calls.ts";
import { nameOf } from "#tests/worker/make-call.ts";

// Catches a call that docs/api.md does not describe, and a description of a call that no longer exists.
test("docs/api.md describes the calls that are tested, and no others", () => {
  const described = [...readFileSync("docs/api.md", "utf8").matchAll(/^\| `([A-Z]+ \/api[^`]*)`/gm)];
  const names = described.map(([, call = ""]) => call.replace(/\{.*?\}/, "{id}"));
  expect(names.sort()).toEqual(CALLS.map(nameOf).sort());
});
