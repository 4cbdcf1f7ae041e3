import type { Db, Query } from "#app/db/client.server.ts";
import type { MessageKind } from "#app/db/enumerations.ts";
import type { MessageRow } from "#app/db/schema.ts";
import type { Email } from "./email.ts";
import { send } from "./mailchannels.server.ts";
import { nextStep, type Outcome, type Step } from "./next-step.ts";
import { claim, finish, makePutOffDue, startSending } from "./outbox.server.ts";
import type { MailSettings } from "./settings.server.ts";

/** What an email is composed from, beside its message. */
export interface ComposeContext {
  db: Db;
  /** Scheme and host of the links. */
  origin: string;
  /** SESSION_SECRET, from which reset tokens are derived. */
  secret: string;
  now: Date;
}

/** An email, and what its module stores beside the states of its message. */
export interface Outgoing extends Email {
  /** Stored in one batch with the start of each attempt to send: it may arrive from then on. */
  onStart?: Query;
  /** How long it is tried, if not for `GIVE_UP_AFTER`, in milliseconds. */
  giveUpAfter?: number;
  /** Stores what is sent, in one batch with `markSent`. */
  onSent?: (markSent: Mark, at: Date) => Promise<unknown>;
}
export type Mark = ReturnType<typeof finish>;

/** Composes the email of a message from the current data; null if there is no reason to send it any more. */
export type Compose = (context: ComposeContext, message: MessageRow) => Promise<Outgoing | null>;

/** The composer of each kind of message; each module exports its own. */
export type Composers = Record<MessageKind, Compose>;

export interface MailConfig {
  db: Db;
  settings: MailSettings;
  secret: string;
  composers: Composers;
  /** Called after each attempt to send. */
  report?: (facts: Delivery) => void;
}

/** One attempt to send, for the log: no address and no token. */
export interface Delivery {
  id: number;
  kind: MessageKind;
  outcome: Outcome;
  status: number | null;
  state: Step["state"];
}

/** How many messages are sent at once. A Worker has six connections, and a fetch that waits for one can time out. */
const BATCH_SIZE = 4;

/** After this time a sweep claims no more messages, in milliseconds; the next sweep starts a minute after this one. */
const SWEEP_MS = 45_000;

/** Sends the messages that one request queued, unless mail is held. The sweep retries those that fail. */
export async function deliverOutbox(config: MailConfig, lease: string, now: Date): Promise<void> {
  if (config.settings.isHeld) return;
  const messages = await claim(config.db, { lease }, now);
  await Promise.all(messages.map((message) => deliver(config, message, now)));
}

/**
 * Sends the messages that are due, a few at a time, until none is left or the time is up; none if mail is held. If all of a batch fail for a
 * reason that may pass, the service is in trouble: the sweep stops, and the other messages keep their attempts.
 */
export async function sweepOutbox(config: MailConfig, now: Date): Promise<void> {
  if (config.settings.isHeld) return;
  const start = Date.now();
  await makePutOffDue(config.db, now);
  while (Date.now() - start < SWEEP_MS) {
    const messages = await claim(config.db, { limit: BATCH_SIZE }, now);
    const results = await Promise.allSettled(messages.map((message) => deliver(config, message, now)));
    for (const result of results) if (result.status === "rejected") throw result.reason;
    const outcomes = results.map((result) => result.status === "fulfilled" && result.value);
    if (messages.length < BATCH_SIZE || outcomes.every((one) => one === "later" || one === "unknown")) return;
  }
}

/** Sends one claimed message and stores the outcome. Returns null if nothing was sent: the message is cancelled, or another sweep has it. */
async function deliver(
  { db, settings, secret, composers, report }: MailConfig,
  message: MessageRow,
  now: Date,
): Promise<Outcome | null> {
  const email = await composers[message.kind]({ db, origin: settings.origin, secret, now }, message);
  if (!email) {
    await finish(db, message, { state: "cancelled", reason: null, dueAt: null }, false, now);
    return null;
  }
  if (!(await startSending(db, message, email.onStart))) return null;
  const { outcome, status } = await send(email, settings);
  const { kind, id, doubts, createdAt } = message;
  const history = { attempts: message.attempts + 1, doubts, createdAt, giveUpAfter: email.giveUpAfter };
  const step = nextStep(outcome, history, now, Math.random());
  const markSent = finish(db, message, step, outcome === "unknown", now);
  await (step.state === "sent" && email.onSent ? email.onSent(markSent, now) : markSent);
  report?.({ id, kind, outcome, status, state: step.state });
  return outcome;
}
