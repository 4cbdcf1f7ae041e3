import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { requireAdmin } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import type { Owner } from "#app/db/client.server.ts";
import { commit, type Guarded, retryOnConflict } from "#app/db/commit.server.ts";
import type { MailChange, MessageFailure, MessageKind } from "#app/db/enumerations.ts";
import { logChecks, sweepRuns } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { recentChanges } from "#app/mail/changes.server.ts";
import {
  failedMessages,
  keyRefusalOf,
  messagesOf,
  sendAgainStatements,
  stuckMessages,
  waitingMessages,
} from "#app/mail/outbox.server.ts";
import { allowEmails, countSuppressed } from "#app/mail/suppression.server.ts";
import { bytesOf, databaseLimit, databaseSize } from "#app/server/database-limit.server.ts";
import type { Env, StoredBackup } from "#app/server/env.ts";
import { logError, securityEvent } from "#app/server/logger.server.ts";
import { type Runtime, runtimeOf, VERSION } from "#app/server/version.ts";
import { eraseSupervisor } from "#app/supervisors/erase-supervisor.server.ts";
import { ifAdmin } from "./lists.server.ts";
import { eventsRead, startLogCheck } from "./log-check.server.ts";
import { type SetUpItem, setUpItems } from "./set-up-items.ts";

/** The state of the installation, as GET /api/admin/system answers it. */
export interface System {
  version: string;
  /** workerd, where the app is self-hosted: Cloudflare keeps its own up to date. */
  runtime: Pick<Runtime, "version" | "builtOn"> | null;
  /** In bytes. */
  database: { bytes: number; limit: number };
  backups: StoredBackup[];
  /** `stopped`: how many addresses stopped all emails, up to 1,000. */
  mail: { waiting: number; failed: FailedEmail[]; stopped: number; changes: ChangeOfMail[] };
  timer: { lastRun: Date | null };
  /** The last check of the audit log that was completed. */
  logCheck: { at: Date; events: number; faults: number } | null;
  /** The names of what is not configured, or not usable. */
  missing: string[];
}

/** A new version, secret or restore within 30 days, and what it did to the emails that waited. */
interface ChangeOfMail {
  kind: MailChange;
  at: Date;
  /** How many emails waited. */
  waiting: number;
  /** How many of them ended unsent; null while all are held after a restore. */
  ended: number | null;
}

/** An email that will not be tried again by itself. No part of its text is kept. */
export interface FailedEmail {
  id: number;
  kind: MessageKind;
  /** Null if the address is erased. */
  to: string | null;
  reason: MessageFailure | "unknown";
  at: Date;
}

export const REASONS: Record<FailedEmail["reason"], string> = {
  not_set_up: "Email was not configured.",
  refused: "The mail service refused it.",
  gave_up: "It was tried until it was too late.",
  unknown: "The mail service gave no answer: it may have arrived.",
};

/**
 * Returns how full the database is: `percent` is rounded down; `level` is the last of 80, 90 and 100 % that it has
 * reached.
 */
export function fullness({ bytes, limit }: System["database"]): { percent: number; level: 0 | 80 | 90 | 100 } {
  const percent = Math.floor((bytes / limit) * 100);
  return { percent, level: percent >= 100 ? 100 : percent >= 90 ? 90 : percent >= 80 ? 80 : 0 };
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** A size in decimal units, as D1's limit is: `412 MB`, `1.4 GB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? Math.round(value * 10) / 10 : Math.round(value)} ${UNITS[power]}`;
}

const MINUTE_MS = 60_000;

/** Whether the timer, which runs each minute, has missed some runs. */
export function isTimerLate({ lastRun }: System["timer"], now: Date): boolean {
  return lastRun === null || now.getTime() - lastRun.getTime() > 5 * MINUTE_MS;
}

