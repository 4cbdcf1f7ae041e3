import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const SIGNED_IN = ["app/styles.css", "app/signed-in.css"];
const LOG = ["app/every-page.css", "app/every-signed-in-page.css"];
/** The style sheets that pages carry together. */
const PAGES = [
  [...SIGNED_IN, "app/dialogs.css"],
  [...LOG, "app/profile.css", "app/ui/plate.css", "app/dialogs.css", "app/records/rare.css"],
  [...LOG, "app/rope-hours.css", "app/ui/plate.css", "app/dialogs.css", "app/records/rare.css"],
  [...LOG, "app/evidence/evidence.css", "app/dialogs.css", "app/records/rare.css"],
  ["app/styles.css", "app/accounts/auth.css"],
  ["app/styles.css", "app/verification/notices/mailbox.css"],
  [...SIGNED_IN, "app/dialogs.css", "app/admin/admin.css"],
  [...SIGNED_IN, "app/dialogs.css", "app/records/gauge.css", "app/admin/person/person.css"],
  [...SIGNED_IN, "app/accounts/account.css"],
  [...SIGNED_IN, "app/corrections/record-screen.css"],
  [
    ...[...SIGNED_IN, "app/dialogs.css", "app/corrections/record-screen.css"],
    ...["app/verification/records.css", "app/verification/requests/request-screen.css"],
  ],
  [...SIGNED_IN, "app/verification/requests/new-request.css"],
  [...SIGNED_IN, "app/certification/target-form.css"],
  [...SIGNED_IN, "app/transfer/preview.css"],
  ["app/styles.css", "app/verification/requests/list-screen.css"],
  ["app/styles.css", "app/verification/answer/verify.css"],
  ["app/styles.css", "app/verification/answer/verify.css", "app/verification/answer/several.css"],
  [
    ...["app/styles.css", "app/verification/answer/verify.css", "app/verification/answer/several.css"],
    ...["app/verification/notices/mailbox.css", "app/verification/answer/crew.css"],
  ],
  ["app/styles.css", "app/verification/answer/verify.css", "app/verification/answer/answered.css"],
  ["app/styles.css", "app/verification/look.css", "app/verification/records.css"],
  ["app/offline/offline.css"],
  ["app/proof/check.css"],
  ["app/certification/progress.css", "app/certification/summary.css"],
  ["app/pdf/print.css"],
];

const sheets = readdirSync("app", { recursive: true, encoding: "utf8" })
  .map((file) => join("app", file))
  .filter((file) => file.endsWith(".css"));

const textOf = (file: string) => readFileSync(file, "utf8").replace(/\/\*.*?\*\//gs, "");

/** A sheet and those that it imports. */
const withImports = (sheet: string): string[] => [
  sheet,
  ...[...textOf(sheet).matchAll(/@import "(.*?)";/g)].flatMap(([, file = ""]) =>
    withImports(join(dirname(sheet), file)),
  ),
];

// Catches a component's sheet that no page carries, and one whose rules a page carries twice.
test("every style sheet is joined into one that pages carry, once", () => {
  const carried = PAGES.map((entries) => entries.flatMap(withImports));
  for (const page of carried) expect([...new Set(page)]).toEqual(page);
  expect([...new Set(carried.flat())].sort()).toEqual(sheets.sort());
});

// Catches a rule that means another column when columns are reordered: hours were labelled so, and widths set.
test("no rule selects a cell by its position", () => {
  const byPosition = sheets.flatMap((file) =>
    (textOf(file).match(/[^{};]*:(nth|first|last|only)-[\w-]+[^{]*/g) ?? []).map(
      (selector) => `${file} ${selector.trim()}`,
    ),
  );
  expect(byPosition).toEqual([]);
});
