/**
 * The enumerations of spec section 3, the log and the outbox, as stored. No imports, so that the browser can load them.
 */

export const METHODS = ["ET", "RFT", "MT", "PT", "RT", "UT_THK", "UTSW", "PMI", "LSI"] as const;
export type Method = (typeof METHODS)[number];

export const CERTIFICATION_LEVELS = ["Level I", "Level II", "Level III"] as const;

/** The events of a record's audit log (app/audit-log/log.server.ts). */
export const LOG_EVENTS = ["requested", "mailed", "opened", "verified", "withdrawn"] as const;
export type LogEvent = (typeof LOG_EVENTS)[number];

/** Why a link ended before it was used. */
export const LINK_ENDS = ["withdrawn", "edited", "deleted"] as const;
export type LinkEnd = (typeof LINK_ENDS)[number];

export const MESSAGE_KINDS = [
  "verification_requested",
  "hours_verified",
  "password_reset",
  "password_changed",
  "email_change_link",
  "email_change_notice",
  "email_changed",
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** The states of a message (app/mail/outbox.server.ts). The last four are final. */
export const MESSAGE_STATES = ["waiting", "claimed", "sending", "sent", "failed", "unknown", "moot"] as const;

export const MESSAGE_FAILURES = ["not_set_up", "refused", "gave_up"] as const;
export type MessageFailure = (typeof MESSAGE_FAILURES)[number];
