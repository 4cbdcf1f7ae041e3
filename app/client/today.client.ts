import { formatDate } from "#app/ui/calendar-date.ts";

/**
 * Replaces the day of the page (`data-today`) with the local date: the server can only estimate it, and a tab may be left
 * open over midnight. Hours that were typed before midnight belong to the day that stood beside them, so with
 * `isLater` only a form without any values follows.
 */
export function correctToday(today: string, isLater: boolean): void {
  for (const element of document.querySelectorAll<HTMLElement>("[data-today]")) {
    const before = element.dataset.today ?? "";
    if (before === today || (isLater && element instanceof HTMLFormElement && hasValues(element))) continue;
    element.dataset.today = today;
    if (element instanceof HTMLTimeElement) {
      element.dateTime = today;
      element.textContent = formatDate(today);
    }
    for (const input of element.querySelectorAll<HTMLInputElement>('input[type="date"]')) {
      if (input.value === before) input.value = input.defaultValue = today;
    }
  }
}

function hasValues(form: HTMLFormElement): boolean {
  const fields = form.querySelectorAll<HTMLInputElement>('input:not([type="date"]),select');
  return [...fields].some(({ value }) => value !== "");
}
