/** The technician's local date, `YYYY-MM-DD`. The server can only estimate the time zone. */
export function localToday(): string {
  // Sweden writes its dates as ISO 8601 does.
  return new Intl.DateTimeFormat("sv-SE").format(new Date());
}
