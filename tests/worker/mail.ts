import { afterAll } from "vitest";
import { type App, type Settings, startApp } from "./app.ts";
import { rows } from "./database.ts";
import { type FakeMailChannels, startFakeMailChannels } from "./fake-mailchannels.ts";
import type { Technician } from "./people.ts";

/** What mail needs, with links to where nobody could be sent by a `Host` header. */
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
  doubts: number;
  reason: string | null;
  lease: string | null;
  due_at: number | null;
  created_at: number;
}

export interface MailApp extends App {
  mailChannels: FakeMailChannels;
  /** Somebody's messages, in the order in which they were stored. */
  messages(who: Technician): Promise<StoredMessage[]>;
  /** Resolves when none of somebody's messages is being worked on, with all of them. */
  settled(who: Technician): Promise<StoredMessage[]>;
  /** Makes every message due that waits, and sweeps, when none is under way any more: it would be sent once more. */
  sweep(): Promise<void>;
  /** Lets a day pass for everything that limits have counted, or so many milliseconds. */
  nextDay(ms?: number): Promise<void>;
}

/** The built Worker with a MailChannels that behaves as it is told. */
export async function startMailApp(env: Record<string, string> = {}, settings: Settings = {}): Promise<MailApp> {
  const mailChannels = await startFakeMailChannels();
  afterAll(() => mailChannels.close());
  const app = await startApp({
    ...settings,
    env: { ...mailEnv(mailChannels.url), ...env },
    origin: "http://hours.example.com",
  });
  const messages = (who: Technician) =>
    rows<StoredMessage>(app.db, "SELECT * FROM outbox WHERE user_id = ? ORDER BY id", who.user.id);
  return Object.assign(app, {
    mailChannels,
    messages,
    async settled(who: Technician) {
      for (;;) {
        const list = await messages(who);
        const isNew = ({ state, attempts }: StoredMessage) => state === "waiting" && attempts === 0;
        if (!list.some((one) => isNew(one) || one.state === "claimed" || one.state === "sending")) return list;
      }
    },
    async sweep() {
      await app.idle();
      await app.db.prepare("UPDATE outbox SET due_at = 0 WHERE due_at IS NOT NULL").run();
      await app.tick(new Date());
    },
    async nextDay(ms = 24 * 60 * 60 * 1000) {
      await app.idle();
      await app.db.prepare("UPDATE outbox SET created_at = created_at - ?").bind(ms).run();
      await app.db.prepare("UPDATE tries SET at = at - ?").bind(ms).run();
    },
  });
}
