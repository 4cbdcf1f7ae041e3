import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { batch, connect } from "#app/db/client.server.ts";
import { type Compose, deliverOutbox, isEmail, type MailConfig, sweepOutbox } from "#app/mail/deliver.server.ts";
import { newRequestMail } from "#app/mail/outbox.server.ts";
import type { MailSettings } from "#app/mail/settings.server.ts";
import { supervisorEmails } from "#app/supervisor-mail/emails.server.ts";
import { queueRequestEmail } from "#app/supervisor-mail/request.server.ts";
import { sweepRequests } from "#app/sweeps/run-sweeps.server.ts";
import { insertRequest, renewRequest } from "#app/verification/requests/request-statements.server.ts";
import { pick, randomFrom } from "#demo/random.ts";
import { rows } from "./database.ts";
import type { Behaviour, FakeMailChannels } from "./fake-mailchannels.ts";
import { entryRow, insert, tokenNumber, userRow } from "./rows.ts";
import { stoppingDatabase } from "./stopping-database.ts";
import { storeAnswer, untoldAnswers } from "./stored-answers.ts";

/** An email that a supervisor got. A second copy of one (after an unknown outcome) is not listed. */
export interface Arrived {
  kind: string;
  message: number;
  at: number;
  /** The numbers of the requests whose links it has. */
  requests: number[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FAULTS: Behaviour[] = [
  ...(["send", "send late", "half a body", "drop late", "drop early", "hang"] as const),
  ...[{ status: 500 }, { status: 429 }, { status: 503, body: "<html>no</html>", type: "text/html" }],
];

/** The kinds of email that a supervisor gets. */
const KINDS = ["verification_requested", "verification_reminder", "supervisor_notice"];

const ZONES = ["UTC", "Europe/Oslo", "Asia/Tokyo", "America/Los_Angeles", "Pacific/Auckland"];

/**
 * Runs 36 days of one supervisor, in virtual time: up to seven requests of up to three technicians, sent again and
 * answered at random, while the mail service fails, hangs, or is down for up to a day and a half, the Worker stops in
 * the middle, and no timer fires for days. Returns what arrived, in order, and how many answers were in no notice
 * within ten days after.
 */
export async function runReminders(
  seed: number,
  binding: D1Database,
  service: FakeMailChannels,
  settings: MailSettings,
): Promise<{ arrived: Arrived[]; timeZone: string; requests: number; untold: number }> {
  const next = randomFrom(seed);
  const start = Date.parse("2026-11-21T00:00:00Z") + seed * 90 * DAY; // after every other schedule
  const timeZone = pick(next, ZONES);
  const address = `s${seed}@example.com`;
  const users = await Promise.all(
    Array.from({ length: 1 + Math.floor(next() * 3) }, (_, n) =>
      insert(binding, "users", userRow({ email: `t${seed}-${n}@example.com` })),
    ),
  );
  const tokens: string[] = [];
  const arrived: Arrived[] = [];
  const copies = new Set<number>();
  // Mostly when reminders are due.
  const down = start + pick(next, [5, 12, 19, 5 + next() * 20]) * DAY - next() * 8 * HOUR;
  const downUntil = down + (next() < 0.7 ? next() * 1.5 * DAY : 0);
  const faulty = next() * 0.4;
  let now = start;
  let behaviour: Behaviour = "send";
  // Each email has the id of its message, to distinguish a second copy from a second email.
  const composers: MailConfig["composers"] = Object.fromEntries(
    Object.entries(supervisorEmails).map(([kind, compose]): [string, Compose] => [
      kind,
      async (context, message) => {
        const email = await compose(context, message);
        return !isEmail(email) ? email : { ...email, notes: [...email.notes, `#${kind}#${message.id}#`] };
      },
    ]),
  );
  service.behave(() => behaviour);

  // Drawn before the attempt: only one that hangs may time out, even on a busy machine.
  const draw = () => {
    const isDown = now >= down && now < downUntil;
    behaviour = isDown ? { status: 503 } : next() < faulty ? pick(next, FAULTS) : "send";
  };
  let isCalm = false;
  const invoke = async (work: (mail: MailConfig) => Promise<unknown>) => {
    const stopsAt = !isCalm && next() < faulty / 2 ? 1 + Math.floor(next() * 12) : Number.POSITIVE_INFINITY;
    const { database, isDead } = stoppingDatabase(binding, stopsAt, next() < 0.5);
    const timeout = behaviour === "hang" ? 60 : settings.timeout;
    const mail = { db: connect(database), settings: { ...settings, timeout }, secret: "secret", composers };
    await work(mail).catch((error) => {
      if (!isDead()) throw error;
    });
    for (const { to, text } of service.delivered.splice(0)) {
      const [, kind = "", id] = text.match(/#(\w+)#(\d+)#/) ?? [];
      if (to !== address || !KINDS.includes(kind) || copies.has(Number(id))) continue;
      copies.add(Number(id));
      const requests = tokens.flatMap((token, number) => (text.includes(token) ? [number] : []));
      arrived.push({ kind, message: Number(id), at: now, requests });
    }
  };

  /** A technician asks, or sends the email of a request again. */
  const ask = (renewed: number | null) =>
    invoke(async (mail) => {
      const request = newRequestMail(true);
      const context = { db: mail.db, now: new Date(now), secret: "secret", mail: request } as AppLoadContext; // what is used
      const supervisor = { name: "Ola Hansen", email: address };
      if (renewed !== null) {
        const token = tokens[renewed] ?? "";
        const userId = users[renewed % users.length] ?? 0;
        const asked = { userId, token, supervisorId: sql<number>`NULL`, supervisor, isReaddressed: false };
        const cause = { userId, records: [], address };
        await batch(mail.db, {
          renewed: renewRequest(mail.db, { ...asked, now: context.now }),
          email: queueRequestEmail(context, { ...cause, token, submission: null, mayJoin: false }),
        });
      } else {
        const userId = users[tokens.length % users.length] ?? 0;
        const token = tokenNumber(seed * 10 + tokens.length);
        const id = await insert(binding, "records", entryRow({ user_id: userId }));
        tokens.push(token);
        const records = [id];
        await batch(mail.db, {
          made: insertRequest(mail.db, {
            userId,
            token,
            ownRecordId: id,
            supervisorId: sql<number>`NULL`,
            supervisor,
            submission: null,
            records,
            now: context.now,
            at: context.now,
            timeZone,
          }),
          email: queueRequestEmail(context, { userId, token, records, address, submission: null, mayJoin: false }),
        });
      }
      await deliverOutbox(mail, request.lease, context.now);
    });

  const tick = () =>
    invoke(async (mail) => {
      const at = new Date(now);
      await sweepRequests(mail.db, at, mail);
      await sweepOutbox(mail, at, { waitUntil() {} });
    });

  // Some days begin with more requests than a supervisor may get emails.
  for (let left = next() < 0.4 ? 7 : 2; left > 0; left -= 1) await ask(null);
  while (now < start + 36 * DAY) {
    draw();
    const dice = next();
    if (dice < 0.15 && tokens.length < 5 && now < start + 14 * DAY) await ask(null);
    else if (dice < 0.17) await ask(Math.floor(next() * tokens.length));
    else if (dice < 0.26) {
      // Two requests are often answered one after the other, so that a second notice is due on the same day.
      await storeAnswer(binding, pick(next, tokens), now);
      await tick();
      now += HOUR;
      await storeAnswer(binding, pick(next, tokens), now);
    }
    await Promise.all(next() < 0.2 ? [tick(), tick()] : [tick()]);
    const isDown = now >= down && now < downUntil;
    const isStopped = next() < 0.04; // for days no timer fires
    now = Math.round(
      Math.max(await nextInstant(binding, now, now + next() * 3 * DAY), isDown ? now + next() * 8 * HOUR : 0),
    );
    if (isStopped) now += Math.round(next() * 8) * DAY;
  }
  isCalm = true;
  // Ten days in which everything works, and what could not be sent before is. Only the minutes at which something is due
  // need a tick, and one a day for the notices, which are due a day after the one before.
  for (const end = now + 10 * DAY; now < end; now = await nextInstant(binding, now, now + DAY)) {
    behaviour = "send";
    await tick();
  }
  return { arrived, timeZone, requests: tokens.length, untold: await untoldAnswers(binding, address) };
}

/** The next minute at which something is due, at the latest a given one. */
async function nextInstant(binding: D1Database, now: number, latest: number): Promise<number> {
  const [due] = await rows<{ at: number | null }>(
    binding,
    `SELECT min(at) AS at FROM (SELECT min(due_at) AS at FROM outbox WHERE due_at IS NOT NULL UNION ALL
      SELECT min(remind_at) FROM verification_requests WHERE ended_at IS NULL AND remind_at IS NOT NULL)`,
  );
  const at = due?.at ?? Number.POSITIVE_INFINITY;
  return Math.max(now + 60_000, Math.ceil(Math.min(latest, at) / 60_000) * 60_000);
}
