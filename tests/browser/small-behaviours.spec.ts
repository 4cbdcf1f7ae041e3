import { expect, PASSWORD, REFUSED_PAGE, test, unfold } from "./technician.ts";

test("Copy link copies, says Copied, and after 2 seconds shows its own label again", async ({
  technician: { page, addEntries, request },
  context,
  baseURL,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const [entry] = await addEntries({});
  const path = await request(entry?.id ?? 0);
  await page.clock.install();
  await page.goto(`/profile?request=${entry?.id}&link=1`);
  await page.clock.pauseAt(Date.now() + 10 * 60_000);
  await page.getByRole("button", { name: "Copy link" }).click();
  const copied = page.getByRole("button", { name: "Copied" });
  await expect(copied).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseURL}${path}`);
  await page.clock.runFor(1_900);
  await expect(copied).toBeVisible();
  await page.clock.runFor(200);
  await expect(page.getByRole("button", { name: "Copy link" })).toBeVisible();
});

test("without a clipboard API Copy link still copies", async ({
  technician: { page, addEntries, request },
  context,
  baseURL,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const [entry] = await addEntries({});
  const path = await request(entry?.id ?? 0);
  await page.addInitScript(() => {
    if (!navigator.clipboard) return; // about:blank has none
    navigator.clipboard.writeText = () => Promise.reject(new Error("not here"));
  });
  await page.goto(`/profile?request=${entry?.id}&link=1`);
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseURL}${path}`);
});

test("a button shows its progress until the response arrives, and a second press sends nothing", async ({
  consoleErrors,
  technician: { page },
}) => {
  consoleErrors.expect(REFUSED_PAGE);
  await page.context().clearCookies();
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await page.goto("/auth", { waitUntil: "networkidle" });
  await page.getByLabel("Email").fill("nobody@example.com");
  await page.getByLabel("Password").fill("wrong");
  // The page leaves before Playwright could look, so the page itself looks and presses again.
  await page.evaluate(() => {
    const button = document.querySelector<HTMLElement>("[data-busy]");
    addEventListener(
      "submit",
      () => {
        setTimeout(() => {
          sessionStorage.setItem("said", button?.textContent ?? "");
          button?.click();
        });
      },
      { once: true },
    );
  });
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("alert")).toHaveText("Invalid email or password");
  expect(await page.evaluate(() => sessionStorage.getItem("said"))).toBe("Logging in...");
  expect(sent).toHaveLength(1);
});

test.describe("in another time zone than the server's", () => {
  test.use({ timezoneId: "Pacific/Kiritimati" });

  // A tab that was left open logged the next day's work on the day before.
  test("a form that nobody has touched takes the new day when the tab comes back; a touched one keeps its day", async ({
    technician: { page },
  }) => {
    const comeBackAt = async (instant: string) => {
      await page.clock.setFixedTime(instant);
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    };
    const date = page.getByLabel("Job Date");
    await page.clock.setFixedTime("2026-11-20T12:00:00+14:00");
    await page.goto("/profile");
    await expect(date).toHaveValue("2026-11-20");
    await comeBackAt("2026-11-21T00:10:00+14:00");
    await expect(date).toHaveValue("2026-11-21");
    await expect(page.locator("time[data-today]")).toHaveAttribute("datetime", "2026-11-21");
    await comeBackAt("2026-11-22T07:00:00+14:00");
    await expect(date).toHaveValue("2026-11-22");
    await page.getByLabel("Job Location").fill("Dock 4");
    await comeBackAt("2026-11-23T07:00:00+14:00");
    await expect(page.locator("time[data-today]")).toHaveAttribute("datetime", "2026-11-23");
    await expect(date).toHaveValue("2026-11-22");
  });

  test("today is the technician's own day, in the first row, in a new row and in the signature", async ({
    technician: { page },
  }) => {
    await page.goto("/profile");
    const today = await page.evaluate(() => new Intl.DateTimeFormat("sv-SE").format(new Date()));
    await expect(page.getByLabel("Job Date")).toHaveValue(today);
    await page.getByRole("button", { name: "Yesterday" }).click();
    await page.getByRole("button", { name: "Today" }).click();
    await expect(page.getByLabel("Job Date")).toHaveValue(today);
    await expect(page.locator("time[data-today]")).toHaveAttribute("datetime", today);
  });
});

