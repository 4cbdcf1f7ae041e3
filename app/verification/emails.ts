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
  records: VerifiableRecord[];
  supervisor: Correspondent & { name: string };
  url: string;
  /** Whether they had an email about this request before. */
  isReminder: boolean;
}

/**
 * Asks a supervisor to verify records. Typed text cannot become a link in it, and its subject contains none but a plain
 * name (mail/typed-text.ts). Its reader may not know the product and has half a minute. It has no Reply-To: a quoted reply
 * would carry the link's second secret to the technician (mailbox-secret.server.ts).
 */
export function requestEmail({ owner, records, supervisor, url, isReminder }: Request): Email {
  const technician = plainName(owner.name) ?? "A technician";
  const [record] = records;
  const isSingle = record !== undefined && records.length === 1;
  const texts = record && sameTexts(records);
  const hours = `${formatHours(sumOf(records))} ${texts ? `${texts.hours} hours` : "hours"}`;
  const again = isReminder ? " once more" : "";
  return {
    to: supervisor,
    subject: `${isReminder ? "Reminder: " : ""}${technician} asks you to verify ${hours}`,
    greeting: formatGreeting(supervisor),
    lead: `${technician} asks you${again} to confirm that they worked these hours${texts ? ` of ${texts.work}` : ""} under your supervision.`,
    facts: [...technicianFacts(owner), ...(isSingle ? recordFacts(record) : sumFacts(records))],
    button: { label: "Check and verify", url },
    notes: [
      `It takes half a minute and no account. Your name will appear on ${isSingle ? "this record" : "these records"} as the verifier, so confirm only what you know to be true.`,
      `Is something wrong, or do you not know ${plainName(owner.name) ?? "this technician"}? Then do not verify. You can write to them at ${owner.email}, or leave this message unanswered.`,
    ],
  };
}

/** The texts of the records' kind, if it is the same for all. */
function sameTexts(records: VerifiableRecord[]) {
  const names = new Set(records.map(({ kind }) => kind));
  return names.size === 1 ? kindNamed([...names][0] ?? "").texts : null;
}

/** The sum of the records' hours in hundredths. */
function sumOf(records: VerifiableRecord[]): number {
  return records.reduce((sum, { record }) => sum + toHundredths(record.hours), 0);
}

/** How many records, from when to when, and how many hours. */
function sumFacts(records: VerifiableRecord[]): Email["facts"] {
  const dates = records.map(({ kind, record }) => dateOf(kindNamed(kind), record)).sort();
  const [first = "", last = ""] = [dates[0], dates.at(-1)];
  return [
    ["Records", String(records.length)],
    ["Dates", first === last ? formatDate(first) : `${formatDate(first)} to ${formatDate(last)}`],
    ["Hours", formatHours(sumOf(records))],
  ];
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

interface Answered {
  owner: Owner;
  /** The name that the supervisor typed. */
  by: string;
  verified: VerifiableRecord[];
  declined: { record: VerifiableRecord; reason: string }[];
  token: string;
  origin: string;
}

/** The most declined records that an email lists. */
const LISTED = 20;

/** Tells a technician what a supervisor answered about several records, or that they declined. One for each submission. */
export function answeredEmail({ owner, by, verified, declined, token, origin }: Answered): Email {
  const name = plainName(by) ?? "Your supervisor";
  const at = verified[0] && verificationOf(verified[0].record)?.at;
  const count = (n: number) => (n === 1 ? "1 record" : `${n} records`);
  const kind = kindNamed((verified[0] ?? declined[0]?.record)?.kind ?? "entry");
  const verifiedText = `${count(verified.length)} (${formatHours(sumOf(verified))} hours)`;
  return {
    to: owner,
    subject:
      verified.length === 0
        ? `${count(declined.length)} of yours ${declined.length === 1 ? "was" : "were"} declined`
        : `${count(verified.length)} of yours ${verified.length === 1 ? "was" : "were"} verified${declined.length > 0 ? `, ${declined.length} declined` : ""}`,
    greeting: formatGreeting(owner),
    lead:
      declined.length === 0
        ? `${name} verified ${verifiedText}. They are final now: nobody can change them any more.`
        : `${name} ${verified.length > 0 ? `verified ${verifiedText} and ` : ""}declined ${count(declined.length)}. Correct what is wrong, and ask again.`,
    facts: [
      ...(at ? ([["Verification ID", verificationId(token, at)]] satisfies Email["facts"]) : []),
      ...declined
        .slice(0, LISTED)
        .map(({ record, reason }): [string, string] => [recordLine(record), `Declined: ${withoutLinks(reason)}`]),
    ],
    button: { label: "Open your log", url: `${origin}${kind.path}` },
    notes: [
      "The name and the reasons are as the supervisor typed them. If you do not know the name, tell your training coordinator.",
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

/** A record in one line. What a person typed cannot become a link. */
export function recordLine({ kind, record }: VerifiableRecord): string {
  return kindNamed(kind)
    .fields.map((field) => textOf(field.value(record)))
    .join(", ");
}

function recordFacts({ kind, record }: VerifiableRecord): Email["facts"] {
  return kindNamed(kind).fields.map((field): [string, string] => [field.label, textOf(field.value(record))]);
}

/** A field's value as text. What a person typed cannot become a link. */
function textOf(value: FieldValue): string {
  if ("typed" in value) return withoutLinks(value.typed);
  if ("text" in value) return value.text;
  if ("hours" in value) return formatHours(toHundredths(value.hours));
  const dates = value.dates.map(formatDate).join(" to ");
  return value.mark ? `${dates} (${value.mark.toLowerCase()})` : dates;
}
