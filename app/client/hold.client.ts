/** How long a click waits for its island. After that the page's own HTML answers it. */
const PATIENCE_MS = 8_000;

/**
 * Keeps a click on an island's button until the island can answer it, the click that woke it included. The last one is
 * made again when the returned function is called. Enter in a field counts: it clicks the form's first submit button.
 * @param root the island, or the page while nothing of any island is there
 */
export function holdClicks(root: HTMLElement | Document): () => void {
  // By its index: React puts new elements there when the server's do not match.
  const buttons = () => [...root.querySelectorAll<HTMLElement>("[data-island] button")];
  let held = -1;
  const islandOf = (index: number) => buttons()[index]?.closest("[data-island]");
  const hold = (event: Event) => {
    const button = event.target instanceof Element && event.target.closest<HTMLElement>("[data-island] button");
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held = buttons().indexOf(button);
    islandOf(held)?.setAttribute("aria-busy", "true");
  };
  const release = () => {
    root.removeEventListener("click", hold, true);
    islandOf(held)?.removeAttribute("aria-busy");
    buttons()[held]?.click();
    held = -1;
  };
  root.addEventListener("click", hold, true);
  setTimeout(release, PATIENCE_MS);
  return release;
}
