import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { requireAdmin } from "#app/accounts/access.server.ts";
import { apiTokens } from "#app/accounts/api-tokens.table.ts";
import { hashLinkToken } from "#app/accounts/link-token.server.ts";
import { newResetLink } from "#app/accounts/reset.server.ts";
import type { User } from "#app/accounts/user.ts";
import { toCalendarDate } from "#app/calendar-date.ts";
import { commit, type Guarded, raiseRevisions, retryOnConflict } from "#app/db/commit.server.ts";
import { sessions, users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { cancelEmailsOf } from "#app/mail/outbox.server.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import {
  countAttempt,
  fullLimits,
  isBelowLimits,
  recipientLimit,
  requireBelowLimit,
  resetLimit,
} from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { type AdminUser, adminUserColumns, ifAdmin } from "./lists.server.ts";
import { tabNamed } from "./view.tsx";

/** The acts of an admin on a user's account, beside the link to reset a password. */
export const PERSON_ACTS = ["make-admin", "remove-admin", "lock", "unlock", "has-left", "end-sessions"] as const;
export type PersonAct = (typeof PERSON_ACTS)[number];

/** An act on the page that asks first: its button, what it does in a sentence, and what is said when it is done. */
interface ActTexts {
  button: string;
  explains: string;
  done: string;
}

export const RESET_LINK = "reset-link" as const;
export type AnyAct = PersonAct | typeof RESET_LINK;

export const ACT_TEXTS: Record<AnyAct, ActTexts> = {
  "make-admin": {
    button: "Make admin",
    explains: "They can then see, change and delete everything that you can.",
    done: "They are an admin now",
  },
  "remove-admin": {
    button: "Remove as admin",
    explains: "They keep their account and their records.",
    done: "They are no longer an admin",
  },
  lock: {
    button: "Lock",
    explains:
      "They cannot sign in until you unlock the account. Their sessions and API tokens end now, and their links to a password or an address change nothing. Links to supervisors, records and exports stay.",
    done: "The account is locked",
  },
  unlock: {
    button: "Unlock",
    explains: "They can sign in again. If they had left, that is taken back, and emails go out again.",
    done: "The account is unlocked",
  },
  "has-left": {
    button: "Has left",
    explains:
      "Locks the account and stops all emails. Every record, verification and certificate stays, and printed forms can still be checked. You can take it back.",
    done: "They have left: the account is locked",
  },
  "end-sessions": {
    button: "End all sessions",
    explains: "They are signed out everywhere and can sign in again. API tokens stay.",
    done: "All sessions have ended",
  },
  [RESET_LINK]: {
    button: "Send a link to set a new password",
    explains: "The link works for an hour, once. An earlier link ends.",
    done: "The link was made",
  },
};

/** The last day of who has left: `on`, or today without it. A day ahead is refused, because the account is locked now. */
export const leftSchema = z.object(
  { on: z.iso.date({ error: "on must be a date, as 2026-11-28" }).nullish() },
  { error: "Send an object with on, the last day, or with nothing" },
);

export const STILL_TO_COME =
  "The last day is still to come. Enter it on that day, because the account is locked at once.";

/**
 * The day on which a user has left, in the admin's time zone.
 * @throws {AppError} 400 for a day that has not begun there
 */
export function lastDayOf({ timeZone, now }: Pick<AppLoadContext, "timeZone" | "now">, on?: string | null): string {
  const today = toCalendarDate(timeZone, now);
  if (on && on > today) {
    throw new AppError("invalid", STILL_TO_COME, [{ path: "on", message: STILL_TO_COME }]);
  }
  return on || today;
}

/** A user, for an admin, with the admin's account for `commit`. */
interface FoundPerson {
  user: User;
  person: AdminUser;
  account: Guarded;
}

/**
 * A user, for the page of an admin.
 * @throws as `requireAdmin`; {AppError} 404 if there is no such user
 */
export async function findPerson(context: AppLoadContext, id: number): Promise<FoundPerson> {
  const { user, account, found } = await requireAdmin(context, (viewer, db) => ({
    found: db
      .select(adminUserColumns)
      .from(users)
      .where(eq(users.id, ifAdmin(viewer, id))),
  }));
  return { user, account, person: requirePerson(found) };
}

/** @throws {AppError} 404 without one */
export function requirePerson([person]: AdminUser[]): AdminUser {
  if (!person) throw new AppError("not_found", tabNamed("users").texts.missing);
  return person;
}