/** Whether the newest backup is older than a night and a morning. Time Travel gives no time, and is always there. */
export function isBackupLate(backups: StoredBackup[], now: Date): boolean {
  if (backups.some(({ place }) => place === "time_travel")) return false;
  const newest = Math.max(0, ...backups.map(({ at }) => at?.getTime() ?? 0));
  return now.getTime() - newest > 30 * 60 * MINUTE_MS;
}

/** The state of the installation, with what the page says beside it. */
export interface SystemPage {
  user: User;
  system: System;
  /** The items that are not configured, with the steps to configure them. */
  open: SetUpItem[];
  /** The check of the log that is going on: since when, and how many events it has read of how many. */
  running: { since: Date; read: number; of: number } | null;
  /** The first faults of the last check, in words. */
  found: string[];
  isSelfHosted: boolean;
  /** How old the runtime is, in days; null on Cloudflare. */
  runtimeDays: number | null;
}

const isAdmin = (viewer: Owner) => sql`${ifAdmin(viewer, 1)} = 1`;

/**
 * The state of the installation, in one round trip.
 * @throws as `requireAdmin`
 */
export async function systemPage(context: AppLoadContext): Promise<SystemPage> {
  const { env, now } = context;
  const { user, size, waiting, stuck, failed, stopped, changes, sweeps, checks } = await requireAdmin(
    context,
    (viewer, db) => ({
      size: databaseSize(db),
      waiting: waitingMessages(db),
      stuck: stuckMessages(db, now),
      failed: failedMessages(db, isAdmin(viewer)),
      stopped: countSuppressed(db),
      changes: recentChanges(db, now),
      sweeps: db.select({ at: sweepRuns.at }).from(sweepRuns),
      checks: db.select().from(logChecks),
    }),
  );
  const [check] = checks;
  const items = setUpItems(env, {
    hasAdmin: true,
    keyRefusal: keyRefusalOf(waiting),
    stuck: stuck[0] ?? { waiting: 0, unknown: 0 },
  });
  const open = items.filter(({ state }) => state !== "configured");
  const runtime = env.selfHost ? runtimeOf(env.selfHost.runtime, now) : null;
  return {
    user,
    system: {
      version: VERSION,
      runtime: runtime && { version: runtime.version, builtOn: runtime.builtOn },
      database: { bytes: bytesOf(size), limit: databaseLimit(env) },
      backups: await backupsOf(env),
      mail: { waiting: waiting[0]?.waiting ?? 0, failed, stopped: stopped[0]?.n ?? 0, changes },
      timer: { lastRun: sweeps[0]?.at ?? null },
      logCheck: check?.at ? { at: check.at, events: check.events ?? 0, faults: check.faults ?? 0 } : null,
      missing: open.map(({ name }) => name),
    },
    open,
    running: check?.progress ? { since: check.startedAt, ...eventsRead(check.progress) } : null,
    found: JSON.parse(check?.found ?? "[]"),
    isSelfHosted: env.selfHost !== undefined,
    runtimeDays: runtime?.days ?? null,
  };
}

/** A folder that cannot be read has no backups; the log says why. */
async function backupsOf({ selfHost }: Env): Promise<StoredBackup[]> {
  if (!selfHost) return [{ place: "time_travel", at: null, encrypted: null, bytes: null }];
  return selfHost.backups().catch((error) => {
    logError(error);
    return [];
  });
}

const SENT = "It was sent meanwhile, or is no longer needed.";
const TOO_LATE =
  "It cannot be sent again: what it is about has ended, its link has expired, or a later email took its place. The person can ask again.";

/**
 * Sends emails once more that have failed, and returns how many. Twice is as once: one that waits already stays.
 * @throws as `requireAdmin`; {AppError} 404 if there is none of them, 409 if all were sent or are needless by now: an
 *   email that has ended or whose link has expired stays in the list of those that failed
 */
