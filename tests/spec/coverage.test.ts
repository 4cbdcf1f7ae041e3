import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CALLS } from "#tests/worker/calls.ts";
import { nameOf } from "#tests/worker/make-call.ts";
import {
  CALL_LIST,
  CONSTANTS,
  FAILURE_MESSAGES,
  type Piece,
  type Place,
  ROUTES,
  SUCCESS_MESSAGES,
  VALIDATION_MESSAGES,
} from "./coverage.ts";

/*
 * Catches words of the specification that lose their place in the product, their test, or their line in the docs. It
 * reads files; that they pass is for the named tests to show.
 */

/** What a test may stand in; the last are the tables that test files run through. */
const IS_TEST = /\.(test|spec)\.tsx?$|^tests\/worker\/(calls|access)\.ts$/;

/** A file without the lines that are only a comment. */
function code(file: string): string {
  return readFileSync(file, "utf8").replace(/^\s*(\/\/|\/?\*).*$/gm, "");
}

const PRODUCT = readdirSync("app", { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !IS_TEST.test(file))
  .map((file) => code(`app/${file}`));

function holds([file, words]: Place): boolean {
  return existsSync(file) && code(file).includes(words);
}

function isInProduct({ spec, product, madeOf = [spec] }: Piece): boolean {
  return product ? holds(product) : PRODUCT.some((text) => madeOf.every((part) => text.includes(part)));
}

/** The lines of the docs, without the blanks that align a table. */
const DOCS = readFileSync("docs/specification.md", "utf8")
  .split("\n")
  .map((line) => line.replace(/ +/g, " "));

describe.each([
  ["route (section 2)", ROUTES],
  ["validation message (section 5)", VALIDATION_MESSAGES],
  ["call (section 7)", CALL_LIST],
  ["failure message (section 8)", FAILURE_MESSAGES],
  ["success message (section 8)", SUCCESS_MESSAGES],
  ["constant (section 9)", CONSTANTS],
])("%s", (_, pieces) => {
  test.each(pieces.map((piece): [string, Piece] => [piece.spec, piece]))("%s", (spec, piece) => {
    expect(isInProduct(piece), `the product has "${spec}"`).toBe(true);
    expect(piece.tests).not.toHaveLength(0);
    for (const place of piece.tests) {
      expect(place[0]).toMatch(IS_TEST);
      expect(holds(place), `${place[0]} has "${place[1]}"`).toBe(true);
    }
    const row = DOCS.find((line) => line.startsWith(`| ${spec} |`)) ?? "";
    for (const [file] of piece.tests) expect(row, `docs/specification.md, ${spec}`).toContain(file);
  });

  test("nothing is listed twice", () => {
    const all = pieces.map(({ spec }) => spec);
    expect(all.filter((spec, index) => all.indexOf(spec) !== index)).toEqual([]);
  });
});

test("the table of calls has the specification's, and beyond them what docs/api.md tells of", () => {
  const asIds = (call: string) => call.replace(/\{.*?\}/, "{id}");
  const calls = CALLS.map(nameOf).sort();
  const specified = CALL_LIST.map(({ spec }) => asIds(spec));
  const told = [...readFileSync("docs/api.md", "utf8").matchAll(/^\| `([A-Z]+ \/api[^`]*)`/gm)];
  expect(calls).toEqual(expect.arrayContaining(specified));
  expect(calls).toEqual(told.map(([, call = ""]) => asIds(call)).sort());
});
