import type { Toast } from "#app/server/flash.ts";

/** Shows a toast with the markup of `ui/toast.tsx`, one at a time (spec section 9). */
export function showToast({ kind, title, text }: Toast): void {
  for (const old of document.querySelectorAll(".toast")) old.remove();
  const toast = document.createElement("div");
  toast.className = `toast ${kind}`;
  toast.role = kind === "error" ? "alert" : "status";
  document.body.insertBefore(toast, document.body.firstChild);
  // Screen readers announce changes inside an existing live region, not a region inserted with its text.
  requestAnimationFrame(() => {
    toast.appendChild(line("strong", title));
    if (text) toast.appendChild(line("span", text));
  });
}

function line(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
