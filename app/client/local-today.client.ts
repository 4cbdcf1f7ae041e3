/** The technician's local date, `YYYY-MM-DD`. The server can only estimate the time zone. */
export function localToday(): string {
  // The Swedish format is that of ISO 8601.
  return new Intl.DateTimeFormat("sv-SE").format(new Date());
}
