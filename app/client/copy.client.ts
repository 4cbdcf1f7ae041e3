/** How long a copy button says Copied, in milliseconds (spec section 9). */
const COPIED_MS = 2_000;

/** Shows the copy buttons: `<button hidden data-copy="id">` copies the value of the input with that id. */
export function startCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    const input = document.getElementById(button.dataset.copy ?? "") as HTMLInputElement | null; // an <input>, see above
    const label = button.textContent;
    let timer: number | undefined;
    if (!input) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      if (!(await copy(input))) return;
      button.textContent = "Copied";
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        button.textContent = label;
      }, COPIED_MS);
    });
  }
}

/** Copies an input's value. Without the clipboard API (over plain http) it uses `execCommand`. */
async function copy(input: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    input.select();
    return document.execCommand("copy");
  }
}
