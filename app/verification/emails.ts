import { type Correspondent, type Email, formatGreeting } from "#app/mail/email.ts";
import { plainName, withoutLinks } from "#app/mail/typed-text.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { dateOf } from "#app/records/kind.ts";
import { type FieldValue, kindNamed } from "#app/records/kinds.ts";
import { formatDate, formatInstant } from "#app/ui/calendar-date.ts";
import { type VerifiableRecord, verificationId, verificationOf } from "./record.ts";

interface Owner {
  name: string | null;
  email: string;
  employeeNumber: string | null;
}

interface Request {
  owner: Owner;
  record: VerifiableRecord;
  supervisor: Correspondent & { name: string };
  url: string;
  /** Whether they had an email about this record before. */
  isReminder: boolean;
}

/**
 * Asks a supervisor to verify a record. Typed text cannot become a link in it, and its subject contains none but a plain
 * name (mail/typed-text.ts). Its reader may not know the product and has half a minute.
 */
export function requestEmail({ owner, record, supervisor, url, isReminder }: Request): Email {
  const technician = plainName(owner.name) ?? "A technician";
  const { hours, texts } = detailsOf(record);
  const again = isReminder ? " once more" : "";
  return {
    to: supervisor,
    replyTo: owner,
    subject: `${isReminder ? "Reminder: " : ""}${technician} asks you to verify ${hours} ${texts.hours} hours`,
    greeting: formatGreeting(supervisor),
    lead: `${technician} asks you${again} to confirm that they worked these hours of ${texts.work} under your supervision.`,
    facts: [...technicianFacts(owner), ...recordFacts(record)],
    button: { label: "Check and verify", url },
    notes: [
      "It takes half a minute and no account. Your name will appear on this record as the verifier, so confirm only what you know to be true.",
      `Is something wrong, or do you not know ${plainName(owner.name) ?? "this technician"}? Then do not verify. Answer this message to write to them, or leave it unanswered.`,
    ],
  };
}

interface Verified {
  owner: Owner;
  record: VerifiableRecord;
  token: string;
  origin: string;
}

/** Tells a technician that their hours are verified. */
export function verifiedEmail({ owner, record, token, origin }: Verified): Email {
  const { kind, hours, texts } = detailsOf(record);
  const verification = verificationOf(record.record);
  return {
    to: owner,
    subject: `Your ${texts.hours} hours of ${formatDate(dateOf(kind, record.record))} were verified`,
    greeting: formatGreeting(owner),
    lead: `${hours} ${texts.hours} hours of yours are verified. The record is final now: nobody can change it any more.`,
    facts: [
      ...recordFacts(record),
      ...(verification
        ? ([
            ["Verified by", withoutLinks(verification.by)],
            ["Verified on", `${formatInstant("UTC", verification.at)} UTC`],
            ["Verification ID", verificationId(token, verification.at)],
          ] satisfies Email["facts"])
        : []),
    ],
    button: { label: "Open your log", url: `${origin}${kind.path}` },
    notes: [
      "The name is as the supervisor typed it. If you do not know it, tell your training coordinator the verification ID.",
    ],
  };
}

function detailsOf({ kind: name, record }: VerifiableRecord) {
  const kind = kindNamed(name);
  return { kind, texts: kind.texts, hours: formatHours(toHundredths(record.hours)) };
}

function technicianFacts({ name, email, employeeNumber }: Owner): Email["facts"] {
  const number: Email["facts"] = employeeNumber ? [["Employee Number", withoutLinks(employeeNumber)]] : [];
  return [["Technician", name ? `${withoutLinks(name)} (${email})` : email], ...number];
}

function recordFacts({ kind, record }: VerifiableRecord): Email["facts"] {
  return kindNamed(kind).fields.map((field): [string, string] => [field.label, textOf(field.value(record))]);
}

/** A field's value as text. What a person typed cannot become a link. */
function textOf(value: FieldValue): string {
  if ("typed" in value) return withoutLinks(value.typed);
  if ("text" in value) return value.text;
  if ("hours" in value) return formatHours(toHundredths(value.hours));
  return value.dates.map(formatDate).join(" to ");
}
