/**
 * When an island is brought to life: at once, when the browser has nothing better to do, when it comes into view, or
 * when somebody first touches it.
 */
export type Moment = "load" | "idle" | "visible" | "interaction";

/** Resolves when the island's moment has come. A moment that nobody knows has come already. */
export function momentOf(island: HTMLElement): Promise<unknown> {
  switch (island.dataset.when) {
    case "idle":
      // Safari has no idle callback.
      return new Promise((resolve) => (self.requestIdleCallback ?? setTimeout)(resolve));
    case "visible":
      return seen(island.firstElementChild ?? island);
    case "interaction":
      return touched(island);
    default:
      return Promise.resolve();
  }
}

/** The island's first element is watched: the island itself may have no box (`display: contents`). */
function seen(element: Element): Promise<void> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(element);
  });
}

function touched(island: HTMLElement): Promise<unknown> {
  // Somebody may have been quicker than this script.
  if (island.matches(":focus-within")) return Promise.resolve();
  return new Promise((resolve) => {
    for (const type of ["pointerdown", "focusin", "keydown"]) island.addEventListener(type, resolve, { once: true });
  });
}
