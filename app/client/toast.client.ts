import type { Toast } from "#app/server/flash.ts";

/** Shows a toast with the markup of `ui/page.tsx`, one at a time (spec section 9). */
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

/**
 * Has screen readers announce the toast that came with the page: they announce changes inside a live region, not one that a page
 * begins with. Its text leaves and comes back.
 */
export function announceToast(): void {
  const toast = document.querySelector("[role=status]:is(.toast, .said)");
  if (!toast) return;
  const content = [...toast.childNodes];
  toast.replaceChildren();
  setTimeout(() => {
    for (const node of content) toast.appendChild(node);
  }, 100);
}

function line(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
