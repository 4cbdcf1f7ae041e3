/**
 * The enumerations of spec section 3, the log and the outbox, as stored. No imports, so that the browser can load them.
 */

/** The forms, as exports name them (app/pdf/forms.ts). */
export const FORM_NAMES = ["ojt", "detailed-log", "rope-access-log", "training-and-certificates"] as const;
export type FormName = (typeof FORM_NAMES)[number];

/** The facts about a method besides its code and label. */
interface MethodFacts {
  /** The full name: of the methods of the form as ASNT's SNT-TC-1A has it. No source says what LSI is. */
  name?: string;
  /** The method that it is a technique of; MFL under ISO 9712. */
  techniqueOf?: string;
  /** Set if it is no NDT method in any standard. */
  isNdt?: false;
}

/** The methods of spec section 3, in its order: those that have a column on 100-FORM-95. */
const OF_THE_FORM = {
  ET: { name: "Eddy Current Testing" },
  RFT: { name: "Remote Field Testing", techniqueOf: "ET" },
  MT: { name: "Magnetic Particle Testing" },
  PT: { name: "Liquid Penetrant Testing" },
  RT: { name: "Radiographic Testing" },
  UT_THK: { name: "Ultrasonic Testing, Thickness", techniqueOf: "UT" },
  UTSW: { name: "Ultrasonic Testing, Shear Wave", techniqueOf: "UT" },
  PMI: { name: "Positive Material Identification", isNdt: false },
  LSI: { isNdt: false },
} as const satisfies Record<string, MethodFacts>;

const OTHERS = {
  VT: { name: "Visual" },
  UT: { name: "Ultrasonic" },
  PAUT: { name: "Phased array", techniqueOf: "UT" },
  TOFD: { name: "Time of flight diffraction", techniqueOf: "UT" },
  ACFM: { name: "Alternating current field measurement", techniqueOf: "ET" },
  ECA: { name: "Eddy current array", techniqueOf: "ET" },
  LT: { name: "Leak" },
  AE: { name: "Acoustic emission (AT)" },
  IR: { name: "Thermographic (TT)" },
  GW: { name: "Guided wave" },
  MFL: { name: "Magnetic flux leakage", techniqueOf: "MT" },
} as const satisfies Record<string, MethodFacts>;

export type Method = keyof typeof OF_THE_FORM | keyof typeof OTHERS;

/**
 * The label that people read, if it is not the code. Apart from the table, because offline pages need nothing else of
 * it.
 */
export const METHOD_LABELS: Partial<Record<Method, string>> = { UT_THK: "UT Thk." };

/** The NDT methods by their code, as it is stored, in the order of every list. */
export const METHOD_FACTS: Readonly<Record<Method, MethodFacts>> = { ...OF_THE_FORM, ...OTHERS };
const codesOf = (facts: object) => Object.keys(facts) as [Method, ...Method[]]; // an object lists its own keys
export const METHODS = codesOf(METHOD_FACTS);
export const FORM_METHODS = codesOf(OF_THE_FORM);
export const OTHER_METHODS = codesOf(OTHERS);

/** The levels of a training, a certificate and a test. */
export const LEVELS = ["Trainee", "Level I", "Level II", "Level III"] as const;
export type Level = (typeof LEVELS)[number];

/** The categories of records of certificates and tests. */
export const CATEGORIES = ["certificate", "examination", "near_vision", "colour_vision", "other"] as const;
export type Category = (typeof CATEGORIES)[number];

/** The levels of a supervisor (spec section 3). */
export const CERTIFICATION_LEVELS = ["Level I", "Level II", "Level III"] as const;

/**
 * The units of a target's figure (app/certification/progress.ts): the last four are of certificates and examinations.
 */
export const TARGET_UNITS = ["hours", "days", "months", "elapsedMonths", "valid", "score", "average"] as const;
export type TargetUnit = (typeof TARGET_UNITS)[number];

/** The events of a record's audit log (app/audit-log/log.server.ts). */
export const LOG_EVENTS = [
  "requested",
  "verified",
  "confirmed",
  "declined",
  "disowned",
  "withdrawn",
  "edited",
  "revoked",
] as const;
export type LogEvent = (typeof LOG_EVENTS)[number];

/** Whom the personal facts of an event are about. Each side has a hash and a row of its own, and is erased alone. */
export const SIDES = ["technician", "supervisor"] as const;
export type Side = (typeof SIDES)[number];

/**
 * Why an item of a verification request ended. `elsewhere`: it was decided through another request. `own_mailbox`: the
 * supervisor's address reaches a mailbox of the technician. `unknown_technician`: the supervisor does not know the technician.
 */
