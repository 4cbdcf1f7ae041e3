import { expect, test } from "./technician.ts";

test("the next tooltip shows at once within 300 ms after one has closed, and waits again after that", async ({
  technician: { page, addEntries },
}) => {
  await addEntries({});
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/profile", { waitUntil: "networkidle" });
  // The script loads when the pointer first enters a column heading; once a name shows, it is running.
  const last = page.locator("[data-tip]").last();
  await last.hover();
  await expect(last).toContainClass("tip");
  await page.mouse.move(0, 0);
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
