import { createHmac } from "node:crypto";
import { batch, type Db, type Query } from "#app/db/client.server.ts";
import type { MessageKind } from "#app/db/enumerations.ts";
import type { MessageRow } from "#app/db/schema.ts";
import { logError, throwFirst } from "#app/server/logger.server.ts";
import type { Email } from "./email.ts";
import { nextStep, type Outcome, type Step } from "./next-step.ts";
import { claim, findKeyRefusal, finish, forgetKeyRefusal, makePutOffDue, startSending } from "./outbox.server.ts";
import { hostOf, type Prepared, prepare, unreachableBecause } from "./service.server.ts";
import type { MailSettings } from "./settings.server.ts";

/** The parts of the context by which an email is composed, beside its message. */
export interface ComposeContext {
  db: Db;
  /** Scheme and host of the links. */
  origin: string;
  /** SESSION_SECRET, from which reset tokens are derived. */
  secret: string;
  now: Date;
}

/** An email, and what its module stores beside the states of its message. */
interface Outgoing extends Email {
  /** Stored in one batch with the start of each attempt to send: it may arrive from then on. */
  onStart?: Query;
  /** Stored with it: the hash of the email's link, if SESSION_SECRET was changed since it was queued. */
  onNewSecret?: Query;
  /** How long it is tried, if not for `GIVE_UP_AFTER`, in milliseconds. */
  giveUpAfter?: number;
  /** Stores what is sent, in one batch with `markSent`. */
  onSent?: (markSent: Mark, at: Date) => Promise<unknown>;
  /** Stored in one batch with the message's failure, if it has certainly not arrived. */
  onFailed?: Query;
}
export type Mark = ReturnType<typeof finish>;

/** An email that must not be sent now: its link has expired, or its limit no longer counts it; or only later. */
type NotNow = { late: true; onFailed?: Query } | { notBefore: Date };

/** Whether a composer gave an email to send now. */
export function isEmail(composed: Composed): composed is Outgoing {
  return composed !== null && "subject" in composed;
}

/** Null if there is no longer a reason to send it. */
export type Composed = Outgoing | NotNow | null;

/** Composes the email of a message from the current data. */
export type Compose = (context: ComposeContext, message: MessageRow) => Promise<Composed>;

/** The composer of each kind of message; each module exports its own. */
export type Composers = Record<MessageKind, Compose>;

export interface MailConfig {
  db: Db;
  settings: MailSettings;
  secret: string;
  /** A kind without one is an error when its message is sent, and a test finds it. */
  composers: Partial<Composers>;
  /** Called after each attempt to send. */
  report?: (facts: Delivery) => void;
}

/** One attempt to send, for the log: no address and no token. */
export interface Delivery {
  id: number;
  kind: MessageKind;
  /**
   * `not_composed`: composing it threw an error, which is logged too. `late`: its link has expired, so it was not sent.
   * `needless`: there was no longer a reason to send it. `not_reachable`: nothing was sent either.
   */
  outcome: Outcome | "not_composed" | "late" | "needless" | "not_reachable";
  status: number | null;
  /** If the service gave no answer, or an SMTP server refused a command: what went wrong, and its host. */
  reason?: string;
  host?: string;
  state: Step["state"] | "cancelled";
}

/** How many messages are sent at once. A Worker has six connections, and a fetch that waits for one can time out. */
const BATCH_SIZE = 4;

/** After this time a sweep claims no more messages, in milliseconds; the next sweep starts a minute after this one. */
const SWEEP_MS = 45_000;

/** Sends the messages that one request queued, unless mail is held. The sweep retries those that fail. */
export async function deliverOutbox(config: MailConfig, lease: string, now: Date): Promise<void> {
  if (config.settings.isHeld) return;
  const messages = await claim(config.db, { lease }, now);
  throwFirst(await Promise.allSettled(messages.map((message) => deliver(config, message, now))));
}

/**
 * Sends the messages that are due, a few at a time, until none is left or the time is up; none if mail is held. If all of
 * a batch fail for a reason that may pass, the service is in trouble: the sweep stops, and the other messages keep their
 * attempts. While it refuses our key, a sweep tries one message (`claim`); when that one goes, the rest follow. The sweep does
 * not wait for an SMTP server that takes longer than `timeout` to answer after an email: `waitUntil` gets that work, so that
 * it does not delay the next minute's.
 */
export async function sweepOutbox(
  config: MailConfig,
  now: Date,
  execution: { waitUntil(work: Promise<unknown>): void },
): Promise<void> {
  if (config.settings.isHeld) return;
  const start = Date.now();
  await makePutOffDue(config.db, now);
  let isKeyRefused = (await findKeyRefusal(config.db)) !== null;
  while (Date.now() - start < SWEEP_MS) {
    const messages = await claim(config.db, { limit: BATCH_SIZE }, now);
    const sending = Promise.allSettled(messages.map((message) => deliver(config, message, now)));
    const results = await (config.settings.smtp ? withoutLate(sending, config.settings.timeout) : sending);
    if (!results) return execution.waitUntil(sending.then(throwFirst).catch((error) => logError(error)));
    throwFirst(results);
    const outcomes = results.map((result) => result.status === "fulfilled" && result.value);
    if (messages.length === 0 || outcomes.includes("key_refused")) return;
    if (outcomes.every((one) => one === "later" || one === "unknown")) return;
    if (isKeyRefused && outcomes.some((one) => one === "sent" || one === "refused")) {
      await forgetKeyRefusal(config.db);
      isKeyRefused = false;
    } else if (!isKeyRefused && messages.length < BATCH_SIZE) return;
  }
}