test("Escape closes the dialog", async ({ technician: { page, addEntries } }) => {
  const [entry] = await addEntries({});
  await page.goto(`/profile?request=${entry?.id}`, { waitUntil: "networkidle" });
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(`/profile?at=${entry?.id}`);
});

test("Escape closes the account's menu and gives the focus back", async ({ technician: { page } }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/profile");
  const menu = page.locator(".menu");
  await menu.locator("summary").click();
  await menu.getByRole("link", { name: "Supervisors" }).focus();
  await page.keyboard.press("Escape");
  await expect(menu).not.toHaveAttribute("open");
  await expect(menu.locator("summary")).toBeFocused();
});

test("a toast closes after 5 seconds and waits while the pointer is over it", async ({
  technician: { email },
  supervisor: page,
}) => {
  await page.goto("/auth");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Log in" }).click();
  const toast = page.getByRole("status");
  await toast.hover();
  const animation = () =>
    toast.evaluate((element) => {
      const [playing] = element.getAnimations();
      return { state: playing?.playState, duration: playing?.effect?.getComputedTiming().duration };
    });
  expect(await animation()).toEqual({ state: "paused", duration: 5_000 });
  await page.mouse.move(0, 0);
  expect((await animation()).state).toBe("running");
  await toast.evaluate((element) => element.getAnimations()[0]?.finish());
  await expect(toast).toBeHidden();
});

test("a method's name shows after 700 ms, and at once if another tooltip has closed less than 300 ms ago", async ({
  technician: { page, addEntries },
}) => {
  await addEntries({});
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.clock.install();
  await page.goto("/profile", { waitUntil: "networkidle" });
  await page.clock.pauseAt(Date.now() + 10 * 60_000);
  const head = (name: string) => page.locator("th", { hasText: new RegExp(`^${name}$`) });
  const tip = (name: string) => head(name).evaluate((cell) => getComputedStyle(cell, "::after").content);
  // The script loads when the pointer first enters a column heading; once a name shows, it is running.
  await head("LSI").hover();
  await head("RT").hover();
  const later = () => page.clock.runFor(100).then(() => tip("RT"));
  await expect.poll(later).toBe('"Radiographic Testing"');
  await page.mouse.move(0, 0);
  await page.clock.runFor(2_000);
  await head("ET").hover();
  await page.clock.runFor(699);
  expect(await tip("ET")).toBe("none");
  await page.clock.runFor(1);
  expect(await tip("ET")).toBe('"Eddy Current Testing"');
  await head("MT").hover();
  await page.clock.runFor(1);
  expect(await tip("MT")).toBe('"Magnetic Particle Testing"');
  expect(await tip("ET")).toBe("none");
  /**
   * Enters and leaves headings at chosen times, and returns how long the second one waits. Time itself is tested here,
   * so `setTimeout` is replaced and its delays are recorded; nothing waits.
   */
  const delayAfter = (pause: number) =>
    page.evaluate((gap) => {
      const [first, second] = document.querySelectorAll("[data-tip]");
      const delays: (number | undefined)[] = [];
      const real = window.setTimeout;
      window.setTimeout = ((_: unknown, delay?: number) => delays.push(delay)) as unknown as typeof window.setTimeout;
      const send = (element: Element | undefined, type: string, at: number) => {
        const event = new PointerEvent(type);
        Object.defineProperty(event, "timeStamp", { value: at });
        element?.dispatchEvent(event);
      };
      send(first, "pointerenter", 1_000);
      first?.classList.add("tip"); // its 700 ms are over
      send(first, "pointerleave", 2_000);
      send(second, "pointerenter", 2_000 + gap);
      send(second, "pointerleave", 2_000 + gap);
      window.setTimeout = real;
      return delays.at(-1);
    }, pause);
  expect(await delayAfter(299)).toBe(0);
  expect(await delayAfter(300)).toBe(700);
});

