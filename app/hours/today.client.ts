import { dateIn, formatDate } from "./calendar-date.ts";

/** The technician's own day. The edge can only guess their time zone; their browser knows it. */
export function localToday(): string {
  return dateIn(Intl.DateTimeFormat().resolvedOptions().timeZone, new Date());
}

/**
 * Puts the technician's own day wherever the page shows the edge's guess (`data-today`): as text, and in the date of
 * a row that nobody has changed.
 */
export function startToday(): void {
  const today = localToday();
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
