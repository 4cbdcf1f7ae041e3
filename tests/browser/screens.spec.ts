import { readdirSync } from "node:fs";
import { ACCOUNT } from "./accessibility/account.ts";
import { ADMIN } from "./accessibility/admin.ts";
import { EVIDENCE } from "./accessibility/evidence.ts";
import { LINKS } from "./accessibility/links.ts";
import { LOG } from "./accessibility/log.ts";
import { PROGRESS } from "./accessibility/progress.ts";
import { RECORDS } from "./accessibility/records.ts";
import { REQUESTS } from "./accessibility/requests.ts";
import { ROPE_HOURS } from "./accessibility/rope-hours.ts";
import { SIGN_IN } from "./accessibility/sign-in.ts";
import type { States } from "./accessibility/states.ts";
import { SUPERVISORS } from "./accessibility/supervisors.ts";
import { TELLING } from "./accessibility/telling.ts";
import { TRANSFER } from "./accessibility/transfer.ts";
import { showFixedText } from "./fixed-text.ts";
import { expect, REFUSED_PAGE, test } from "./technician.ts";

// The pages that refuse a form or an address are part of what is tested here.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(REFUSED_PAGE));

/*
 * Each screen looks like its picture in tests/browser/screens/. `npm test -- keep-screens` stores new pictures where a
 * screen has changed: look at them before you commit them. No other command stores one, and a missing one fails.
 *
 * Text is drawn as bars in its colour, and fixed-text.ts replaces what differs from run to run, so that the pictures do
 * not depend on the machine's fonts. They do not check letters: other tests read the text.
 */

const dayOf2026 = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);

const STATES: States = {
  ...SIGN_IN,
  ...LOG,
  ...LINKS,
  ...ROPE_HOURS,
  ...RECORDS,
  ...REQUESTS,
  ...PROGRESS,
  ...EVIDENCE,
  ...ACCOUNT,
  ...ADMIN,
  ...SUPERVISORS,
  ...TELLING,
  ...TRANSFER,
  "a log of a hundred entries": async (page, { addEntries }) => {
    await addEntries(...Array.from({ length: 110 }, (_, row) => ({ date: dayOf2026(row), hours: 1 + (row % 9) })));
    await page.goto("/profile");
    await expect(page.getByRole("link", { name: "Older entries" })).toBeVisible();
  },
};

/** The states of the accessibility tests that have a picture, each with the name of its files. */
const SCREENS: Record<string, string> = {
  login: "login",
  "login failed": "login-failed",
  register: "register",
  "the not-found page": "not-found",
  "an empty log": "log-empty",
  "a log with a verified entry": "log",
  "a filtered log": "log-filtered",
  "new entries, refused": "log-refused",
  "the request dialog": "request",
  "the request dialog, refused": "request-refused",
  "the link dialog": "link",
  "the print page": "print",
  "the supervisor's page": "verify",
  "one's own link": "verify-own",
  "a used link and its verification": "verified",
  "a link whose request was withdrawn": "verify-withdrawn",
  "no rope hours": "rope-empty",
  "the history of rope hours": "rope",
  "rope hours, refused": "rope-refused",
  "the supervisor's page of rope hours": "verify-rope",
  "a record with an open request": "record-requested",
  "a verified record": "record-verified",
  "editing an entry with an open request": "edit",
  "editing an entry that was changed meanwhile": "edit-conflict",
  "the dialog that asks before deleting an entry": "delete",
  "progress without a target": "progress-empty",
  "a year of hours": "progress-year",
  "progress towards a target": "progress",
  "the printed summary of progress": "progress-print",
  "training, with courses": "training",
  "an upload": "import",
  "an import with problems and duplicates": "import-preview",
  "an import that was applied": "import-applied",
  "the account": "account",
  "deleting the account, refused": "account-delete",
  "the admin's rope hours, of one user": "admin-rope",
  "no supervisors": "supervisors-empty",
  "the supervisors": "supervisors",
  "editing a supervisor, refused": "supervisor-refused",
  "a log of a hundred entries": "log-hundred",
  "the list of requests": "requests",
  "a new request, refused": "request-new",
  "a request that was answered in part": "request-answered",
  "a supervisor's page of several records": "verify-several",
  "several answers": "success-several",
  "the inbox of an address, before the link is sent": "inbox",
  "the inbox of an address": "inbox-waiting",
  "records to disown": "disown",
  "records to confirm": "confirm",
  "a link that stops all emails": "unsubscribe",
  "a page that does not take a form": "not-taken",
};

/** A tall phone, so that a picture shows the log below the form. */
const SIZES = [
  { width: 360, height: 1300 },
  { width: 1280, height: 1050 },
];
const SCHEMES = ["light", "dark"] as const;

/** `npm test` looks at the phone by day, `npm run safe` at all four pictures of a screen. */
const isLookedAt = (width: number, scheme: string) => process.env.SAFE || (width === 360 && scheme === "light");

const pictureOf = (name: string, width: number, scheme: string) => `${name}-${width}-${scheme}.png`;

// The embedded font is a data URL.
test.use({ bypassCSP: true, reducedMotion: "reduce" });

// Each was seen to fail with a button in another colour, without the rows' tint, and with the filter below the table.
for (const [state, name] of Object.entries(SCREENS)) {
  test(`${state} looks like its pictures`, async ({ technician }) => {
    const { page } = technician;
    const reach = STATES[state];
    if (!reach) throw new Error(`The accessibility tests have no state "${state}".`);
    await reach(page, technician);
    await showFixedText(page);
    for (const { width, height } of SIZES) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of SCHEMES) {
        if (!isLookedAt(width, colorScheme)) continue;
        await page.emulateMedia({ colorScheme });
        await expect.soft(page).toHaveScreenshot(pictureOf(name, width, colorScheme));
      }
    }
  });
}

// A screen without its picture fails above.
test("every picture belongs to a screen", () => {
  const pictures = Object.values(SCREENS).flatMap((name) =>
    SIZES.flatMap(({ width }) => SCHEMES.map((scheme) => pictureOf(name, width, scheme))),
  );
  expect(readdirSync("tests/browser/screens").filter((name) => !pictures.includes(name))).toEqual([]);
});
