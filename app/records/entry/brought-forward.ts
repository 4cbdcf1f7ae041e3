/** The mark of an entry that stands for hours of earlier years. */
export const BROUGHT_FORWARD = "Brought forward";

/** An entry's location on the form, with the mark. */
export function formLocation({ location, broughtForward }: { location: string; broughtForward?: boolean }): string {
  return broughtForward ? `${location} (${BROUGHT_FORWARD.toLowerCase()})` : location;
}
