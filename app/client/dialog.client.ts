/**
 * Makes Escape follow the dialog's close link. Keeps the row or link that opens a dialog at its place on the screen: the
 * next page, with the dialog or after it, marks the same one by `data-at`.
 */
export function startDialogs(): void {
  let opener = document.querySelector("[data-at]");
  const top = opener && sessionStorage.getItem("at");
  const topOf = (element: Element) => element.getBoundingClientRect().top;
  const keepPlace = () => {
    if (opener && top) scrollBy({ top: topOf(opener) - Number(top), behavior: "instant" });
  };
  keepPlace();
  // And once more when the rows above it are laid out, which the style sheet leaves until they come near the screen.
  requestAnimationFrame(() => setTimeout(keepPlace));
  addEventListener(
    "click",
    ({ target }) => {
      if (target instanceof Element && !target.closest("dialog")) opener = target.closest("tr,a");
    },
    true,
  );
  addEventListener("pagehide", () => {
    if (opener) sessionStorage.setItem("at", `${topOf(opener)}`);
  });
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") document.querySelector<HTMLElement>("dialog .close")?.click();
  });
}