/** How much longer than a time limit the attempts of a batch take, with what they read and store, in milliseconds. */
const MARGIN_MS = 1_000;

/** Returns the result of the work, or null if it takes longer than this, in milliseconds. */
async function withoutLate<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms + MARGIN_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Sends one claimed message and stores the outcome. Returns null if nothing was sent, or another sweep has it. */
async function deliver(config: MailConfig, message: MessageRow, now: Date): Promise<Outcome | null> {
  const { db, settings } = config;
  const composed = await compose(config, message, now);
  if (!("send" in composed)) return null;
  const { email, send } = composed;
  // The one more attempt after an unknown outcome is not used up while nothing can arrive.
  const unreachable = message.unknownOutcomes > 0 ? await unreachableBecause(settings) : null;
  if (unreachable !== null) {
    const step = stepAfter("later", message, now, email.giveUpAfter);
    await finish(db, message, { ...step, attempts: message.attempts + 1 }, null, now);
    const host = hostOf(settings);
    tell(config, message, { outcome: "not_reachable", status: null, reason: unreachable, host, state: step.state });
    return "later";
  }
  const { onStart, onNewSecret } = email;
  const also = { ...(onStart && { onStart }), ...(onNewSecret && { onNewSecret }) };
  if (!(await startSending(db, message, also, settings.smtp ? settings.answerTimeout : 0))) return null;
  const { outcome, status, reason } = await send();
  const step = stepAfter(outcome, message, now, email.giveUpAfter);
  const mark = finish(db, message, step, outcome, now);
  if (step.state === "sent" && email.onSent) await email.onSent(mark, now);
  else await markFailed(db, { message, step, mark, onFailed: email.onFailed });
  const about = reason === undefined ? {} : { reason, host: hostOf(settings) };
  const told = outcome === "later" && status === null ? "not_reachable" : outcome; // an SMTP server that gave no answer
  tell(config, message, { outcome: told, status, ...about, state: step.state });
  return outcome;
}

/**
 * Composes and renders the email of a message, before the attempt to send it begins: an error here is ours, so it is
 * logged, nothing has arrived, and the message is tried again later. If there is no email to send, stores what becomes of
 * the message.
 */
async function compose(
  config: MailConfig,
  message: MessageRow,
  now: Date,
): Promise<{ email: Outgoing; send: Prepared } | { ended: true }> {
  const { db, settings, secret, composers } = config;
  try {
    const composer = composers[message.kind];
    if (!composer) throw new Error(`no module composes ${message.kind}`);
    const email = await composer({ db, origin: settings.origin, secret, now }, message);
    if (isEmail(email)) return { email, send: prepare(email, settings, messageId(secret, message)) };
    if (!email) {
      await finish(db, message, { state: "cancelled", reason: null, dueAt: null }, null, now);
      tell(config, message, { outcome: "needless", status: null, state: "cancelled" });
    } else if ("notBefore" in email) {
      await finish(db, message, { state: "waiting", reason: null, dueAt: email.notBefore }, null, now);
    } else {
      const step = { state: "failed", reason: "gave_up", dueAt: null } as const;
      const mark = finish(db, message, step, null, now);
      await markFailed(db, { message, step, mark, onFailed: email.onFailed });
      tell(config, message, { outcome: "late", status: null, state: "failed" });
    }
  } catch (error) {
    logError(error);
    const step = stepAfter("later", message, now);
    await finish(db, message, { ...step, attempts: message.attempts + 1 }, null, now);
    tell(config, message, { outcome: "not_composed", status: null, state: step.state });
  }
  return { ended: true };
}

/** Returns the left part of the Message-ID. It reveals nothing, and is the same for the second copy of a message. */
function messageId(secret: string, { id, createdAt }: MessageRow): string {
  return createHmac("sha256", secret).update(`message id\n${id}\n${createdAt.getTime()}`).digest("hex").slice(0, 32);
}

function stepAfter(outcome: Outcome, message: MessageRow, now: Date, giveUpAfter?: number): Step {
  const { attempts, unknownOutcomes, createdAt } = message;
  return nextStep(outcome, { attempts: attempts + 1, unknownOutcomes, createdAt, giveUpAfter }, now, Math.random());
}

interface Ended {
  message: MessageRow;
  step: Step;
  mark: Mark;
  onFailed: Query | undefined;
}

/** Stores the outcome of a message that was not sent. If it failed and cannot have arrived, with `onFailed`. */
async function markFailed(db: Db, { message, step, mark, onFailed }: Ended): Promise<void> {
  const isLost = step.state === "failed" && message.unknownOutcomes === 0;
  await batch(db, { ...(isLost && onFailed && { onFailed }), mark });
}

function tell({ report }: MailConfig, { id, kind }: MessageRow, facts: Omit<Delivery, "id" | "kind">): void {
  report?.({ id, kind, ...facts });
}
