import { SOON, TAB_RULE } from "#app/server/tab-rule.ts";

/** How long a tab that was fetched beforehand may wait to be opened: longer, and it would be older than it looks. */
const FRESH_MS = 10_000;

/**
 * Fetches the tab that the mouse is over, so that it opens at once: the signed-in person's own sections, and no other
 * address. As a speculation rule its copy belongs to this page alone, so what is saved from here is followed by a fresh
 * one; it is dropped when it was not wanted within seconds and when the page is left. Where the browser saves data, or
 * knows no such rules, nothing is fetched.
 */
export function startPrefetching(): void {
  let soon: Element | null = null;
  let rule: HTMLScriptElement | null = null;
  let timer: ReturnType<typeof setTimeout>;
  const drop = () => {
    clearTimeout(timer);
    soon?.classList.remove(SOON);
    rule?.remove();
    soon = null;
  };
  const over = (target: EventTarget | null) => {
    const link = target instanceof Element && target.closest(".top nav a:not([aria-current])");
    if (!link || link === soon) return;
    drop();
    soon = link;
    soon.classList.add(SOON);
    rule = document.createElement("script");
    rule.type = "speculationrules";
    rule.textContent = TAB_RULE;
    document.head.appendChild(rule);
    timer = setTimeout(drop, FRESH_MS);
  };
  addEventListener("pointerover", ({ target }) => over(target));
  // A page that Back brings to life again starts anew.
  addEventListener("pagehide", drop);
  // The mouse may have moved on since it brought this script.
  over(document.querySelector(".top nav a:hover"));
}
