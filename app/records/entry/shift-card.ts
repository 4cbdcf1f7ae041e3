import type { z } from "zod";
import { addDays } from "#app/calendar-date.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import { supervisorShape } from "#app/supervisors/supervisor.schema.ts";
import { detailText, ENTRY_DETAILS } from "../details.ts";
import { entryFields } from "./entry.kind.ts";

/*
 * A shift card: the place, date, method, job number and supervisor of one job as a short text, in the fragment of a link. Whoever
 * opens the link gets the form of new hours with these values. No server stores a card, and a stranger can have written it.
 */

/** The most characters of a link to a card, so that its QR code has at most 69 modules a side (version 13). */
export const CARD_MAX = 300;

/** The name for parts of a card that are left out and are no known field. */
export const UNKNOWN = "what is unknown or too long";

/** A field of a card: its rule, which is that of the typed value, and what people call it. */
interface Field {
  name: string;
  label: string;
  rule: z.ZodType<string | null>;
}

const { date, location, method } = entryFields.shape;

/** The fields of a card by their names in its text, the most important first: what has no room is left out from the end. */
const FIELDS: Readonly<Record<string, Field>> = {
  d: { name: "date", label: "date", rule: date },
  p: { name: "location", label: "place", rule: location },
  m: { name: "method", label: "method", rule: method },
  j: { name: "jobNumber", label: "job number", rule: detailText(ENTRY_DETAILS, "jobNumber") },
  s: { name: "name", label: "supervisor", rule: supervisorShape.name },
  e: { name: "email", label: "supervisor", rule: supervisorShape.email },
  t: { name: "phone", label: "supervisor", rule: supervisorShape.phone },
  l: { name: "certificationLevel", label: "supervisor", rule: supervisorShape.certificationLevel },
  c: { name: "company", label: "supervisor", rule: supervisorShape.company },
};

/** The values of a card by field: those of the job, and those of the supervisor, as the form of a new one names them. */
export interface Card {
  job: { date?: string; location?: string; method?: string; jobNumber?: string };
  supervisor: { name?: string; email?: string; phone?: string; certificationLevel?: string; company?: string };
}

/** What a card is checked against: the date of its reader, and their own address, which is no supervisor's. */
interface Reader {
  today: string;
  own: string;
}

export interface ReadCard extends Card {
  /** What was left out, in words. */
  left: string[];
}

/** Returns a value that can be used, or null. A card is of a shift that has begun, or begins on the next day. */
function usable({ name, rule }: Field, value: string, today: string): string | null {
  const read = rule.safeParse(value);
  return read.success && !(name === "date" && value > addDays(today, 1)) ? read.data : null;
}

/** Reads the text of a card. */
export function readCard(text: string, { today, own }: Reader): ReadCard {
  const card: Card = { job: {}, supervisor: {} };
  if (text.length > CARD_MAX) return { ...card, left: [UNKNOWN] };
  const left = new Set<string>();
  const seen = new Set<string>();
  for (const [key, typed] of new URLSearchParams(text)) {
    const field = Object.hasOwn(FIELDS, key) && !seen.has(key) ? FIELDS[key] : undefined;
    seen.add(key);
    const value = field && usable(field, typed, today);
    if (field && value)
      Object.assign(field.label === "supervisor" ? card.supervisor : card.job, { [field.name]: value });
    else left.add(field?.label ?? UNKNOWN);
  }
  if (card.supervisor.email && normalizeMailbox(card.supervisor.email) === normalizeMailbox(own)) {
    card.supervisor = {};
    left.add("supervisor");
  }
  return { ...card, left: [...left] };
}

/** Writes a card of at most `room` characters. Returns its text, and what has no room or cannot be used. */
export function writeCard({ job, supervisor }: Card, room: number, today: string): { text: string; left: string[] } {
  const values: Record<string, string | undefined> = { ...job, ...supervisor };
  const card = new URLSearchParams();
  const left = new Set<string>();
  for (const [key, field] of Object.entries(FIELDS)) {
    const typed = values[field.name]?.trim();
    if (!typed) continue;
    card.set(key, usable(field, typed, today) ?? "");
    if (card.get(key) && card.toString().length <= room) continue;
    card.delete(key);
    left.add(field.label);
  }
  return { text: card.toString(), left: [...left] };
}

/** What the form says of the card that filled it in. A script writes the same (app/entry/shift.inline.ts). */
export const CARD_TEXTS = {
  filled: "From a shift card: look at what is filled in, and type your hours.",
  supervisor: "Supervisor:",
  left: "Left out, as it cannot be used:",
  lost: "The link has lost its shift. Scan the code again or ask for the link once more, or fill in the form.",
};

/** The sentences about a card. */
export function cardText({ supervisor: { name, email }, left }: Pick<ReadCard, "supervisor" | "left">): string {
  const who = [name, email].filter(Boolean).join(", ");
  return [
    CARD_TEXTS.filled,
    who && `${CARD_TEXTS.supervisor} ${who}.`,
    left.length > 0 && `${CARD_TEXTS.left} ${left.join(", ")}.`,
  ]
    .filter(Boolean)
    .join(" ");
}
