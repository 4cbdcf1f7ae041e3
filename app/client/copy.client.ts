/** How long a copy button says Copied, in milliseconds (spec section 9). */
const COPIED_MS = 2_000;

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Shows the copy buttons: `<button hidden data-copy="id">` copies the value of the field with that id. */
export function startCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    const field = document.getElementById(button.dataset.copy ?? "") as Field | null; // see above
    const label = button.textContent;
    let timer: number | undefined;
    if (!field) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      if (!(await copy(field))) return;
      button.textContent = "Copied";
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        button.textContent = label;
      }, COPIED_MS);
    });
  }
}

/** Shows the buttons that hand a field's link to another app, `<button hidden data-share="id">`, where the browser can. */
export function startShareButtons(): void {
  if (!("share" in navigator)) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-share]")) {
    const field = document.getElementById(button.dataset.share ?? "") as Field | null; // as above
    button.hidden = !field;
    // Rejected if the user chooses no app.
    button.addEventListener("click", () => navigator.share({ url: field?.value ?? "" }).catch(() => {}));
  }
}

/** Copies a field's value. Without the clipboard API (over plain http) it uses `execCommand`. */
async function copy(field: Field): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand("copy");
  }
}
