import type { Db } from "#app/db/client.server.ts";
import type { MessageKind } from "#app/db/enumerations.ts";
import type { MessageRow } from "#app/db/schema.ts";
import type { Email } from "./email.ts";
import { send } from "./mailchannels.server.ts";
import { nextStep, type Outcome, type Step } from "./next-step.ts";
import { claim, finish, startSending } from "./outbox.server.ts";
import type { MailSettings } from "./settings.server.ts";

/** What a letter is made with, beside its message. */
export interface ComposeContext {
  db: Db;
  /** Links lead here. */
  origin: string;
  /** SESSION_SECRET: reset tokens are made of it. */
  secret: string;
  now: Date;
}

/** A letter, and what else its room writes down once it was handed over: in one batch with `mark`, which says so. */
export interface Outgoing extends Email {
  onSent?: (mark: Mark, at: Date) => Promise<unknown>;
}
export type Mark = ReturnType<typeof finish>;

/** Makes the letter of a message from what is true now; null where there is nothing to say any more. */
export type Compose = (desk: ComposeContext, message: MessageRow) => Promise<Outgoing | null>;

/** How each kind of message becomes a letter: each room brings its own. */
export type Composers = Record<MessageKind, Compose>;

/** Where and with what messages are delivered. */
export interface MailConfig {
  db: Db;
  settings: MailSettings;
  secret: string;
  composers: Composers;
  /** Is told of every handing over. */
  report?: (facts: Delivery) => void;
}

/** What there is to know of one handing over, without an address or a token in it. */
export interface Delivery {
  id: number;
  kind: MessageKind;
  outcome: Outcome;
  /** What the service answered, if it did. */
  status: number | null;
  /** Where the message stands now. */
  state: Step["state"];
}

/** How many messages are under way at once: a Worker has six connections, and one that waits for its turn times out. */
const AT_ONCE = 4;

/** A sweep takes no more messages after this, in milliseconds; the next one begins a minute after it. */
const SWEEP_MS = 45_000;

/** Sends what one request has stored. What does not go out now is the sweep's. */
export async function deliverOutbox(room: MailConfig, lease: string, now: Date): Promise<void> {
  const messages = await claim(room.db, { lease }, now);
  await Promise.all(messages.map((message) => deliver(room, message, now)));
}

/**
 * Sends what is due, a few at a time, until there is none or the time is up. When of a few none got through, the
 * service is in trouble, and the others keep their tries for later.
 */
export async function sweepOutbox(room: MailConfig, now: Date): Promise<void> {
  const start = Date.now();
  while (Date.now() - start < SWEEP_MS) {
    const messages = await claim(room.db, { limit: AT_ONCE }, now);
    const results = await Promise.allSettled(messages.map((message) => deliver(room, message, now)));
    for (const result of results) if (result.status === "rejected") throw result.reason;
    const outcomes = results.map((result) => result.status === "fulfilled" && result.value);
    if (messages.length < AT_ONCE || outcomes.every((one) => one === "later" || one === "unknown")) return;
  }
}

/** Hands one claimed message over and writes down what became of it; the outcome is null where there was no need. */
async function deliver(
  { db, settings, secret, composers, report }: MailConfig,
  message: MessageRow,
  now: Date,
): Promise<Outcome | null> {
  const letter = await composers[message.kind]({ db, origin: settings.origin, secret, now }, message);
  if (!letter) {
    await finish(db, message, { state: "moot", reason: null, dueAt: null }, false, now);
    return null;
  }
  if (!(await startSending(db, message))) return null;
  const { outcome, status } = await send(letter, settings);
  const { kind, id, doubts, createdAt } = message;
  const step = nextStep(outcome, { attempts: message.attempts + 1, doubts, createdAt }, now, Math.random());
  const mark = finish(db, message, step, outcome === "unknown", now);
  await (step.state === "sent" && letter.onSent ? letter.onSent(mark, now) : mark);
  report?.({ id, kind, outcome, status, state: step.state });
  return outcome;
}
