import { formatDate, formatDay, formatInstant } from "#app/calendar-date.ts";
import { type Correspondent, type Email, formatGreeting } from "#app/mail/email.ts";
import { plainName, withoutLinks } from "#app/mail/typed-text.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { shownDetails } from "#app/records/details.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import {
  countRecords,
  dateOf,
  type FieldValue,
  hundredthsOf,
  isExperience,
  LOG_ANCHOR,
  logHref,
  recordPath,
  shownValues,
} from "#app/records/kind.ts";
import { amountText } from "#app/records/record-facts.tsx";
import {
  askedText,
  datesOf,
  type VerifiableRecord,
  verificationId,
  verificationOf,
  withArticle,
} from "#app/verification/record.ts";
import { addHundredths, sumsByGroup, sumsTable } from "#app/verification/sums.tsx";

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
  /** The day on which the link ends. */
  answerBy: string;
  /** Whether they had an email about this request before. */
  isReminder: boolean;
}

/**
 * Asks a supervisor to verify records. Typed text cannot become a link in it, and its subject contains none but a plain
 * name (mail/typed-text.ts). Its reader may not know the product and has half a minute. It has no Reply-To: a quoted reply
 * would carry the link's second secret to the technician (link.server.ts).
 */
export function requestEmail({ owner, records, supervisor, url, answerBy, isReminder }: Request): Email {
  const technician = plainName(owner.name) ?? "A technician";
  const [record] = records;
  const isSingle = record !== undefined && records.length === 1;
  const again = isReminder ? " once more" : "";
  return {
    to: supervisor,
    subject: `${isReminder ? "Reminder: " : ""}${technician} asks you to verify ${amountOf(records)}`,
    greeting: formatGreeting(supervisor),
    lead: `${technician} asks you${again} to confirm ${askedText(records)}.`,
    facts: [
      ...technicianFacts(owner),
      ...(isSingle ? recordFacts(record) : [datesFact(records)]),
      ["Answer by", formatDay(answerBy)],
    ],
    ...(!isSingle && { sums: sumsTable(sumsByGroup(records)) }),
    button: { label: "Check and verify", url },
    notes: [
      `It takes half a minute and no account. Your name will appear on ${isSingle ? "this record" : "these records"} as the verifier, so confirm only what you know to be true.`,
      `Is something wrong, or do you not know ${plainName(owner.name) ?? "this technician"}? Then do not verify: the page lets you say so. You can also write to them at ${owner.email}, or leave this message unanswered.`,
    ],
  };
}

/** How much is asked for: the sum of the hours, and how many records have none. `8.0 OJT hours and 2 certificates`. */
function amountOf(records: VerifiableRecord[]): string {
  const all = records.map(({ kind: name, record }) => ({ kind: kindNamed(name), record }));
  const withHours = all.filter(({ record }) => record.hours !== undefined);
  const others = all.filter(({ record }) => record.hours === undefined);
  const hours = formatHours(addHundredths(withHours.map(({ record }) => hundredthsOf(record))) ?? 0);
  const nounOf = (some: typeof all, several: string) => {
    const [noun = several, ...more] = new Set(some.map(({ kind, record }) => kind.noun(record)));
    return more.length === 0 ? noun : several;
  };
  const noun = nounOf(others, "other record");
  return [
    withHours.length > 0 ? `${hours} ${nounOf(withHours, "hours")}` : "",
    others.length === 1 ? withArticle(noun) : others.length > 1 ? `${others.length} ${noun}s` : "",
  ]
    .filter(Boolean)
    .join(" and ");
}

/** From when to when records are. */
function datesFact(records: VerifiableRecord[]): [string, string] {
  const [first, last] = datesOf(records);
  return ["Dates", first === last ? formatDate(first) : `${formatDate(first)} to ${formatDate(last)}`];
}

interface Verified {
  owner: Correspondent;
  record: VerifiableRecord;
  token: string;
  origin: string;
}

