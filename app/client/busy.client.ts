/**
 * While a form is being sent, its button shows the text of `data-busy`, and a second submit does nothing: it would only
 * restart the request. When Back restores the page from the browser's cache, the button is reset.
 */
export function startBusyButtons(): void {
  addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement; // the target of a submit event
    if (event.defaultPrevented || form.method !== "post") return;
    if (form.ariaBusy) {
      event.preventDefault();
      return;
    }
    const { submitter } = event;
    const button = submitter?.dataset.busy ? submitter : form.querySelector<HTMLElement>("[data-busy]");
    const label = button?.textContent ?? "";
    const reset = () => {
      form.ariaBusy = null;
      if (button) button.textContent = label;
    };
    form.ariaBusy = "true";
    if (button) button.textContent = button.dataset.busy ?? label;
    addEventListener("pageshow", reset, { once: true });
    // After this it can be submitted again without a response: the user may have stopped the request.
    setTimeout(reset, 30_000);
  });
}