const LINK_ENDS = [
  "withdrawn",
  "edited",
  "deleted",
  "deleted_by_admin",
  "expired",
  "disowned",
  "elsewhere",
  "own_mailbox",
  "unknown_technician",
] as const;
export type LinkEnd = (typeof LINK_ENDS)[number];

/** Why a record's request ended, in its log. */
export type LogCause = Exclude<LinkEnd, "disowned">;

/** The states of an item of a verification request. */
export const ITEM_STATES = ["waiting", "verified", "declined", "ended"] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** How a verification came: with the secret that was mailed to the supervisor, or by the link alone. */
export const VIAS = ["mailbox", "link"] as const;
export type Via = (typeof VIAS)[number];

/** The status of a record. `deleted` appears only in lists of deleted records. */
export const STATUSES = ["pending", "requested", "declined", "verified", "deleted"] as const;
export type Status = (typeof STATUSES)[number];

/** The events of a verification request. */
export const REQUEST_EVENTS = ["asked", "mailed", "opened", "reminded"] as const;
export type RequestEvent = (typeof REQUEST_EVENTS)[number];

/** The events that a program can follow (`events` in migrations/0001_initial.sql, where triggers write them). */
export const EVENT_TYPES = [
  "record.created",
  "record.edited",
  "record.deleted",
  "record.restored",
  "record.verified",
  "record.declined",
  "record.disowned",
  "request.created",
  "request.opened",
  "request.answered",
  "request.withdrawn",
  "request.expired",
  "certificate.expiring",
] as const;

/**
 * Why the email about a request was not queued: it goes out together with other requests to its supervisor (`joined`), its technician has not confirmed their address (`released`: now they have), a
 * limit on emails is reached, the supervisor wants no emails or does not know the technician, or mail is off. The timer queues what
 * is released, what a limit held back, and what the supervisor wants again (`mail_at`).
 */
export const WITHHOLDINGS = [
  "joined",
  "unconfirmed",
  "released",
  "limit",
  "suppressed",
  "unknown_technician",
  "off",
] as const;
export type Withholding = (typeof WITHHOLDINGS)[number];

/** The purposes of a mailed link to an account: to change its email address, or to confirm it. */
export const LINK_PURPOSES = ["change", "confirmation"] as const;

/**
 * The kinds of email: what each is about, for admins, and whom it is for. One for the `owner` of an account reports
 * something, often in words that a person typed, so it goes to a confirmed address only; until then the app shows it.
 * One to an `address` lets its reader prove that it is theirs.
 */
export const MESSAGES = {
  verification_requested: { about: "Request for a verification", to: "supervisor" },
  hours_verified: { about: "What was answered", to: "owner" },
  request_expiring: { about: "A request that expires", to: "owner" },
  certificate_expiring: { about: "A certificate that expires", to: "owner" },
  verification_reminder: { about: "Reminder of requests", to: "supervisor" },
  supervisor_notice: { about: "What was verified in their name", to: "supervisor" },
  supervisor_inbox: { about: "Link to the waiting requests", to: "supervisor" },
  password_reset: { about: "Link to set a password", to: "address" },
  password_changed: { about: "A changed password", to: "owner" },
  email_confirmation: { about: "Link to confirm an address", to: "address" },
  email_change_link: { about: "Link to change an address", to: "address" },
  email_change_notice: { about: "An address that may change", to: "owner" },
  email_changed: { about: "A changed address", to: "owner" },
  database_filling: { about: "How full the database is", to: "owner" },
} as const satisfies Record<string, { about: string; to: "supervisor" | "owner" | "address" }>;
export type MessageKind = keyof typeof MESSAGES;
export const MESSAGE_KINDS = Object.keys(MESSAGES) as [MessageKind, ...MessageKind[]]; // an object lists its own keys

/** The states of a message (app/mail/outbox.server.ts). The last four are final. */
export const MESSAGE_STATES = ["waiting", "claimed", "sending", "sent", "failed", "unknown", "cancelled"] as const;
type MessageState = (typeof MESSAGE_STATES)[number];

/** The names of those states in the API. */
export const SHOWN_MESSAGE_STATES = {
  waiting: "waiting",
  claimed: "waiting",
  sending: "waiting",
  sent: "sent",
  failed: "failed",
  unknown: "unknown",
  cancelled: "cancelled",
} as const satisfies Record<MessageState, string>;
export type ShownMessageState = (typeof SHOWN_MESSAGE_STATES)[MessageState];

export const MAIL_CHANGES = ["version", "secret", "restore"] as const;
export type MailChange = (typeof MAIL_CHANGES)[number];

export const MESSAGE_FAILURES = ["not_set_up", "refused", "gave_up"] as const;
export type MessageFailure = (typeof MESSAGE_FAILURES)[number];
