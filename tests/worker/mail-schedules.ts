import { connect } from "#app/db/client.server.ts";
import { deliverOutbox, type MailConfig, sweepOutbox } from "#app/mail/deliver.server.ts";
import type { MailSettings } from "#app/mail/settings.server.ts";
import { supervisorEmails } from "#app/supervisor-mail/emails.server.ts";
import { recipientOf } from "#app/supervisor-mail/limits.server.ts";
import { randomFrom } from "#demo/random.ts";
import { rows } from "./database.ts";
import type { Behaviour, FakeMailChannels } from "./fake-mailchannels.ts";
import { entryRow, insert, itemRow, requestRow, userRow } from "./rows.ts";
import { stoppingDatabase } from "./stopping-database.ts";

/** The result of one schedule of faults for one email. */
export interface ScheduleResult {
  seed: number;
  state: string;
  /** The number of delivered copies. */
  copies: number;
  /** The number of attempts with an unknown outcome, caused by the service or by a stopped Worker. */
  unknownOutcomes: number;
  /** From the change to the end, in virtual milliseconds. */
  took: number;
  links: number;
}

const HTML = { body: "<html>no</html>", type: "text/html" };

/** The behaviours of the service, the common ones more often. */
const BEHAVIOURS: Behaviour[] = [
  "send",
  "send",
  "send late",
  { status: 500 },
  { status: 500 },
  { status: 429 },
  { status: 503, ...HTML },
  { status: 200, ...HTML },
  { status: 413 },
  { status: 401 },
  { status: 403 },
  "half a body",
  "drop late",
  "drop early",
  "hang",
];

const MINUTE = 60_000;
const DAYS_90 = 90 * 24 * 60 * MINUTE;

/** How long an attempt waits for a service that does not answer. */
const HANG_MS = 120;

/**
 * Runs one email from the change that causes it to its end, under faults chosen by the seed: the service's behaviour at
 * each attempt, whether it is down or refuses the key for the first hour, the D1 round trip at which the Worker stops (before or after it
 * takes effect), and whether two sweeps run at once. After some faults everything works again. The clock is virtual and
 * advances by the timer's minute.
 */
export async function runSchedule(
  seed: number,
  binding: D1Database,
  service: FakeMailChannels,
  settings: MailSettings,
): Promise<ScheduleResult> {
  const random = randomFrom(seed);
  const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T; // never empty
  const start = Date.parse("2026-11-21T12:00:00Z") + seed * 7 * 86_400_000; // after every other schedule
  const { id, token } = await prepare(binding, seed, start);

  let faultsLeft = Math.floor(random() * 5);
  const isDown = random() < 0.2;
  const downUntil = start + (isDown ? 60 * MINUTE : 0);
  const whileDown = pick<Behaviour>([{ status: 503, ...HTML }, { status: 401 }, { status: 403 }]);
  const isCut = isDown && random() < 0.3;
  let unknownOutcomes = 0;
  let now = start;
  // Drawn before the attempt: only one that hangs may time out, even on a busy machine.
  let next: Behaviour = "send";
  const draw = () => {
    service.isCut = isCut && now < downUntil;
    next = now < downUntil ? whileDown : faultsLeft > 0 ? pick(BEHAVIOURS) : "send";
  };
  service.behave(() => {
    if (now >= downUntil && faultsLeft > 0) faultsLeft -= 1;
    const isDoubtful = typeof next === "object" ? next.status === 200 : !["send", "send late"].includes(next);
    if (isDoubtful) unknownOutcomes += 1;
    return next;
  });

  /** Runs one invocation of the Worker, which may stop in the middle. */
  const invoke = async (work: (mail: MailConfig) => Promise<void>) => {
    const stopsAt = faultsLeft > 0 && random() < 0.4 ? 1 + Math.floor(random() * 5) : Number.POSITIVE_INFINITY;
    if (stopsAt < Number.POSITIVE_INFINITY) faultsLeft -= 1;
    const { database, isDead } = stoppingDatabase(binding, stopsAt, random() < 0.5);
    const timeout = next === "hang" ? HANG_MS : settings.timeout;
    const mail: MailConfig = {
      db: connect(database),
      settings: { ...settings, timeout },
      secret: "secret",
      composers: supervisorEmails,
    };
    await work(mail).catch((error) => {
      if (!isDead()) throw error;
    });
  };

  const lease = `request-${seed}`;
  draw();
  await invoke((mail) => deliverOutbox(mail, lease, new Date(now)));
  for (let ticks = 0; ticks < 200; ticks += 1) {
    const [message] = await rows<{ state: string; due_at: number | null; unknown_outcomes: number }>(
      binding,
      "SELECT state, due_at, unknown_outcomes FROM outbox WHERE id = ?",
      id,
    );
    if (!message || message.due_at === null) {
      const copies = service.delivered.filter(({ text }) => text.includes(token));
      const received = service.received.filter(({ text }) => text.includes(token));
      const links = new Set(received.map(({ text }) => text.match(/http\S+/)?.[0])).size;
      // A stopped Worker is an unknown outcome of its own, which only the outbox can count.
      const all = Math.max(unknownOutcomes, message?.unknown_outcomes ?? 0);
      return {
        seed,
        state: message?.state ?? "gone",
        copies: copies.length,
        unknownOutcomes: all,
        took: now - start,
        links,
      };
    }
    now = Math.max(now + MINUTE, start + Math.ceil((message.due_at - start) / MINUTE) * MINUTE);
    draw();
    const sweeps = random() < 0.3 ? [1, 2] : [1];
    await Promise.all(sweeps.map(() => invoke((mail) => sweepOutbox(mail, new Date(now), { waitUntil() {} }))));
  }
  throw new Error(`schedule ${seed}: the message has not ended`);
}

