import { sessionId } from "#app/accounts/access.server.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import { pick } from "#demo/random.ts";
import type { Client } from "#tests/worker/client.ts";
import type { MailApp } from "#tests/worker/mail.ts";
import { PASSWORD_HASH } from "#tests/worker/people.ts";
import { Knowledge, learning } from "./attacker.ts";

interface Account {
  user: number;
  /** The address with which it was made. */
  email: string;
  browser: Client;
  entries: number[];
  supervisors: number[];
  requests: number[];
}

/** A technician who wants hours verified in the name of others, with two accounts or more and their own mailboxes. */
export interface Intruder {
  app: MailApp;
  /** Differs from that of every other. */
  run: number;
  next: () => number;
  accounts: Account[];
  /** A browser that is signed out. */
  anonymous: Client;
  known: Knowledge;
  /** Addresses whose mailbox is theirs, and such of other people. */
  own: string[];
  foreign: string[];
  /** How many things the intruder will still do. */
  acts: number;
  /** The accounts whose reminders become due when the timer comes next. */
  waiting: number[];
  /** The acts of the intruder. */
  trace: string[];
}

/** One thing that an intruder does, with random records, supervisors, requests and secrets. */
export type Act = (intruder: Intruder, account: Account) => Promise<unknown>;

let runs = 0;

/** The stored rows of an account before anything happens. */
interface NewAccount {
  email: string;
  /** The token of its session. */
  token: string;
  /** The addresses of its saved supervisors. */
  addresses: string[];
}

/**
 * An intruder for each of these generators, with two accounts, each with two entries and with saved supervisors at an own and
 * at a foreign address. All of them are stored in one transaction, because thousands are needed.
 */
export async function newIntruders(app: MailApp, generators: (() => number)[]): Promise<Intruder[]> {
  const all = generators.map((next) => {
    runs += 1;
    const run = runs;
    const own = [0, 1].map((n) => `me-${run}-${n}@own.example`);
    const foreign = [0, 1].map((n) => `boss-${run}-${n}@plant.example`);
    const accounts = [0, 1].map((n) => ({
      email: `account-${run}-${n}@own.example`,
      token: `session-${String(run).padStart(6, "0")}-${n}`,
      addresses: [own[n] ?? "", foreign[n] ?? ""],
    }));
    return { run, next, own: [...own, ...accounts.map(({ email }) => email)], foreign, accounts };
  });
  const stored = all.flatMap(({ accounts }) => accounts.map((account) => statementsFor(app.db, account)));
  const results = await app.db.batch<{ id: number }>(stored.flat());
  const ids = results.map(({ results: list }) => list.map(({ id }) => id));
  return all.map(({ accounts: made, ...intruder }) => {
    const known = new Knowledge();
    const accounts = made.map(({ email, token }) => {
      const [users = [], , supervisors = [], entries = []] = ids.splice(0, 4);
      const cookie = Buffer.from(JSON.stringify(token)).toString("base64");
      const browser = learning(app.as(new Map([["session", encodeURIComponent(cookie)]])), known);
      return { user: users[0] ?? 0, email, browser, supervisors, entries, requests: [] };
    });
    const anonymous = learning(app.as(new Map()), known);
    return { ...intruder, app, accounts, anonymous, known, acts: 0, waiting: [], trace: [] };
  });
}

/** The four statements that store an account, each of which returns ids. */
function statementsFor(db: D1Database, { email, token, addresses }: NewAccount): D1PreparedStatement[] {
  const at = Date.now();
  const user = "(SELECT id FROM users WHERE email = ?)";
  return [
    db
      .prepare(
        "INSERT INTO users (email, password, name, search, created_at) VALUES (?, ?, 'Mallory', '', ?) RETURNING id",
      )
      .bind(email, PASSWORD_HASH, at),
    db
      .prepare(
        `INSERT INTO sessions (id, user_id, created_at, expires_at, reference) VALUES (?, ${user}, ?, ?, ?)
          RETURNING user_id AS id`,
      )
      .bind(sessionId(token), email, at, at + 86_400_000, token),
    db
      .prepare(
        `INSERT INTO supervisors (user_id, name, email, mailbox, phone, certification_level, company, created_at)
          SELECT ${user}, 'Ola Hansen', value, value, '555', 'Level II', 'Plant AS', ? FROM json_each(?) RETURNING id`,
      )
      .bind(email, at, JSON.stringify(addresses)),
    db
      .prepare(
        `INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
          SELECT ${user}, 'entry', '2026-11-20', 'Rig', 'MT', value, '', ? FROM json_each('[400, 800]') RETURNING id`,
      )
      .bind(email, at),
  ];
}

/** Deletes what the accounts of these intruders left: thousands of them would slow down the timer. */
export async function forget(app: MailApp, intruders: Intruder[]): Promise<void> {
  await app.db
    .prepare("DELETE FROM users WHERE id IN (SELECT value FROM json_each(?))")
    .bind(JSON.stringify(intruders.flatMap(userIds)))
    .run();
}

/** The ids of the accounts of an intruder. */
export function userIds({ accounts }: Intruder): number[] {
  return accounts.map(({ user }) => user);
}

/** Runs the timer for those who wait for it: when their reminders are due, at noon of every zone's day. */
export async function tickFor(app: MailApp, intruders: Intruder[]): Promise<void> {
  const users = intruders.flatMap(({ waiting }) => waiting.splice(0));
  if (users.length === 0) return;
  const offset = new Date().getUTCHours() - 12;
  const zone = `Etc/GMT${offset < 0 ? "" : "+"}${offset}`; // its sign is the opposite of the usual one
  await app.db
    .prepare(
      `UPDATE verification_requests SET remind_at = 1, time_zone = ?1, supervisor_time_zone = ?1
        WHERE user_id IN (SELECT value FROM json_each(?2))`,
    )
    .bind(zone, JSON.stringify(users))
    .run();
  await app.tickOnWorkday();
}

/** The unread emails, by mailbox. */
const mailboxes = new Map<string, string[]>();

/** The intruder reads the mailboxes that are theirs. */
export async function readMail({ app, own, known }: Intruder): Promise<void> {
  await app.idle();
  for (const { to, text, html } of app.mailChannels.delivered.splice(0)) {
    const mailbox = normalizeMailbox(to);
    mailboxes.set(mailbox, [...(mailboxes.get(mailbox) ?? []), text, html]);
  }
  for (const mailbox of own.map(normalizeMailbox)) {
    for (const text of mailboxes.get(mailbox) ?? []) known.learn(text);
    mailboxes.delete(mailbox);
  }
}

/** A random item of a list, if it has any. */
export function some<Item>(next: () => number, list: readonly Item[]): Item | undefined {
  return list.length > 0 ? pick(next, list) : undefined;
}