export function sendAgain(context: AppLoadContext, ids: number[]): Promise<number> {
  return retryOnConflict(context, "admin_send_again", async () => {
    const { account, found } = await requireAdmin(context, (viewer, db) => ({
      found: messagesOf(db, ids, isAdmin(viewer)),
    }));
    if (found.length === 0) throw new AppError("not_found", "There is no such email.");
    const { again, left } = await commit(context.db, [account], {
      ...sendAgainStatements(context, found),
      left: messagesOf(context.db, ids),
    });
    const waits = left.filter(({ state }) => !["failed", "unknown", "sent", "cancelled"].includes(state));
    if (waits.length === 0) {
      const isTooLate = left.some(({ state }) => state === "failed" || state === "unknown");
      throw new AppError("already_sent", isTooLate ? TOO_LATE : SENT);
    }
    securityEvent(context, "emails_sent_again_by_admin", { emails: again.length, first: again[0]?.id });
    return again.length;
  });
}

/**
 * Asks for a check of the audit log, which the timer does in steps. One that is going on goes on.
 * @throws as `requireAdmin`
 */
export function requestLogCheck(context: AppLoadContext): Promise<void> {
  return retryOnConflict(context, "admin_check_log", async () => {
    const { account } = await requireAdmin(context);
    const { started } = await commit(context.db, [account], { started: startLogCheck(context.db, context.now) });
    if (started.length > 0) securityEvent(context, "log_check_started");
  });
}

/**
 * Lets emails go out again to an address that stopped them all. Returns what is said about it, and whether they were stopped.
 * @throws as `requireAdmin`
 */
export function allowEmailsAsAdmin(
  context: AppLoadContext,
  email: string,
): Promise<{ message: string; stopped: boolean }> {
  return retryOnConflict(context, "admin_allow_emails", async () => {
    const { account } = await requireAdmin(context);
    const { allowed } = await commit(context.db, [account], { allowed: allowEmails(context, email) });
    const stopped = allowed.length > 0;
    if (stopped) securityEvent(context, "emails_allowed_by_admin");
    const message = stopped
      ? `${email} gets emails again.`
      : `${email} did not stop all emails, so nothing was changed. Check the spelling.`;
    return { message, stopped };
  });
}

/** How many addresses a message names: it is stored in a cookie. */
const NAMED_MAX = 5;

function listed(addresses: string[]): string {
  const left = addresses.length - NAMED_MAX;
  const named = addresses.slice(0, NAMED_MAX).join(", ");
  return left > 0 ? `${named} and ${left} other ${left === 1 ? "spelling" : "spellings"}` : named;
}

/**
 * Erases what all accounts hold about a supervisor, in every spelling of their mailbox, in one transaction. Returns what is
 * said about it, and how many accounts held something.
 * @throws as `requireAdmin`
 */
export async function eraseSupervisorAsAdmin(
  context: AppLoadContext,
  email: string,
): Promise<{ message: string; accounts: number }> {
  const session = context.env.DB.withSession("first-primary");
  return retryOnConflict(context, "admin_erase_supervisor", async () => {
    let admin: Guarded | null = null;
    const { addresses, accounts, count } = await eraseSupervisor(async (statements) => {
      if (!admin) {
        // The addresses, in the round trip that looks up the admin.
        const [query = { sql: "" }] = statements;
        const { account, rows } = await requireAdmin(context, (viewer, db) => ({
          rows: db
            .select({ email: sql<string>`email` })
            .from(sql`(${sql.raw(query.sql)})`)
            .where(isAdmin(viewer)),
        }));
        admin = account;
        return [rows];
      }
      const answers = await session.batch<Record<string, unknown>>([
        session.prepare("INSERT INTO acts VALUES (?, ?, 0, NULL)").bind(admin.id, admin.revision),
        ...statements.map(({ sql, values }) => session.prepare(sql).bind(...values)),
      ]);
      return answers.slice(1).map(({ results }) => results);
    }, email);
    if (count === 0)
      return { message: `Nothing was stored about ${email}, so nothing was erased. Check the spelling.`, accounts };
    securityEvent(context, "supervisor_erased_by_admin", { accounts });
    return { message: `Erased what was stored about ${listed(addresses)}.`, accounts };
  });
}
