/** How long a tab that was fetched beforehand may wait to be opened: longer, and it would be older than it looks. */
const FRESH_MS = 10_000;

/**
 * Fetches the tab that the mouse is over, so that it opens at once: the signed-in person's own sections, and no other
 * address. As a speculation rule it belongs to this page alone, so what is saved from here is followed by a fresh copy;
 * it is dropped when it was not wanted within seconds, when the page is left, and where the browser saves data or
 * knows no such rules nothing is fetched.
 */
export function startPrefetching(): void {
  const fetched = new Map<string, HTMLScriptElement>();
  const over = (target: EventTarget | null) => {
    const link = target instanceof Element && target.closest<HTMLAnchorElement>(".top nav a:not([aria-current])");
    if (!link || fetched.has(link.href)) return;
    const rule = document.createElement("script");
    rule.type = "speculationrules";
    rule.textContent = JSON.stringify({ prefetch: [{ urls: [link.href], eagerness: "immediate" }] });
    document.head.appendChild(rule);
    fetched.set(link.href, rule);
    setTimeout(drop, FRESH_MS, link.href);
  };
  const drop = (href: string) => {
    fetched.get(href)?.remove();
    fetched.delete(href);
  };
  addEventListener("pointerover", ({ target }) => over(target));
  // A page that Back brings to life again starts anew.
  addEventListener("pagehide", () => [...fetched.keys()].forEach(drop));
  // The mouse may have moved on since it brought this script.
  over(document.querySelector(".top nav a:hover"));
}
