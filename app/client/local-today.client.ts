/** The technician's own day, `YYYY-MM-DD`. The edge can only guess their time zone; their browser knows it. */
export function localToday(): string {
  // Sweden writes its dates as ISO 8601 does.
  return new Intl.DateTimeFormat("sv-SE").format(new Date());
}
