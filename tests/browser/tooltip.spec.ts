import { expect, test } from "./technician.ts";

test("the next tooltip comes at once for 300 ms after one has closed, and then waits again", async ({
  technician: { page, addEntries },
}) => {
  await addEntries({});
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/profile", { waitUntil: "networkidle" });
  // The script comes with the first head that the mouse is over, and is at work once a name shows.
  const last = page.locator("[data-tip]").last();
  await last.hover();
  await expect(last).toContainClass("tip");
  await page.mouse.move(0, 0);
  /** Enters and leaves as a pointer does, at moments of our own, and says how long the second one waits. */
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
