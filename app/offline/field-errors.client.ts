import { element } from "./element.client.ts";
import type { FieldError } from "./row.ts";

/** Shows each message beside its field, or at the end of the form, and removes earlier ones. The first field gets the focus. */
export function showErrors(form: HTMLFormElement, errors: FieldError[]): void {
  for (const old of form.querySelectorAll(".wrong,.alert")) old.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  const shown = new Set<string>();
  for (const { path, message } of errors) {
    const name = path.replace(/^\d+\./, "");
    const field = name && form.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`);
    if (field) {
      field.ariaInvalid = "true";
      if (shown.size === 0) field.focus();
    }
    // Empty rope hours have one message for all fields.
    if (!shown.has(message)) {
      const text = element("p", { className: field ? "wrong" : "alert", role: "alert", id: `wrong-${name}` }, message);
      (field || form.lastElementChild)?.insertAdjacentElement("afterend", text);
    }
    if (field) field.setAttribute("aria-describedby", `wrong-${name}`);
    shown.add(message);
  }
}
