import type { MessageFailure } from "#app/db/enumerations.ts";

/**
 * The outcome of an attempt to send. `unknown`: the message may have been sent or not. `key_refused`: the service does not
 * accept our key, which is the operator's fault and no fault of the message.
 */
export type Outcome = "sent" | "later" | "refused" | "unknown" | "key_refused";

/** The attempts to send a message so far. */
interface DeliveryAttempts {
  /** How many attempts there were, this one included. */
  attempts: number;
  /** How many earlier attempts had an unknown outcome. */
  unknownOutcomes: number;
  createdAt: Date;
  /** After how many milliseconds without success the message fails: `GIVE_UP_AFTER` unless its email says otherwise. */
  giveUpAfter?: number | undefined;
}

/** The next step: none, or another attempt at `dueAt`. */
export type Step =
  | { state: "sent" | "unknown"; reason: null; dueAt: null }
  | { state: "failed"; reason: MessageFailure; dueAt: null }
  | { state: "waiting"; reason: null; dueAt: Date };

const MINUTE = 60_000;

const LONGEST_PAUSE = 60 * MINUTE;

/** After this time without success a message fails, in milliseconds. */
const GIVE_UP_AFTER = 24 * 60 * MINUTE;

/** After this time without an accepted key a message fails, in milliseconds. */
const KEY_GIVE_UP_AFTER = 30 * GIVE_UP_AFTER;

/** A message with an unknown outcome is sent once more: a second copy does less harm than a lost request. */
const MAX_COPIES = 2;

/**
 * Returns what to do after an attempt. Retries follow after 30 to 60 s, then after twice as long each time; after an
 * unknown outcome once, after 60 to 120 s. If the key was refused, the pauses do not grow: the sweep tries one message a
 * minute (deliver.server.ts). The timer runs once a minute, so an attempt can be a minute late. `random`
 * (from 0 up to 1) spreads the retries of messages that failed together.
 */
export function nextStep(
  outcome: Outcome,
  { attempts, unknownOutcomes, createdAt, giveUpAfter = GIVE_UP_AFTER }: DeliveryAttempts,
  now: Date,
  random: number,
): Step {
  const spread = 0.5 + random / 2;
  if (outcome === "sent") return { state: "sent", reason: null, dueAt: null };
  if (outcome === "refused") return { state: "failed", reason: "refused", dueAt: null };
  if (outcome === "unknown") {
    if (unknownOutcomes + 1 >= MAX_COPIES) return { state: "unknown", reason: null, dueAt: null };
    return { state: "waiting", reason: null, dueAt: new Date(now.getTime() + 2 * MINUTE * spread) };
  }
  const isKey = outcome === "key_refused";
  const pause = (isKey ? MINUTE : Math.min(MINUTE * 2 ** (attempts - 1), LONGEST_PAUSE)) * spread;
  const dueAt = new Date(now.getTime() + pause);
  if (dueAt.getTime() - createdAt.getTime() > (isKey ? KEY_GIVE_UP_AFTER : giveUpAfter))
    return { state: "failed", reason: "gave_up", dueAt: null };
  return { state: "waiting", reason: null, dueAt };
}