/**
 * Performs an act of an admin on a user, and returns the user after it. A second time changes nothing. It depends on no
 * row of the user that was read, whose sessions could keep it from being stored (`raiseRevisions`). A locked user
 * cannot sign in, and their sessions and tokens end; links, records and exports stay. `on` is the last day of a user
 * who has left: from then on no email goes to them, and no request or reminder to a supervisor on their behalf.
 * @throws as `findPerson` and `lastDayOf`; {AppError} 409 for the last admin, and for locking oneself
 */
export function actOnPerson(
  context: AppLoadContext,
  id: number,
  act: PersonAct,
  on?: string | null,
): Promise<AdminUser> {
  const { db, now } = context;
  const who = eq(users.id, id);
  const endSessions = { sessions: db.delete(sessions).where(eq(sessions.userId, id)) };
  // Two admins who give up the role at once guard their own accounts only.
  const another = sql`(SELECT count(*) FROM users WHERE is_admin = 1 AND locked_at IS NULL AND id <> ${id}) > 0`;
  return retryOnConflict(context, "admin_act", async () => {
    const { user: admin, account } = await findPerson(context, id);
    const leftOn = act === "has-left" && lastDayOf(context, on);
    if ((act === "lock" || act === "has-left") && id === admin.id)
      throw new AppError("last_admin", "You can't lock your own account. Another admin can.");
    const locked = {
      changed: db
        .update(users)
        .set({
          lockedAt: sql`coalesce(locked_at, ${now.getTime()})`,
          ...(leftOn && { leftOn }),
        })
        .where(who),
      ...endSessions,
      tokens: db.delete(apiTokens).where(eq(apiTokens.userId, id)),
    };
    const changes = {
      "make-admin": { changed: db.update(users).set({ isAdmin: true }).where(who) },
      "remove-admin": { changed: db.update(users).set({ isAdmin: false }).where(and(who, another)) },
      lock: locked,
      unlock: { changed: db.update(users).set({ lockedAt: null, leftOn: null }).where(who) },
      "has-left": { ...locked, emails: cancelEmailsOf(context, id) },
      "end-sessions": endSessions,
    } satisfies Record<PersonAct, object>;
    const { person } = await commit(db, [account], {
      raised: raiseRevisions(db, sql`${id}`),
      ...changes[act],
      person: db.select(adminUserColumns).from(users).where(who),
    });
    const changed = requirePerson(person);
    if (act === "remove-admin" && changed.isAdmin)
      throw new AppError("last_admin", "The last admin stays one. Make another user an admin first.");
    securityEvent(context, "person_changed_by_admin", { account: id, act });
    return changed;
  });
}

/**
 * Makes a link by which a user sets a new password, and emails it. Where mail is off the admin gets the link and passes it on.
 * An earlier link ends.
 * @throws as `findPerson`; {AppError} 403 for a locked account; 429 after three emails within an hour, as for who asks for a link
 *   (docs/mail.md), and after too many emails to an address that is not confirmed
 */
export function sendResetLink(context: AppLoadContext, id: number): Promise<{ emailed: boolean; url: string | null }> {
  const { db, mail, origin } = context;
  return retryOnConflict(context, "admin_reset_link", async () => {
    const { person, account } = await findPerson(context, id);
    if (person.lockedAt) {
      const why = "This account is locked, so its user cannot set a password. Unlock the account first.";
      throw new AppError("locked", why);
    }
    const limit = resetLimit(context, person.email);
    const ofMailbox = recipientLimit(context, normalizeMailbox(person.email));
    const isAsRead = sql`locked_at IS NULL AND email = ${person.email}`;
    // Emails alone are limited: a link that the admin passes on reaches no stranger.
    const mayStore: SQL = mail.isConfigured ? sql`${isAsRead} AND ${isBelowLimits(context, [limit])}` : isAsRead;
    const { token, statements } = newResetLink(context, person, mayStore);
    // A refused one does not count.
    const isStored = sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${id} AND reset_token = ${hashLinkToken(token)})`;
    const { counted } = countAttempt(context, limit, isStored);
    const { full, link } = await commit(db, [account], {
      raised: raiseRevisions(db, sql`${id}`),
      full: fullLimits(context, [limit, ofMailbox]),
      link: statements,
      ...(mail.isConfigured && { counted }), // last: the link of the last attempt below the limit is stored
    });
    if (link.updated.length === 0) {
      requireBelowLimit(context, limit, full, "This user has got three links within an hour.");
      const why = "The address of this account is not confirmed, and there were too many emails to it.";
      requireBelowLimit(context, ofMailbox, full, why);
      return null; // the user was locked, or has another address, since they were read
    }
    securityEvent(context, "person_changed_by_admin", { account: id, act: "reset-link" });
    const emailed = mail.isConfigured && link.mail.length > 0;
    return { emailed, url: mail.isConfigured ? null : `${origin}/reset-password/${token}` };
  });
}
