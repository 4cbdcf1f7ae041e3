/** How long a tooltip waits, and for how long after one has closed the next comes at once (spec section 9). */
const OPEN_DELAY_MS = 700;
const SKIP_WINDOW_MS = 300;

/** Shows the text of `data-tip` while its element is pointed at. The style sheet draws it beside `.tip`. */
export function startTooltips(): void {
  let timer: ReturnType<typeof setTimeout>;
  let closedAt = Number.NEGATIVE_INFINITY;
  for (const element of document.querySelectorAll("[data-tip]")) {
    element.addEventListener("pointerenter", ({ timeStamp }) => {
      const delay = timeStamp - closedAt < SKIP_WINDOW_MS ? 0 : OPEN_DELAY_MS;
      timer = setTimeout(() => element.classList.add("tip"), delay);
    });
    element.addEventListener("pointerleave", ({ timeStamp }) => {
      clearTimeout(timer);
      if (element.classList.contains("tip")) closedAt = timeStamp;
      element.classList.remove("tip");
    });
  }
}