/** Tells a technician that their hours are verified. */
export function verifiedEmail({ owner, record, token, origin }: Verified): Email {
  const kind = kindNamed(record.kind);
  const noun = kind.noun(record.record);
  const [was, isNow, amount] =
    record.record.hours === undefined
      ? ["was", "is", `Your ${noun}`]
      : ["were", "are", `${amountText(kind, record.record)} of yours`];
  const verification = verificationOf(record.record);
  return {
    to: owner,
    subject: `Your ${noun} of ${formatDate(dateOf(kind, record.record))} ${was} verified`,
    greeting: formatGreeting(owner),
    lead: `${amount} ${isNow} verified. The record is final now: nobody can change it any more.`,
    facts: [
      ...recordFacts(record),
      ...(verification
        ? ([
            ["Verified by", withoutLinks(verification.by)],
            ["Verified on", formatInstant("UTC", verification.at)],
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

interface Group<Row> {
  count: number;
  /** The sum of the hours of all. */
  hundredths: number;
  /** Those that are listed. */
  records: Row[];
}

interface Digest {
  owner: Correspondent;
  /** The name that the supervisor typed, if it is the same everywhere; `areSeveral`: there are several. */
  by: string | null;
  areSeveral: boolean;
  verified: Group<VerifiableRecord>;
  declined: Group<{ record: VerifiableRecord; reason: string }>;
  /** With why they were taken back, if the supervisor said so. */
  disowned: Group<{ record: VerifiableRecord; reason: string }>;
  unknown: Group<VerifiableRecord>;
  /** Whether the supervisors who do not know the technician said so from their mailboxes, which are closed then. */
  isClosed: boolean;
  /** The supervisor of the requests that were disowned, and of those that ended as `unknown_technician`, if it is one. */
  disownedBy: string | null;
  unknownTo: string | null;
  /** If all were verified in one answer: its link's token, and when. */
  token: string;
  verifiedAt: Date | null;
  origin: string;
}

/** The most records that an email lists. */
export const LISTED = 20;

/** Tells a technician what supervisors verified, declined, took back and refused to answer since the last digest (digest.server.ts). */
export function digestEmail({
  owner,
  verified,
  declined,
  disowned,
  unknown,
  token,
  verifiedAt,
  origin,
  ...digest
}: Digest): Email {
  const were = (n: number) => (n === 1 ? "was" : "were");
  const by = digest.areSeveral ? "Your supervisors" : (plainName(digest.by) ?? "Your supervisor");
  const disowner = plainName(digest.disownedBy) ?? "Your supervisor";
  const groups = (
    [
      { n: verified.count, verb: "verified" },
      { n: declined.count, verb: "declined" },
      { n: disowned.count, verb: "taken back" },
      { n: unknown.count, verb: "not answered" },
    ] as const
  ).filter(({ n }) => n > 0);
  const [first, ...others] = groups;
  const isAnswered = verified.count + declined.count > 0;
  const isLost = first?.verb === "taken back";
  const subject = `${isLost ? "The verification of " : ""}${countRecords(first?.n ?? 0)} of yours ${were(isLost ? 1 : (first?.n ?? 0))} ${first?.verb}${others.map(({ n, verb }) => `, ${n} ${verb}`).join("")}`;
  const verifiedText = `${countRecords(verified.count)}${inHours(verified.hundredths)}`;
  const answered =
    declined.count === 0
      ? `${by} verified ${verifiedText}. They are final now: nobody can change them any more.`
      : `${by} ${verified.count > 0 ? `verified ${verifiedText} and ` : ""}declined ${countRecords(declined.count)}. Correct what is wrong, and ask again.`;
  const lost = `${disowner} took back ${disowned.count === 1 ? "a verification" : "verifications"}. ${countRecords(disowned.count)}${inHours(disowned.hundredths)} of yours ${disowned.count === 1 ? "is" : "are"} not verified any more.`;
  const stranger = plainName(digest.unknownTo) ?? "Your supervisor";
  const unanswered = `${stranger} says that they do not know you, so ${unknown.count === 1 ? "the request for a record" : `the requests for ${countRecords(unknown.count)}`}${inHours(unknown.hundredths)} ended unanswered.${digest.isClosed ? " That address gets no more emails from your account." : ""}`;
  const listed = [
    ...disowned.records.map(({ record, reason }) => ({ record, state: "taken back", reason }) as const),
    ...unknown.records.map((record) => ({ record, state: "not answered", reason: "" }) as const),
    ...declined.records.map(({ record, reason }) => ({ record, state: "declined", reason }) as const),
  ].slice(0, LISTED);
  const unlisted = groups.flatMap(({ n, verb }) => {
    const left = n - listed.filter(({ state }) => state === verb).length;
    return verb === "verified" || left === 0 ? [] : { n: left, verb };
  });
  const [one] = [
    ...verified.records,
    ...declined.records.map(({ record }) => record),
    ...disowned.records.map(({ record }) => record),
    ...unknown.records,
  ];
  const kind = kindNamed(one?.kind ?? "entry");
  const [button, ...links] = openDeclined(declined, origin);
  return {
    to: owner,
    subject:
      isAnswered || (disowned.count > 0 && unknown.count > 0)
        ? subject
        : unknown.count > 0
          ? `${stranger} says that they do not know you`
          : digest.disownedBy
            ? `${disowner} took back the verification of ${countRecords(disowned.count)}`
            : subject,
    greeting: formatGreeting(owner),
    lead: [
      ...(isAnswered ? [answered] : []),
      ...(disowned.count > 0 ? [lost] : []),
      ...(unknown.count > 0 ? [unanswered] : []),
    ].join(" "),
    facts: [
      ...(verifiedAt ? ([["Verification ID", verificationId(token, verifiedAt)]] satisfies Email["facts"]) : []),
      ...listed.map(({ record, state, reason }): [string, string] => [
        recordText(record),
        `${STATES[state]}${reason && `: ${withoutLinks(reason)}`}`,
      ]),
      ...unlistedFact(unlisted),
    ],
    button: button ?? { label: "Open your log", url: `${origin}${kind.path}` },
    links,
    notes: [
      ...(isAnswered || listed.some(({ reason }) => reason)
        ? [
            "The names and the reasons are as the supervisors typed them. If you do not know a name, tell your training coordinator.",
          ]
        : []),
      ...(disowned.count > 0
        ? [
            "It can be a mistake. Talk to them, and ask again. The link in the email to them is the safest way: it proves their address.",
          ]
        : []),
      ...(unknown.count > 0
        ? [
            "Check the address that you typed, and ask a supervisor who knows your work. The records are in your log as before.",
          ]
        : []),
    ],
  };
}

/** What became of a record that a digest lists. */
const STATES = {
  declined: "Declined",
  "taken back": "Verification withdrawn by the supervisor",
  "not answered": "Not answered",
};

/** The last line of a list that is cut: how many records of what it leaves out. */
function unlistedFact(groups: { n: number; verb: keyof typeof STATES }[]): Email["facts"] {
  const all = groups.reduce((sum, { n }) => sum + n, 0);
  const [first, ...others] = groups;
  if (!first) return [];
  const text = others.length === 0 ? STATES[first.verb] : groups.map(({ n, verb }) => `${n} ${verb}`).join(", ");
  return [
    all === 1
      ? ["1 more record", `${text}. It is in your log.`]
      : [`${all} more records`, `${text}. They are in your log.`],
  ];
}

/** Where what was declined is corrected: the record, or the log of each kind that has some. */
function openDeclined({ count, records }: Digest["declined"], origin: string): Email["button"][] {
  const [first] = records;
  if (first && count === 1) {
    const { kind, record } = first.record;
    return [{ label: "Open the declined record", url: origin + recordPath(kindNamed(kind), record.id) }];
  }
  return [...new Set(records.map(({ record }) => record.kind))].map(kindNamed).map(({ texts, path }) => ({
    label: `Open the declined ${texts.hours} records`,
    url: origin + logHref(path, { status: "declined" }) + LOG_ANCHOR,
  }));
}

/** The hours behind a number of records, if they have any: ` (8.0 hours)`. */
export function inHours(hundredths: number): string {
  return hundredths > 0 ? ` (${formatHours(hundredths)} hours)` : "";
}

function technicianFacts({ name, email, employeeNumber }: Owner): Email["facts"] {
  const number: Email["facts"] = employeeNumber ? [["Employee Number", withoutLinks(employeeNumber)]] : [];
  return [["Technician", name ? `${withoutLinks(name)} (${email})` : email], ...number];
}

/**
 * A record in one line: of one that is no work, all but its date and its name are named. What a person typed cannot become a
 * link, nor another line.
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

function recordFacts({ kind, record }: VerifiableRecord): Email["facts"] {
  const { details } = kindNamed(kind);
  return [
    ...shownValues(kindNamed(kind), record).map(({ label, value }): [string, string] => [label, textOf(value)]),
    ...shownDetails(details, record.details).map(({ label, typed }): [string, string] => [label, withoutLinks(typed)]),
  ];
}

/** A field's value as text. What a person typed cannot become a link. */
function textOf(value: FieldValue): string {
  if ("typed" in value) return withoutLinks(value.typed);
  if ("text" in value) return value.text;
  if ("hours" in value) return formatHours(toHundredths(value.hours));
  const dates = value.dates.map(formatDate).join(" to ");
  return value.mark ? `${dates} (${value.mark.toLowerCase()})` : dates;
}
