import { PREFETCH_CLASS, TAB_RULE } from "#app/server/tab-rule.ts";

/** How long a prefetched page may be used; after that it would be outdated. */
const MAX_AGE_MS = 10_000;

/**
 * Prefetches the header link that the mouse is over, by a speculation rule. A prefetched page is used by this document
 * only, so a page opened after a save is fetched again. The rule is removed after some seconds and when the page is left.
 * A browser that saves data or does not support speculation rules prefetches nothing.
 */
export function startPrefetching(): void {
  let current: Element | null = null;
  let rule: HTMLScriptElement | null = null;
  let timer: ReturnType<typeof setTimeout>;
  const drop = () => {
    clearTimeout(timer);
    current?.classList.remove(PREFETCH_CLASS);
    rule?.remove();
    current = null;
  };
  const over = (target: EventTarget | null) => {
    const link = target instanceof Element && target.closest(".top nav a:not([aria-current])");
    if (!link || link === current) return;
    drop();
    current = link;
    current.classList.add(PREFETCH_CLASS);
    rule = document.createElement("script");
    rule.type = "speculationrules";
    rule.textContent = TAB_RULE;
    document.head.appendChild(rule);
    timer = setTimeout(drop, MAX_AGE_MS);
  };
  addEventListener("pointerover", ({ target }) => over(target));
  // So that a page restored by Back starts without a rule.
  addEventListener("pagehide", drop);
  // The mouse may be over another link since this script was requested.
  over(document.querySelector(".top nav a:hover"));
}
