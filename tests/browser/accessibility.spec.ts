import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { ACCOUNT } from "./accessibility/account.ts";
import { ADMIN } from "./accessibility/admin.ts";
import { EVIDENCE } from "./accessibility/evidence.ts";
import { EXPORTS } from "./accessibility/exports.ts";
import { LINKS } from "./accessibility/links.ts";
import { LOG } from "./accessibility/log.ts";
import { PROGRESS } from "./accessibility/progress.ts";
import { RECORDS } from "./accessibility/records.ts";
import { REQUESTS } from "./accessibility/requests.ts";
import { ROPE_HOURS } from "./accessibility/rope-hours.ts";
import { SIGN_IN } from "./accessibility/sign-in.ts";
import type { States } from "./accessibility/states.ts";
import { SUPERVISORS } from "./accessibility/supervisors.ts";
import { TARGETS } from "./accessibility/targets.ts";
import { TELLING } from "./accessibility/telling.ts";
import { TRANSFER } from "./accessibility/transfer.ts";
import { expect, REFUSED_PAGE, test } from "./technician.ts";

// The pages that refuse a form or an address are part of what is tested here.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(REFUSED_PAGE));

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

/** Every page and state of the app, checked with axe. */
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
  ...TELLING,
  ...TRANSFER,
  ...TARGETS,
};

for (const [index, [state, reach]] of Object.entries(STATES).entries()) {
  test(`${state} has no accessibility violation on any screen`, async ({ technician }) => {
    const { page } = technician;
    await reach(page, technician);
    for (const { colorScheme, width } of screensOf(index)) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 800 });
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      expect(violations, `${state}, ${width} px, ${colorScheme}`).toEqual([]);
      await expectNoSidewaysScroll(page, `${state} at ${width} px`);
    }
    for (const { width, text } of LARGE) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate((size) => document.documentElement.style.setProperty("font-size", size), text);
      await expectNoSidewaysScroll(page, `${state} at ${width} px with text of ${text}`);
    }
  });
}
