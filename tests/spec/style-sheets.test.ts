import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** The style sheets that pages carry. */
const ENTRIES = [
  "app/styles.css",
  "app/signed-in.css",
  "app/accounts/auth.css",
  "app/corrections/record-screen.css",
  "app/dialogs.css",
  "app/verification/confirm/several.css",
  "app/verification/confirm/verify.css",
  "app/verification/sums.css",
  "app/pdf/print.css",
];

const sheets = readdirSync("app", { recursive: true, encoding: "utf8" })
  .map((file) => join("app", file))
  .filter((file) => file.endsWith(".css"));

const textOf = (file: string) => readFileSync(file, "utf8").replace(/\/\*.*?\*\//gs, "");

// Catches a component's sheet that no page carries, and one whose rules a page carries twice.
test("every style sheet is joined into one that pages carry, once", () => {
  const joined = ENTRIES.flatMap((entry) =>
    [...textOf(entry).matchAll(/@import "(.*?)";/g)].map(([, file = ""]) => join(dirname(entry), file)),
  );
  expect([...ENTRIES, ...joined].sort()).toEqual(sheets.sort());
});

// Catches a rule that means another column when columns are reordered: hours were labelled so, and widths set.
test("no rule selects a cell by its position", () => {
  const byPosition = sheets.flatMap((file) =>
    (textOf(file).match(/[^{};]*:(nth|first|last|only)-[\w-]+[^{]*/g) ?? []).map(
      (selector) => `${file} ${selector.trim()}`,
    ),
  );
  // Every second row is shaded.
  expect(byPosition).toEqual(["app/pdf/print.css .ojt-form tbody tr:nth-child(even):not(.totals)"]);
});
