/** The fields of the form by those of a card (app/records/entry/shift-card.ts). */
const NAMES: Record<string, string> = { d: "date", p: "location", m: "method", j: "jobNumber" };

/** As there. */
const CARD_MAX = 300;
const UNKNOWN = "what is unknown or too long";

/**
 * Fills a form of new hours in with a card, up to the date `latest`. The fields refuse what they cannot hold, like typed values. A
 * typed value stays. Returns the supervisor's name and address, and the names of the parts that were left out.
 */
export function fillCard(form: HTMLFormElement, text: string, own: string, latest: string): [Set<string>, Set<string>] {
  const card = new URLSearchParams(text.length > CARD_MAX ? "-" : text);
  const supervisor = new Set<string>();
  const left = new Set<string>();
  for (const [key, value] of card) {
    const control = form.querySelector<HTMLInputElement>(`[name$="${NAMES[key]}"]`); // or a select, which has no default value
    if (control) {
      const before = control.value;
      if (before !== (control.defaultValue ?? "")) continue;
      control.value = value;
      control.closest("details")?.setAttribute("open", "");
      if (control.value === value && (key !== "d" || value <= latest)) continue;
      control.value = before;
      left.add(control.labels?.[0]?.textContent ?? "");
    } else if (!/^[setlc]$/.test(key)) left.add(UNKNOWN);
    else if (card.get("e")?.toLowerCase() === own) left.add("supervisor");
    else if (/[se]/.test(key)) supervisor.add(value);
  }
  return [supervisor, left];
}
