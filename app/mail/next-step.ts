import type { MessageFailure } from "#app/db/enumerations.ts";

/** What the mail service made of a message. `unknown`: it may have been sent, and it may not. */
export type Outcome = "sent" | "later" | "refused" | "unknown";

/** Where a message stands when its outcome is known. */
export interface LinkView {
  /** How often it was handed over, this time included. */
  attempts: number;
  /** After how many of the times before this one nobody knew what became of it. */
  doubts: number;
  createdAt: Date;
}

/** What to do with it now: it has ended, or it is tried again at `dueAt`. */
export type Step =
  | { state: "sent" | "unknown"; reason: null; dueAt: null }
  | { state: "failed"; reason: MessageFailure; dueAt: null }
  | { state: "waiting"; reason: null; dueAt: Date };

const MINUTE = 60_000;

/** The pauses between tries grow up to this one. */
const LONGEST_PAUSE = 60 * MINUTE;

/** For so long a service that is down is asked again. */
const GIVE_UP_AFTER = 24 * 60 * MINUTE;

/** A second copy is a small harm and a lost request a great one, so a doubtful message is sent twice; never more. */
const MAX_COPIES = 2;

/**
 * The rule of retries. The timer comes once a minute, so what is due within one is tried within two: the first retry
 * after 30 to 60 s, then after twice as long each time; after an unknown outcome once more, after 60 to 120 s.
 * `random` (from 0 up to 1) spreads them, so that messages held up together do not come back together.
 */
export function nextStep(outcome: Outcome, { attempts, doubts, createdAt }: LinkView, now: Date, random: number): Step {
  const spread = 0.5 + random / 2;
  if (outcome === "sent") return { state: "sent", reason: null, dueAt: null };
  if (outcome === "refused") return { state: "failed", reason: "refused", dueAt: null };
  if (outcome === "unknown") {
    if (doubts + 1 >= MAX_COPIES) return { state: "unknown", reason: null, dueAt: null };
    return { state: "waiting", reason: null, dueAt: new Date(now.getTime() + 2 * MINUTE * spread) };
  }
  const pause = Math.min(MINUTE * 2 ** (attempts - 1), LONGEST_PAUSE) * spread;
  const dueAt = new Date(now.getTime() + pause);
  if (dueAt.getTime() - createdAt.getTime() > GIVE_UP_AFTER) return { state: "failed", reason: "gave_up", dueAt: null };
  return { state: "waiting", reason: null, dueAt };
}