/** A technician, an entry with an open link, and the email to its supervisor: all that the change has stored. */
async function prepare(binding: D1Database, seed: number, now: number): Promise<{ id: number; token: string }> {
  const token = `00000000-0000-4000-8000-${String(seed).padStart(12, "0")}`;
  const userId = await insert(binding, "users", userRow({ email: `t${seed}@example.com` }));
  const recordId = await insert(binding, "records", entryRow({ user_id: userId }));
  const asked = {
    user_id: userId,
    token,
    own_record_id: recordId,
    supervisor_email: `s${seed}@example.com`,
    requested_at: now,
  };
  const requestId = await insert(binding, "verification_requests", requestRow({ ...asked, expires_at: now + DAYS_90 }));
  await insert(binding, "verification_items", itemRow({ request_id: requestId, record_id: recordId }));
  const id = await insert(binding, "outbox", {
    kind: "verification_requested",
    user_id: userId,
    request_id: requestId,
    recipient: recipientOf({ secret: "secret" }, { userId, address: asked.supervisor_email }),
    state: "waiting",
    lease: `request-${seed}`,
    due_at: now,
    created_at: now,
  });
  return { id, token };
}

export interface Tally {
  schedules: number;
  sent: number;
  /** Ended without delivery, and the technician saw that and got the link. */
  told: number;
  /** Neither delivered nor reported. */
  lost: number;
  doubled: number;
  /** Sent twice although every outcome was known, or more than twice, or with another link: never allowed. */
  wrong: ScheduleResult[];
  slowestMinutes: number;
}

export function tally(fates: ScheduleResult[]): Tally {
  const isTold = ({ state }: ScheduleResult) => state === "failed" || state === "unknown";
  return {
    schedules: fates.length,
    sent: fates.filter(({ state }) => state === "sent").length,
    told: fates.filter(isTold).length,
    lost: fates.filter((fate) => fate.copies === 0 && !isTold(fate)).length,
    doubled: fates.filter(({ copies }) => copies > 1).length,
    wrong: fates.filter(
      ({ copies, unknownOutcomes, links }) => copies > 2 || (copies > 1 && unknownOutcomes === 0) || links > 1,
    ),
    slowestMinutes: Math.round(Math.max(...fates.map(({ took }) => took)) / MINUTE),
  };
}
