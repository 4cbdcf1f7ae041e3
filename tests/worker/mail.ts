import { afterAll } from "vitest";
import { type App, startApp } from "./app.ts";
import { rows } from "./database.ts";
import { type FakeMailChannels, startFakeMailChannels } from "./fake-mailchannels.ts";
import type { Technician } from "./people.ts";
import type { Settings } from "./transport.ts";

/** The settings for email; their origin makes a link built from a `Host` header stand out. */
function mailEnv(url: string): Record<string, string> {
  return {
    MAILCHANNELS_API_KEY: "a key for tests",
    MAILCHANNELS_BASE_URL: url,
    MAIL_FROM: "Hours Tracker <hours@example.com>",
    MAIL_TIMEOUT_MS: "60000",
    PUBLIC_ORIGIN: "http://hours.example.com",
  };
}

export interface StoredMessage {
  id: number;
  kind: string;
  state: string;
  attempts: number;
  unknown_outcomes: number;
  reason: string | null;
  lease: string | null;
  due_at: number | null;
  created_at: number;
}

export interface MailApp extends App {
  mailChannels: FakeMailChannels;
  /** A user's emails, in the order in which they were stored. */
  messages(who: Technician): Promise<StoredMessage[]>;
  /** Resolves with all of a user's emails when none of them is being sent. */
  settled(who: Technician): Promise<StoredMessage[]>;
  /** Makes every waiting email due and sweeps, once none is being sent: that one would be sent again. */
  sweep(): Promise<void>;
  /** Lets a day, or that many milliseconds, pass for all emails and for everything that rate limits have counted. */
  nextDay(ms?: number): Promise<void>;
  /** Runs the timer as on a Wednesday at this time of day: on a weekend no reminder goes out. */
  tickOnWorkday(): Promise<void>;
}

const DAY = 24 * 60 * 60 * 1000;

/** Lets milliseconds pass for what limits count. */
const OF_LIMITS = [
  "UPDATE outbox SET created_at = created_at - ?1, ended_at = ended_at - ?1",
  "UPDATE known_recipients SET last_at = last_at - ?1",
  "UPDATE supervisor_notices SET created_at = created_at - ?1, expires_at = expires_at - ?1",
  "UPDATE attempts SET at = at - ?1",
  "UPDATE verification_requests SET mail_at = mail_at - ?1",
];

/** Lets them pass for all else that the timer looks at, if they are less than a week. */
const OF_TIMER = [
  `UPDATE verification_requests SET created_at = created_at - ?1, requested_at = requested_at - ?1,
    expires_at = expires_at - ?1, remind_at = remind_at - ?1`,
  "UPDATE request_events SET at = at - ?1 WHERE event = 'reminded'",
  "UPDATE users SET reset_token_expiry = reset_token_expiry - ?1 WHERE reset_token_expiry IS NOT NULL",
  `UPDATE account_links SET created_at = created_at - ?1, expires_at = expires_at - ?1, used_at = used_at - ?1
    WHERE purpose = 'change'`,
  "UPDATE records SET deleted_at = deleted_at - ?1 WHERE deleted_at IS NOT NULL",
  "UPDATE imports SET created_at = created_at - ?1, applied_at = applied_at - ?1",
];

/** Lets no request wait for others to its supervisor (app/supervisor-mail/request.server.ts), because most tests ask one several times. */
const WITHOUT_JOINING: Settings = { sabotage: [["SELECT max(requested_at) +", "SELECT NULL +"]] };

/** The settings of an app in which requests to one supervisor within an hour are one email, as they are. */
export const JOINING: Settings = { sabotage: [] };

/** The built Worker with a MailChannels of configurable behaviour. */
export async function startMailApp(env: Record<string, string> = {}, settings: Settings = {}): Promise<MailApp> {
  const mailChannels = await startFakeMailChannels();
  afterAll(() => mailChannels.close());
  const app = await startApp({
    ...WITHOUT_JOINING,
    ...settings,
    env: { ...mailEnv(mailChannels.url), ...env },
    // Without PUBLIC_ORIGIN the app accepts this machine's names only.
    origin: env.PUBLIC_ORIGIN === "" ? "http://localhost" : "http://hours.example.com",
  });
  const messages = (who: Technician) =>
    rows<StoredMessage>(app.db, "SELECT * FROM outbox WHERE user_id = ? ORDER BY id", who.user.id);
  const pass = async (statements: string[], ms: number) => {
    await app.idle();
    if (ms !== 0) for (const earlier of statements) await app.db.prepare(earlier).bind(ms).run();
  };
  return Object.assign(app, {
    mailChannels,
    messages,
    async settled(who: Technician) {
      for (;;) {
        const list = await messages(who);
        // A digest waits until an hour after the last one.
        const isNew = ({ state, attempts, due_at, created_at }: StoredMessage) =>
          state === "waiting" && attempts === 0 && Number(due_at) <= created_at;
        if (!list.some((one) => isNew(one) || one.state === "claimed" || one.state === "sending")) return list;
      }
    },
    async sweep() {
      await app.idle();
      await app.db.prepare("UPDATE outbox SET due_at = 0 WHERE due_at IS NOT NULL").run();
      await app.tick(new Date());
    },
    nextDay: (ms = DAY) => pass(OF_LIMITS, ms),
    async tickOnWorkday() {
      const leap = ((3 - new Date().getUTCDay() + 7) % 7) * DAY;
      await pass([...OF_LIMITS, ...OF_TIMER], -leap);
      await app.tick(new Date(Date.now() + leap));
      await pass([...OF_LIMITS, ...OF_TIMER], leap);
    },
  });
}
