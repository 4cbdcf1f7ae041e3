import { readdirSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { ACCOUNT } from "./accessibility/account.ts";
import { ADMIN } from "./accessibility/admin.ts";
import { EVIDENCE } from "./accessibility/evidence.ts";
import { EXPORTS } from "./accessibility/exports.ts";
import { LINKS } from "./accessibility/links.ts";
import { LOG } from "./accessibility/log.ts";
import { MAILBOX } from "./accessibility/mailbox.ts";
import { PROGRESS } from "./accessibility/progress.ts";
import { RECORDS } from "./accessibility/records.ts";
import { REQUESTS } from "./accessibility/requests.ts";
import { ROPE_HOURS } from "./accessibility/rope-hours.ts";
import { SIGN_IN } from "./accessibility/sign-in.ts";
import type { States } from "./accessibility/states.ts";
import { SUPERVISORS } from "./accessibility/supervisors.ts";
import { TARGETS } from "./accessibility/targets.ts";
import { TRANSFER } from "./accessibility/transfer.ts";
import { showFixedText } from "./fixed-text.ts";
import { expect, REFUSED_PAGE, test } from "./technician.ts";

// The pages that refuse a form or an address are part of what is tested here.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(REFUSED_PAGE));

/*
 * Every page and state of the app is visited once, checked with axe, and most look like their picture in
 * tests/browser/screens/. `npm test -- keep-screens` stores new pictures where a screen has changed: look at them before you
 * commit them. No other command stores one, and a missing one fails.
 *
 * In a picture text is drawn as bars in its colour, and fixed-text.ts replaces what differs from run to run, so that the
 * pictures do not depend on the machine's fonts. They do not check letters: other tests read the text.
 */

/**
 * `npm run safe` checks each state at both widths in both themes. `npm test` checks it on one of these four screens, and
 * the next state on the next one: colours and components are shared, so each is seen on all four.
 */
const SCREENS = (["light", "dark"] as const).flatMap((colorScheme) =>
  [360, 1280].map((width) => ({ colorScheme, width })),
);

function screensOf(index: number): typeof SCREENS {
  return SCREENS.filter((_, screen) => process.env.SAFE || screen === index % SCREENS.length);
}

/** Text of twice the size on a phone, as its settings make it, and the narrowest phone (WCAG 1.4.4 and 1.4.10). */
const LARGE = [
  { width: 360, text: "200%" },
  { width: 320, text: "100%" },
  { width: 320, text: "200%" },
];

/** Names the elements that are too wide. */
async function expectNoSidewaysScroll(page: Page, where: string): Promise<void> {
  const wide = await page.evaluate(() => {
    if (document.documentElement.scrollWidth <= window.innerWidth) return [];
    const isOutside = (element: Element) => element.getBoundingClientRect().right > window.innerWidth + 1;
    return [...document.querySelectorAll("body *")].filter(isOutside).map(({ outerHTML }) => outerHTML.slice(0, 80));
  });
  expect(wide, `${where} scrolls sideways`).toEqual([]);
}

/** Every page and state of the app. */
const STATES: States = {
  ...SIGN_IN,
  ...LOG,
  ...LINKS,
  ...ROPE_HOURS,
  ...EVIDENCE,
  ...RECORDS,
  ...PROGRESS,
  ...REQUESTS,
  ...ACCOUNT,
  ...EXPORTS,
  ...ADMIN,
  ...SUPERVISORS,
  ...MAILBOX,
  ...TRANSFER,
  ...TARGETS,
};

/** The states that have a picture, each with the name of its files. */
const PICTURES: Record<string, string> = {
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
  "an answered link, with the ways back": "verify-answered",
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

/** Its rows are those of other states, and axe takes seconds for a hundred of them. */
const LONGEST = "a log of a hundred entries";

test.use({ reducedMotion: "reduce" });

for (const [index, [state, reach]] of Object.entries(STATES).entries()) {
  const picture = PICTURES[state];
  test(`${state} has no accessibility violation${picture ? " and looks like its pictures" : ""}`, async ({
    technician,
  }, { config }) => {
    const { page } = technician;
    await reach(page, technician);
    const isTried = config.updateSnapshots === "none" && state !== LONGEST;
    if (isTried) await expectAccessible(page, state, screensOf(index));
    if (picture) await expectPictures(page, picture);
  });
}

async function expectAccessible(page: Page, state: string, screens: typeof SCREENS): Promise<void> {
  const size = page.viewportSize();
  const top = await page.evaluate(() => window.scrollY);
  for (const { colorScheme, width } of screens) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations, `${state}, ${width} px, ${colorScheme}`).toEqual([]);
    await expectNoSidewaysScroll(page, `${state} at ${width} px`);
  }
  const setText = (size: string) =>
    page.evaluate((size) => document.documentElement.style.setProperty("font-size", size), size);
  for (const { width, text } of LARGE) {
    await page.setViewportSize({ width, height: 800 });
    await setText(text);
    await expectNoSidewaysScroll(page, `${state} at ${width} px with text of ${text}`);
  }
  // As it was, for its picture.
  await setText("");
  if (size) await page.setViewportSize(size);
  await page.evaluate((top) => window.scrollTo(0, top), top);
}

// Each was seen to fail with a button in another colour, without the rows' tint, and with the filter below the table.
async function expectPictures(page: Page, name: string): Promise<void> {
  await showFixedText(page);
  for (const { width, height } of SIZES) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of SCHEMES) {
      if (!isLookedAt(width, colorScheme)) continue;
      await page.emulateMedia({ colorScheme });
      // How far the page behind a dialog is scrolled depends on the widths that it had before.
      await page.evaluate(() => document.querySelector("dialog[open]") && window.scrollTo(0, 0));
      await expect.soft(page).toHaveScreenshot(pictureOf(name, width, colorScheme));
    }
  }
}

// A state without its picture fails above.
test("every picture belongs to a state", () => {
  expect(Object.keys(PICTURES).filter((state) => !(state in STATES))).toEqual([]);
  const pictures = Object.values(PICTURES).flatMap((name) =>
    SIZES.flatMap(({ width }) => SCHEMES.map((scheme) => pictureOf(name, width, scheme))),
  );
  expect(readdirSync("tests/browser/screens").filter((name) => !pictures.includes(name))).toEqual([]);
});
