import { type Correspondent, type Email, formatGreeting } from "#app/mail/email.ts";
import { plainName, withoutLinks } from "#app/mail/typed-text.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
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
  /** They were written to about this record before. */
  isReminder: boolean;
}

/**
 * Asks a supervisor to verify a record. What the technician typed cannot become a link in it, nor stand in its subject
 * but as a name (mail/typed-text.ts). It is for somebody who may not know the product, and has half a minute.
 */
export function requestEmail({ owner, record, supervisor, url, isReminder }: Request): Email {
  const who = plainName(owner.name) ?? "A technician";
  const { hours, what, work } = wordsFor(record);
  const again = isReminder ? " once more" : "";
  return {
    to: supervisor,
    replyTo: owner,
    subject: `${isReminder ? "Reminder: " : ""}${who} asks you to verify ${hours} ${what} hours`,
    greeting: formatGreeting(supervisor),
    lead: `${who} asks you${again} to confirm that they worked these hours of ${work} under your supervision.`,
    facts: [...technicianFacts(owner), ...recordFacts(record)],
    button: { label: "Check and verify", url },
    notes: [
      "It takes half a minute and no account. Your name will stand on this record as its verifier, so confirm only what you know to be true.",
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
  const { hours, what } = wordsFor(record);
  const verification = verificationOf(record);
  const day = record.type === "entry" ? formatDate(record.entry.date) : formatDate(record.ropeHour.startDate);
  return {
    to: owner,
    subject: `Your ${what} hours of ${day} were verified`,
    greeting: formatGreeting(owner),
    lead: `${hours} ${what} hours of yours are verified. The record is final now: nobody can change it any more.`,
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
    button: { label: "Open your log", url: `${origin}/${record.type === "entry" ? "profile" : "rope-hours"}` },
    notes: [
      "The name is as the supervisor typed it. If you do not know it, tell your training coordinator the verification ID.",
    ],
  };
}

function wordsFor(record: VerifiableRecord): { hours: string; what: string; work: string } {
  const { hours } = record.type === "entry" ? record.entry : record.ropeHour;
  return {
    hours: formatHours(toHundredths(hours)),
    ...(record.type === "entry"
      ? { what: "OJT", work: "on-the-job training" }
      : { what: "rope", work: "rope-access work" }),
  };
}

function technicianFacts({ name, email, employeeNumber }: Owner): Email["facts"] {
  const number: Email["facts"] = employeeNumber ? [["Employee Number", withoutLinks(employeeNumber)]] : [];
  return [["Technician", name ? `${withoutLinks(name)} (${email})` : email], ...number];
}

function recordFacts(record: VerifiableRecord): Email["facts"] {
  if (record.type === "entry") {
    const { date, location, method, hours } = record.entry;
    return [
      ["Job Date", formatDate(date)],
      ["Job Location", withoutLinks(location)],
      ["NDT Method", methodLabel(method)],
      ["Hours", formatHours(toHundredths(hours))],
    ];
  }
  const { startDate, endDate, location, skills, hours } = record.ropeHour;
  return [
    ["Period", `${formatDate(startDate)} to ${formatDate(endDate)}`],
    ["Location", withoutLinks(location)],
    ["Skills", withoutLinks(skills)],
    ["Hours", formatHours(toHundredths(hours))],
  ];
}
