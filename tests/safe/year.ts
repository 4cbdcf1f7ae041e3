import type { Client } from "#tests/worker/client.ts";
import { count, rows } from "#tests/worker/database.ts";
import { move } from "#tests/worker/email-changes.ts";
import { csvOf, upload } from "#tests/worker/imports.ts";
import { type MailApp, startMailApp } from "#tests/worker/mail.ts";
import { PASSWORD, type Supervisor, type Technician } from "#tests/worker/people.ts";

/*
 * A year of use, in seconds: the app's clock is set, technicians and supervisors do through its calls what they do in a
 * month, and the timer runs on some of the days.
 */

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** The days of a month: the simulated year has 360. */
export const DAYS = 30;

export interface Year {
  app: MailApp;
  /** The number of rows of each table, and of the deleted records, at the end of each month. */
  sizes: Map<string, number[]>;
  /** Links of the first month, by what became of them. */
  links: Map<string, string>;
}

/**
 * The amount of work. `timerEvery` is the number of days between two of the days on which the timer runs, beside those
 * on which people work: 6 at most, because the work of day 8 waits for the emails that an outage has left.
 */
interface Scope {
  months: number;
  technicians: number;
  timerEvery: number;
  sabotage?: [from: string, to: string][];
}

export async function simulateYear({ months, technicians, timerEvery, sabotage = [] }: Scope): Promise<Year> {
  const app = await startMailApp({}, { sabotage });
  const people: Person[] = [];
  for (let n = 0; n < technicians; n += 1) {
    const who = await app.register();
    people.push({ who, email: who.user.email, known: await who.addSupervisor(), links: new Map() });
  }
  const start = Math.ceil((Date.now() - 11 * HOUR) / DAY) * DAY + 12 * HOUR; // the next noon that is an hour away
  const sizes = new Map<string, number[]>();
  for (let month = 0; month < months; month += 1) {
    for (let day = 0; day < DAYS; day += 1) {
      // Noon, so that reminders are sent.
      const noon = new Date(start + (month * DAYS + day) * DAY);
      const work = WORK[day];
      if (!work && day % timerEvery !== 0) continue;
      await app.setClock(noon);
      // In every other month the mail service does not work for a while.
      app.mailChannels.behave({ status: month % 2 === 1 && day < 5 ? 503 : 202 });
      for (const person of people) await work?.(app, person, month, noon);
      await app.idle();
      await app.tick(new Date(noon.getTime() + HOUR));
    }
    for (const table of await tablesOf(app)) {
      sizes.set(table, [...(sizes.get(table) ?? []), await count(app.db, table)]);
    }
    const deleted = await count(app.db, "records", "deleted_at IS NOT NULL");
    sizes.set("deleted records", [...(sizes.get("deleted records") ?? []), deleted]);
  }
  return { app, sizes, links: people[0]?.links ?? new Map() };
}

interface Person {
  who: Technician;
  /** The address of the account, which changes every month. */
  email: string;
  known: Supervisor;
  links: Map<string, string>;
}

