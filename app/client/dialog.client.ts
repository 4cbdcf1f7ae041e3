/** Makes Escape close a dialog as its × does: by opening the page without it. */
export function startDialogs(): void {
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") document.querySelector<HTMLElement>("dialog .close")?.click();
  });
}
