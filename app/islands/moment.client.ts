import { savesData } from "#app/ui/save-data.client.ts";

/**
 * When an island is brought to life: at once, when the browser has nothing better to do, when it comes into view, when
 * somebody first touches it, or for `intent` when they are about to: a pointer is over it, where no data is to be saved.
 */
export type Moment = "load" | "idle" | "visible" | "interaction" | "intent";

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
    case "intent":
      return touched(island, ...(savesData() ? [] : ["pointerover"]));
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

function touched(island: HTMLElement, ...more: string[]): Promise<unknown> {
  // Somebody may have been quicker than this script.
  if (island.matches(":focus-within")) return Promise.resolve();
  return new Promise((resolve) => {
    for (const type of ["pointerdown", "focusin", "keydown", ...more])
      island.addEventListener(type, resolve, { once: true });
  });
}
