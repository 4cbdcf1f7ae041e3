import { addDays, formatDate } from "#app/ui/calendar-date.ts";

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
      // A period of one day ends on the next.
      const days = input.name === "endDate" ? 1 : 0;
      if (input.value !== addDays(before, days)) continue;
      input.value = input.defaultValue = addDays(today, days);
      if (days) input.dataset.preset = input.value;
    }
  }
}

function hasValues(form: HTMLFormElement): boolean {
  const fields = form.querySelectorAll<HTMLInputElement>('input:not([type="date"]),select,textarea');
  return [...fields].some(({ value }) => value !== "");
}