/** The work of a technician and their supervisors on some days of each month. */
const WORK: Record<number, (app: MailApp, person: Person, month: number, now: Date) => Promise<void>> = {
  async 0(app, { who, email }, _month, now) {
    for (const password of ["wrong horse battery", "another wrong one"]) {
      await app.json("POST", "/api/auth/login", { email, password });
    }
    // On the phone, whose earlier session ends about now, and on another device, whose session stays.
    for (const device of [who, app]) await ok(device.json("POST", "/api/auth/login", { email, password: PASSWORD }));
    const expiresOn = now.toISOString().slice(0, 10);
    await ok(who.json("POST", "/api/tokens", { name: "Payroll", access: "read", expiresOn }));
    await ok(app.json("POST", "/api/auth/reset-password", { email }));
    await ok(who.json("POST", "/api/user/email", { email: `next-${email}`, password: PASSWORD }));
    await app.get(`/verify/${crypto.randomUUID()}`);
  },

  async 1(app, { who, known, links }) {
    const [verified, declined, expired, withdrawn, edited, deleted] = await who.addEntries(6);
    const keep = (what: string, token: string) => links.has(what) || links.set(what, token);
    const ask = async (what: string, entry = verified) => {
      const token = await who.requestVerification(entry?.id ?? 0, known.id);
      keep(what, token);
      return token;
    };
    const supervisorName = "Ola Hansen";
    await ok(app.json("POST", `/api/verify/${await ask("verified")}`, { supervisorName }));
    const reason = "Not my job";
    await ok(app.json("POST", `/api/verify/${await ask("declined", declined)}/decline`, { supervisorName, reason }));
    await ask("expired", expired);
    await ask("withdrawn", withdrawn);
    await ok(who.json("DELETE", `/api/verify-request/${withdrawn?.id}`));
    await ask("edited", edited);
    await ok(who.json("PATCH", `/api/entries/${edited?.id}`, { hours: 6 }));
    await ask("deleted", deleted);
    await ok(who.json("DELETE", `/api/entries/${deleted?.id}`));
    await who.addRopeHours();
  },

  async 8(app, person, month) {
    const { who, known } = person;
    person.email = `moved-${who.user.id}-${month}@example.net`;
    await move(app, who, person.email);
    const [open] = await rows<{ id: number }>(
      app.db,
      "SELECT max(id) AS id FROM verification_requests WHERE user_id = ? AND ended_at IS NULL",
      who.user.id,
    );
    await ok(who.json("POST", `/api/verification-requests/${open?.id}/remind`));
    await ok(app.json("POST", "/api/supervisor-inbox", { email: known.email }));
    await upload(who, csvOf("2026-11-20,Never applied,MT,7.5"));
    const { id } = await upload(who, csvOf("2026-11-19,Imported,MT,7.5", "2026-11-18,Imported,PT,4"));
    await ok(who.json("POST", `/api/imports/${id}/apply`));
    const fresh = await who.addSupervisor();
    const records = (await who.addEntries(4)).map((entry) => ({ type: "entry", id: entry.id }));
    const asked = await ok(who.json("POST", "/api/verification-requests", { supervisorId: fresh.id, records }));
    await app.idle(); // the email has arrived before they answer: they are a known recipient
    const { verificationToken } = asked.json<{ verificationToken: string }>();
    await app.get(`/verify/${verificationToken}`);
    await ok(app.json("POST", `/api/verify/${verificationToken}`, { supervisorName: "Ola Hansen" }));
  },

  async 12(app, { who }, month) {
    const made = await ok(who.json("POST", "/api/exports", { form: "ojt" }));
    const { id, code } = made.json<{ id: number; code: string }>();
    await ok(app.json("GET", `/api/check/${code}`));
    if (month % 2 === 0) await ok(who.json("DELETE", `/api/exports/${id}`));
    // A new user registers, and never confirms the address.
    const newcomer = { email: `newcomer-${who.user.id}-${month}@example.net`, password: PASSWORD };
    await ok(app.as(new Map()).json("POST", "/api/auth/register", newcomer));
  },
};

async function ok(answer: ReturnType<Client["json"]>) {
  const { status, text } = await answer;
  if (status >= 400) throw new Error(`expected success, got ${status}: ${text}`);
  return answer;
}

async function tablesOf({ db }: MailApp): Promise<string[]> {
  const made = await rows<{ name: string }>(db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
  return made.map(({ name }) => name).filter((name) => !/^(sqlite_|_cf_|d1_)/.test(name));
}

/** The tables of `names` that have more rows at the end than in the middle. */
export function growing({ sizes }: Year, names: string[]): string[] {
  return names.filter((table) => {
    const months = sizes.get(table) ?? [];
    // A row or two come and go with the day.
    return (months.at(-1) ?? 0) > 1.1 * (months[months.length / 2 - 1] ?? 0) + 2;
  });
}

/** The sizes as a table in Markdown. */
export function sizesTable({ sizes }: Year): string {
  const lines = [...sizes].map(([table, months]) => [`\`${table}\``, ...months.map(String)]);
  const head = (lines[0] ?? []).map((_, month) => (month === 0 ? "Table" : String(month)));
  const row = (cells: string[]) =>
    `| ${cells.map((cell, index) => (index === 0 ? cell.padEnd(23) : cell.padStart(4))).join(" | ")} |`;
  return [row(head), row(head.map((_, index) => (index === 0 ? "---" : "--:"))), ...lines.map(row)].join("\n");
}
