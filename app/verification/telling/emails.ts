import { type Email, formatGreeting } from "#app/mail/email.ts";
import { plainName, withoutLinks } from "#app/mail/typed-text.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { kindNamed } from "#app/records/kinds.ts";
import { formatDate, formatDay, formatInstant } from "#app/ui/calendar-date.ts";
import { recordLine, sumsTable } from "#app/verification/emails.ts";
import type { VerifiableRecord } from "#app/verification/record.ts";
import { addSums, type GroupSum } from "#app/verification/sums.ts";

interface Person {
  name: string | null;
  email: string;
}

/** How many records an email lists one by one. */
const LISTED = 20;

function count(n: number): string {
  return n === 1 ? "1 record" : `${n} records`;
}

function sumOf(records: VerifiableRecord[]): string {
  return formatHours(records.reduce((sum, { record }) => sum + toHundredths(record.hours), 0));
}

function factOf(record: VerifiableRecord): [string, string] {
  return [kindNamed(record.kind).texts.title, recordLine(record)];
}

interface Waiting {
  technician: string | null;
  records: number;
  sums: GroupSum[];
  askedAt: Date;
  /** The day on which its link ends. */
  answerBy: string;
  url: string;
}

function nameOf({ technician }: Waiting): string {
  return plainName(technician) ?? "A technician";
}

function labelOf(one: Waiting): string {
  return `Check and verify ${count(one.records)} of ${plainName(one.technician) ?? "a technician"}`;
}

/** One link for each request that waits, the oldest first. */
function linksOf(waiting: Waiting[]): Pick<Email, "facts" | "links"> {
  return {
    facts: waiting
      .slice(0, LISTED)
      .map((one): [string, string] => [
        nameOf(one),
        `${count(one.records)} since ${formatDate(one.askedAt.toISOString().slice(0, 10))}\nAnswer by ${formatDay(one.answerBy)}`,
      ]),
    links: waiting.slice(1, LISTED).map((one) => ({ label: labelOf(one), url: one.url })),
  };
}

interface Reminder {
  supervisor: Person;
  waiting: Waiting[];
  unsubscribeUrl: string;
}

/** Reminds a supervisor of all that waits for them, from all technicians. */
export function reminderEmail({ supervisor, waiting, unsubscribeUrl }: Reminder): Email {
  const all = waiting.reduce((sum, { records }) => sum + records, 0);
  const [first] = waiting;
  return {
    to: supervisor,
    subject: `Reminder: ${count(all)} ${all === 1 ? "waits" : "wait"} for your answer`,
    greeting: formatGreeting(supervisor),
    lead: `${count(all)} ${all === 1 ? "waits" : "wait"} for you to confirm that the hours were worked under your supervision.`,
    ...linksOf(waiting),
    sums: sumsTable(addSums(waiting.flatMap(({ sums }) => sums))),
    // Among several links, each says whose records it leads to.
    button: { label: first && waiting.length > 1 ? labelOf(first) : "Check and verify", url: first?.url ?? "" },
    notes: ["You can also say that a record is not right. It takes half a minute and no account."],
    unsubscribeUrl,
  };
}

/** The link to all that waits for an address, which its owner asked for. */
export function inboxEmail({ supervisor, url, unsubscribeUrl }: Omit<Reminder, "waiting"> & { url: string }): Email {
  return {
    to: supervisor,
    subject: "The records that wait for your answer",
    greeting: formatGreeting(supervisor),
    lead: "Somebody asked on Hours Tracker for the records that wait for this address. The link works for one hour.",
    facts: [],
    button: { label: "Open what waits for you", url },
    notes: ["If it was not you, do nothing: the link was sent to this address only."],
    unsubscribeUrl,
  };
}

interface NoticeFacts {
  supervisor: Person;
  /** The name that was typed. */
  by: string | null;
  /** `isOpen`: it was verified by the link alone, and can be confirmed. */
  records: { record: VerifiableRecord; isOpen: boolean }[];
  urlTo(use: "disown" | "confirm"): string;
  unsubscribeUrl: string;
}

/** Tells a supervisor what was verified in their name, and how to confirm what came by a link, and to disown it. */
export function noticeEmail({ supervisor, by, records, urlTo, unsubscribeUrl }: NoticeFacts): Email {
  const byLink = records.filter(({ isOpen }) => isOpen).length;
  const disown = { label: "This was not me", url: urlTo("disown") };
  // The most hours first: many small records must not hide a large one.
  const list = records.map(({ record }) => record).toSorted((one, other) => other.record.hours - one.record.hours);
  const unlisted = list.length - LISTED;
  const technicians = [...new Set(list.map(({ user }) => plainName(user.name) ?? "A technician"))];
  return {
    to: supervisor,
    subject: `${count(list.length)} ${list.length === 1 ? "was" : "were"} verified in your name`,
    greeting: formatGreeting(supervisor),
    lead: `${count(list.length)} (${sumOf(list)} hours) ${list.length === 1 ? "was" : "were"} verified in your name${by ? ` as ${withoutLinks(by)}` : ""}. ${byLink > 0 ? "Was that you?" : "If that was you, there is nothing to do."}`,
    facts: [["Technician", technicians.slice(0, LISTED).join(", ")], ...list.slice(0, LISTED).map(factOf)],
    ...(byLink > 0
      ? { button: { label: "Yes, I verified these", url: urlTo("confirm") }, links: [disown] }
      : { button: disown }),
    notes: [
      ...(unlisted > 0
        ? [`${count(unlisted)} with fewer hours ${unlisted === 1 ? "is" : "are"} not in this list.`]
        : []),
      ...(byLink > 0
        ? [
            `${list.length === 1 ? "This record" : `${byLink} of these records`} came by a link that anyone could have used, not from this mailbox.`,
          ]
        : []),
      byLink > 0
        ? "Both lead to a page that names the records and asks before it does anything. They work for 90 days."
        : "The button leads to a page that asks before it does anything. It works for 90 days.",
    ],
    unsubscribeUrl,
  };
}

interface Expiring {
  owner: Person;
  /** Those that end first first. */
  requests: { id: number; supervisor: string | null; records: number; expiresAt: Date }[];
  origin: string;
}

/** Tells a technician a week before that requests end. */
export function expiringEmail({ owner, requests, origin }: Expiring): Email {
  const [first, ...others] = requests;
  const nameOf = (supervisor: string | null) => plainName(supervisor) ?? "Your supervisor";
  const end = (at: Date) => formatInstant("UTC", at);
  const [id = 0, name, expiresAt = new Date(0)] = [first?.id, nameOf(first?.supervisor ?? null), first?.expiresAt];
  const isOne = others.length === 0;
  return {
    to: owner,
    subject: isOne
      ? "A verification request of yours ends in a week"
      : `${requests.length} verification requests of yours end in a week`,
    greeting: formatGreeting(owner),
    lead: isOne
      ? `${name} has not answered about ${count(first?.records ?? 0)} of yours. The link ends on ${end(expiresAt)}.`
      : `${requests.length} requests of yours have not been answered. The first link ends on ${end(expiresAt)}.`,
    facts: isOne
      ? [
          ["Asked", name],
          ["Waiting", count(first?.records ?? 0)],
        ]
      : requests
          .slice(0, LISTED)
          .map((one): [string, string] => [
            nameOf(one.supervisor),
            `${count(one.records)}, until ${end(one.expiresAt)}`,
          ]),
    button: isOne
      ? { label: "Open the request", url: `${origin}/requests/${id}` }
      : { label: "Open your requests", url: `${origin}/requests` },
    notes: ["Asking again before that keeps the link. After that, a new request makes a new link."],
  };
}
