import { formatDate } from "#app/ui/calendar-date.ts";

/** Replaces the server's estimate of today (`data-today`) with the local date, in text and in unchanged date fields. */
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
