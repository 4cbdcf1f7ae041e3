import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, inArray, sql } from "drizzle-orm";
import { ACCOUNT_RECORDS_MAX, endSession, newSession } from "#app/accounts/access.server.ts";
import { register } from "#app/accounts/accounts.server.ts";
import type { Registration } from "#app/accounts/user.schema.ts";
import { batch } from "#app/db/client.server.ts";
import { outbox, users, verificationLog } from "#app/db/schema.ts";
import { ACCOUNT_BYTES_MAX } from "#app/db/stored-bytes.server.ts";
import { newRequestMail } from "#app/mail/outbox.server.ts";
import { checkExport } from "#app/proof/check.server.ts";
import { createExport } from "#app/proof/create-export.server.ts";
import { choiceSchema } from "#app/proof/verified-records.server.ts";
import { addEntries } from "#app/records/entry/add-entries.server.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import type { Kind } from "#app/records/kind.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";
import { saveRecord } from "#app/records/save.server.ts";
import { loadContext } from "#app/server/context.server.ts";
import { addSupervisor, type Supervisor } from "#app/supervisors/supervisors.server.ts";
import { verificationUrl } from "#app/verification/requests/own-requests.server.ts";
import { requestRecord } from "#app/verification/requests/request.server.ts";
import { evidenceOf } from "./evidence.ts";
import { JOBS } from "./jobs.ts";
import { DEMO_ADMIN, DEMO_COMPANY, DEMO_SUPERVISORS, DEMO_TECHNICIAN } from "./people.ts";
import { addRequestsOfSeveral, openAndAnswer } from "./several.ts";
import { addDemoTargets } from "./targets.ts";
import { type Plan, type PlannedRecord, yearOf } from "./year.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** A year of about 255 working days. */
const YEAR: Plan = {
  seed: 1042,
  jobs: JOBS,
  workDays: 255,
  entries: { count: 90, pending: 8, requested: 9 },
  ropeHours: { count: 15, pending: 2, requested: 2 },
};

/** Where the demo is filled in. */
interface Target {
  database: D1Database;
  origin: string;
  secret: string;
}

/** The rows that were added. */
export interface Added {
  /** The number of accounts: 0 if all of the demo is there already. */
  accounts: number;
  /** The link of an open verification request, if one was made. */
  openLink: string | null;
}

/** Thrown if accounts are missing and the audit log has events. Nothing was changed. */
export class HasEventsError extends Error {}

const HAS_EVENTS =
  "This database has verifications, or requests for them. The demo's are of the last year, so they would be dated before those that are there, and `npm run verify-log` would report them. Nothing was added. Fill in the demo where nothing is verified yet: in a new data folder.";

/**
 * Fills in a demo technician with a year of records, an admin, and the technicians of their company; an account that exists
 * already stays as it is. The records go through the app's own functions, each at its own time, so the data is such as
 * people could have entered, and the audit log is complete. Calls `onStart` if there is something to add.
 * @throws {HasEventsError} if some of it is missing where the audit log has events: the demo's are of the past
 */
export async function fillDemo(target: Target, onStart = () => {}, now = new Date()): Promise<Added> {
  const { db } = await contextAt(target, now, null);
  const people = [
    { account: DEMO_TECHNICIAN, daysAgo: 372, plan: YEAR },
    { account: DEMO_ADMIN, daysAgo: 371, plan: null },
    ...DEMO_COMPANY.map((account, index) => ({ account, daysAgo: 365 - 8 * index, plan: planOf(index) })),
  ];
  const emails = people.map(({ account }) => account.email);
  const known = await db.select({ email: users.email }).from(users).where(inArray(users.email, emails));
  const missing = people.filter(({ account }) => !known.some(({ email }) => email === account.email));
  if (missing.length > 0) {
    const events = await db.select({ id: verificationLog.id }).from(verificationLog).limit(1);
    if (events.length > 0) throw new HasEventsError(HAS_EVENTS);
    onStart();
  }
  const added: Person[] = [];
  for (const { account, daysAgo, plan } of missing)
    added.push(await addPerson(target, account, plan, new Date(now.getTime() - daysAgo * DAY_MS), now));
  // In the order of their times, as those of the audit log run with its ids.
  const steps = added.flatMap(({ steps }) => steps).sort((one, next) => one.at.getTime() - next.at.getTime());
  for (const { run } of steps) await run();
  for (const { end } of added) await end();
  return { accounts: missing.length, openLink: added.map(({ links }) => links[0]).find(Boolean) ?? null };
}

/** A technician with their records, and what happens to these: each step at its time, then the end. */
interface Person {
  steps: { at: Date; run(): Promise<void> }[];
  end(): Promise<void>;
  /** The links of their open requests. */
  links: string[];
}

/** The smaller log of one of the company's technicians: two or three jobs since their registration. */
function planOf(index: number): Plan {
  const jobs = Array.from({ length: 2 + (index % 2) }, (_, job) => JOBS[(index * 5 + job * 3) % JOBS.length]);
  return {
    seed: index,
    jobs: jobs.filter((job) => job !== undefined),
    workDays: 240 - 6 * index,
    entries: { count: 6 + ((index * 7) % 9), pending: 1 + (index % 3), requested: index % 4 },
    ropeHours: { count: index % 4, pending: index % 2, requested: 1 },
  };
}

