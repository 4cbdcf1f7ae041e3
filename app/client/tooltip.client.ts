/** A tooltip's delay, and how long after one has closed the next opens at once, in milliseconds (spec section 9). */
const OPEN_DELAY_MS = 700;
const SKIP_WINDOW_MS = 300;

/**
 * Shows the text of `data-tip` while the pointer is over its element, by the class `tip`.
 * @param since when the pointer came over the element that caused this script to load, on the page's clock
 */
export function startTooltips(since: number): void {
  let timer: ReturnType<typeof setTimeout>;
  let closedAt = Number.NEGATIVE_INFINITY;
  for (const element of document.querySelectorAll("[data-tip]")) {
    const open = (delay: number) => {
      timer = setTimeout(() => element.classList.add("tip"), delay);
    };
    element.addEventListener("pointerenter", ({ timeStamp }) => {
      open(timeStamp - closedAt < SKIP_WINDOW_MS ? 0 : OPEN_DELAY_MS);
    });
    if (element.matches(":hover")) open(OPEN_DELAY_MS - (performance.now() - since));
    element.addEventListener("pointerleave", ({ timeStamp }) => {
      clearTimeout(timer);
      if (element.classList.contains("tip")) closedAt = timeStamp;
      element.classList.remove("tip");
    });
  }
}
