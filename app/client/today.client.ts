import { formatDate } from "#app/ui/calendar-date.ts";

/**
 * Puts the technician's own day wherever the page shows the edge's guess (`data-today`): as text, and in the date of
 * a row that nobody has changed.
 */
export function correctToday(today: string): void {
  for (const element of document.querySelectorAll<HTMLElement>("[data-today]")) {
    const guess = element.dataset.today ?? "";
    if (guess === today) continue;
    if (element instanceof HTMLTimeElement) {
      element.dateTime = today;
      element.textContent = formatDate(today);
    }
    for (const input of element.querySelectorAll<HTMLInputElement>('input[type="date"]')) {
      if (input.value === guess && input.defaultValue === guess) input.value = today;
    }
  }
}