const PASSWORD_FORMS = [
  { path: "/auth", fields: ["Password"], signedOut: true },
  { path: "/auth?tab=register", fields: ["Password"], signedOut: true },
  {
    path: "/account",
    sections: ["Email address", "Password"],
    fields: ["Your Password", "Current Password", "New Password", "Confirm Password"],
  },
];

for (const { path, sections = [], fields, signedOut } of PASSWORD_FORMS) {
  test(`${path}: a button shows the password, with a finger's height, and the form hides it again`, async ({
    technician: { page },
  }) => {
    if (signedOut) await page.context().clearCookies();
    await page.goto(path);
    for (const section of sections) await unfold(page, section);
    const show = page.getByRole("button", { name: "Show password" });
    await expect(show).toHaveCount(fields.length);
    for (const [index, label] of fields.entries()) {
      const field = page.getByLabel(label, { exact: true });
      const button = show.nth(index);
      await field.fill("correct horse");
      await expect(button).toHaveAttribute("aria-pressed", "false");
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(48);
      await button.click();
      await expect(field).toHaveAttribute("type", "text");
      await expect(button).toHaveAttribute("aria-pressed", "true");
      await button.click();
      await expect(field).toHaveAttribute("type", "password");
      await button.click();
      await field.evaluate((input: HTMLInputElement) => {
        input.form?.addEventListener("submit", (event) => event.preventDefault());
        input.form?.requestSubmit();
      });
      await expect(field).toHaveAttribute("type", "password");
    }
  });
}

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("no button shows the password", async ({ page }) => {
    await page.goto("/auth");
    await expect(page.getByLabel("Password")).toBeVisible();
    await expect(page.getByRole("button", { name: "Show password" })).toBeHidden();
  });
});

test.describe("in Tokyo", () => {
  test.use({ timezoneId: "Asia/Tokyo" });

  test("a record's history has the times of the browser's own zone", async ({ technician: { page, addEntries } }) => {
    const [entry] = await addEntries({});
    await page.goto(`/profile/record/${entry?.id}`);
    const time = page.locator("time[datetime$=Z]").first();
    const at = new Date((await time.getAttribute("datetime")) ?? "");
    const hour = new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Tokyo", timeStyle: "short" }).format(at);
    await expect(time).toHaveText(new RegExp(`, ${hour}$`));
  });
});

// Screen readers announce what changes inside a live region, not a region that a page begins with.
test("a toast is announced: its text arrives after its live region, and nothing takes the focus", async ({
  technician: { page },
}) => {
  await page.addInitScript(() => {
    addEventListener("DOMContentLoaded", () => {
      const region = document.querySelector("[role=status]");
      const seen = [region?.textContent ?? ""];
      Object.assign(window, { seen });
      if (region) new MutationObserver(() => seen.push(region.textContent ?? "")).observe(region, { childList: true });
    });
  });
  await page.goto("/profile");
  await page.getByLabel("Job Location").fill("Hangar 7");
  await page.getByLabel("NDT Method").selectOption("MT");
  await page.getByLabel("Hours", { exact: true }).fill("7,5");
  await page.getByRole("button", { name: "Save Entries" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Entries added" })).toBeVisible();
  const seen = () => page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  await expect.poll(async () => (await seen()).slice(-1)[0]).toContain("Entries added");
  expect(await seen()).toContain("");
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
  await expect(page.locator(".toast")).toBeHidden({ timeout: 8_000 });
});

test("a target of a preset is saved on the first screens of a phone: its sources and its editor are folded", async ({
  technician: { page },
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/progress/targets/new?preset=snt-tc-1a-level-2-direct-ut");
  const save = page.getByRole("button", { name: "Save Target" });
  expect((await save.boundingBox())?.y).toBeLessThan(2 * 740);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3 * 740);
  await expect(page.getByLabel("Title").first()).toBeHidden();
  await save.click();
  await expect(page.getByRole("heading", { name: /^SNT-TC-1A, UT/ })).toBeVisible();
});
