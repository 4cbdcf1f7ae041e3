/** Makes Escape follow the dialog's close link. */
export function startDialogs(): void {
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") document.querySelector<HTMLElement>("dialog .close")?.click();
  });
}
