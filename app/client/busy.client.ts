/** After this a form can be pressed again even if nobody answered: the person may have stopped the page. */
const PATIENCE_MS = 30_000;

/**
 * While a form is on its way its button says so (`data-busy="Saving..."`), and a second press does nothing: on a slow
 * link it would only start the request again. A page that Back brings to life has its buttons as they were.
 */
export function startBusyButtons(): void {
  addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement; // where submit events go
    if (event.defaultPrevented || form.method !== "post") return;
    if (form.ariaBusy) {
      event.preventDefault();
      return;
    }
    const button = form.querySelector<HTMLElement>("[data-busy]");
    const label = button?.textContent ?? "";
    const rest = () => {
      form.ariaBusy = null;
      if (button) button.textContent = label;
    };
    form.ariaBusy = "true";
    if (button) button.textContent = button.dataset.busy ?? label;
    addEventListener("pageshow", rest, { once: true });
    setTimeout(rest, PATIENCE_MS);
  });
}