/** Registers a technician and adds the records of their plan; without one, registers an admin. */
async function addPerson(
  target: Target,
  registration: Registration,
  plan: Plan | null,
  registeredAt: Date,
  now: Date,
): Promise<Person> {
  const visitor = await contextAt(target, registeredAt, null);
  const { db } = visitor;
  const { user, sessionToken } = await register(visitor, registration);
  await endSession(db, sessionToken);
  await db.update(users).set({ emailConfirmedAt: registeredAt }).where(eq(users.id, user.id));
  if (!plan) {
    await db.update(users).set({ isAdmin: true }).where(eq(users.id, user.id));
    return { steps: [], end: async () => {}, links: [] };
  }
  // A session that lasts from the first record to the last.
  const session = newSession(await contextAt(target, now, null), sql`${users.id} = ${user.id}`);
  await batch(db, session.statements);

  const evidence = registration === DEMO_TECHNICIAN ? evidenceOf(now) : [];
  const supervisors = new Map<number, Supervisor>();
  for (const index of new Set([
    ...plan.jobs.map(({ supervisor }) => supervisor),
    ...evidence.map(({ planned }) => planned.supervisor),
  ])) {
    const chosen = DEMO_SUPERVISORS[index];
    if (!chosen) throw new Error(`the demo has no supervisor ${index}`);
    const { added } = await batch(db, {
      added: addSupervisor(visitor, user.id, chosen, null),
    });
    for (const supervisor of added) supervisors.set(index, supervisor);
  }

  const links: string[] = [];
  const steps: Person["steps"] = [];
  const pending = new Map<Kind, number[]>();
  const verify = <Values>(kind: Kind, id: number, { requestedAt, verifiedAt, ...planned }: PlannedRecord<Values>) => {
    const supervisor = supervisors.get(planned.supervisor);
    if (!requestedAt) pending.set(kind, [...(pending.get(kind) ?? []), id]);
    if (!supervisor || !requestedAt) return;
    let token = "";
    const ask = async () => {
      const technician = await contextAt(target, requestedAt, session.token);
      const { request } = await requestRecord(technician, kind, id, { supervisorId: supervisor.id });
      token = request.token;
      if (!verifiedAt) links.push(verificationUrl(technician, token));
    };
    const answer = async () => {
      const visitor = await contextAt(target, verifiedAt ?? now, null);
      await openAndAnswer(visitor, token, { supervisorName: supervisor.name, via: "mailbox" });
    };
    steps.push({ at: requestedAt, run: ask }, ...(verifiedAt ? [{ at: verifiedAt, run: answer }] : []));
  };

  // No certificate is verified yet.
  const holder = { id: user.id, recordsMax: ACCOUNT_RECORDS_MAX, bytesMax: ACCOUNT_BYTES_MAX, held: [] };
  const { entries, ropeHours } = yearOf(plan, now);
  for (const week of groupByTime(entries)) {
    const at = week[0]?.loggedAt ?? now;
    const values = week.map((planned) => planned.values);
    const saved = await addEntries(db, holder, values, null, at);
    for (const [index, planned] of week.entries()) verify(entryKind, saved.entries[index]?.id ?? 0, planned);
  }
  for (const planned of ropeHours) {
    const saved = await saveRecord(db, holder, ropeHoursKind, planned.values, null, planned.loggedAt);
    verify(ropeHoursKind, saved.record.id, planned);
  }
  for (const { kind, planned } of evidence) {
    const saved = await saveRecord(db, holder, kind, planned.values, null, planned.loggedAt);
    verify(kind, saved.record.id, planned);
  }
  const end = async () => {
    if (registration === DEMO_TECHNICIAN) await addFinish();
    await endSession(db, session.token);
    // The demo sends no emails, and its pages show no failed ones.
    await db.delete(outbox).where(eq(outbox.userId, user.id));
  };
  const addFinish = async () => {
    const technician = await contextAt(target, new Date(now.getTime() - 2 * HOUR_MS), session.token);
    const visitor = await contextAt(target, new Date(now.getTime() - HOUR_MS), null);
    const ofJobs = plan.jobs.map(({ supervisor }) => supervisors.get(supervisor)?.id ?? 0);
    const asked = { entries: pending.get(entryKind) ?? [], ropeHours: pending.get(ropeHoursKind) ?? [] };
    await addRequestsOfSeveral(technician, visitor, asked, [...new Set(ofJobs)].reverse());
    // With one form that was handed in, and checked once.
    const { code } = await createExport(technician, choiceSchema.parse({ form: "ojt" }), null);
    await checkExport(visitor, code, true);
    await addDemoTargets(db, user.id, now);
  };
  return { steps, end, links };
}

/** Records that were logged at the same time are saved together. */
function groupByTime<Values>(list: PlannedRecord<Values>[]): PlannedRecord<Values>[][] {
  const groups = new Map<number, PlannedRecord<Values>[]>();
  for (const planned of list) {
    const time = planned.loggedAt.getTime();
    groups.set(time, [...(groups.get(time) ?? []), planned]);
  }
  return [...groups.values()];
}

/** The load context of a request at that time, by the owner of a session, or by a visitor if it is null. */
async function contextAt(
  { database, origin, secret }: Target,
  now: Date,
  sessionToken: string | null,
): Promise<AppLoadContext> {
  const visit = { id: "seed", method: "POST", route: "demo", userId: null, conflicts: [] };
  const env = { DB: database, PUBLIC_ORIGIN: origin };
  const context = await loadContext(new Request(origin), env, secret, newRequestMail(false), visit);
  return { ...context, now, sessionToken };
}
