/**
 * Holds clicks on an island's buttons until it is hydrated. The returned function repeats the last one. Enter in a field
 * counts too: it clicks the form's first submit button.
 * @param root the island, or the document before the islands' script has loaded
 */
export function holdClicks(root: HTMLElement | Document): () => void {
  // By index, because React replaces elements that do not match the server's.
  const buttons = () => [...root.querySelectorAll<HTMLElement>("[data-island] button")];
  let held = -1;
  const setBusy = (ariaBusy: string | null) => {
    const island = buttons()[held]?.closest("[data-island]");
    if (island) island.ariaBusy = ariaBusy;
  };
  const hold = (event: Event) => {
    const button = event.target instanceof Element && event.target.closest<HTMLElement>("[data-island] button");
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held = buttons().indexOf(button);
    setBusy("true");
  };
  const release = () => {
    root.removeEventListener("click", hold, true);
    setBusy(null);
    buttons()[held]?.click();
    held = -1;
  };
  root.addEventListener("click", hold, true);
  setTimeout(release, 8_000); // how long a click waits for its island: after that the plain HTML handles it
  return release;
}
