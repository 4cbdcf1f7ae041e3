import { formatDate } from "#app/calendar-date.ts";
import type { Db } from "#app/db/client.server.ts";
import type { MessageKind } from "#app/db/enumerations.ts";
import type { Compose } from "#app/mail/deliver.server.ts";
import type { Email } from "#app/mail/email.ts";
import type { RequestMail } from "#app/mail/outbox.server.ts";
import { withoutLinks } from "#app/mail/typed-text.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { shownDetails } from "#app/records/details.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { type FieldValue, isExperience, shownValues } from "#app/records/kind.ts";
import type { VerifiableRecord } from "#app/verification/record.ts";

/* The parts that the emails share: the definition of each email, and a record and its amount as text. */

/** The context of the timer: `mail` holds the messages that it queues, `secret` hashes their recipients. */
export interface SweepContext {
  db: Db;
  now: Date;
  secret: string;
  mail: RequestMail;
}

/** An email to or about supervisors, as its file exports it. */
export interface SupervisorEmail {
  kind: MessageKind;
  compose: Compose;
  /** The work of the timer for it, if no act queues it. */
  sweep?: (context: SweepContext) => Promise<void>;
}

/** The most records that an email lists. */
export const LISTED = 20;

/** The hours behind a number of records, if they have any: ` (8.0 hours)`. */
export function inHours(hundredths: number): string {
  return hundredths > 0 ? ` (${formatHours(hundredths)} hours)` : "";
}

/**
 * Returns a record in one line: if it is no work, all values but its date and its name have their labels. Typed text
 * cannot become a link, nor another line.
 */
export function recordText({ kind: name, record }: VerifiableRecord): string {
  const kind = kindNamed(name);
  return shownValues(kind, record)
    .map(({ label, value }, index) => {
      if ("hours" in value) return `${textOf(value)} h`;
      const named = isExperience(kind) || index < 2 ? "" : `${label}: `;
      return named + isolated(textOf(value).replace(/\s+/g, " "));
    })
    .join(", ");
}

/** Text with letters that are written from right to left, so that it does not take the numbers after it along. */
function isolated(text: string): string {
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text) ? `\u2068${text}\u2069` : text;
}

/** A record as facts, one for each field and detail. */
export function recordFacts({ kind, record }: VerifiableRecord): Email["facts"] {
  const { details } = kindNamed(kind);
  return [
    ...shownValues(kindNamed(kind), record).map(({ label, value }): [string, string] => [label, textOf(value)]),
    ...shownDetails(details, record.details).map(({ label, typed }): [string, string] => [label, withoutLinks(typed)]),
  ];
}

/** Returns a field's value as text. Typed text cannot become a link. */
function textOf(value: FieldValue): string {
  if ("typed" in value) return withoutLinks(value.typed);
  if ("text" in value) return value.text;
  if ("hours" in value) return formatHours(toHundredths(value.hours));
  const dates = value.dates.map(formatDate).join(" to ");
  return value.mark ? `${dates} (${value.mark.toLowerCase()})` : dates;
}
