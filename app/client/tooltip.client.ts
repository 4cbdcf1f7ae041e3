/** The delay of a tooltip, and how long after one has closed the next opens without delay, in milliseconds (spec section 9). */
const OPEN_DELAY_MS = 700;
const SKIP_WINDOW_MS = 300;

/**
 * Shows the text of `data-tip` while its element is pointed at. The style sheet draws it beside `.tip`.
 * @param since when the pointer that brought this script came over its element, on the page's clock
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
