import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, ne, sql } from "drizzle-orm";
import { requireAdmin } from "#app/accounts/access.server.ts";
import { apiTokens } from "#app/accounts/api-tokens.table.ts";
import { hashLinkToken } from "#app/accounts/link-token.server.ts";
import { newResetLink } from "#app/accounts/reset.server.ts";
import type { User } from "#app/accounts/user.ts";
import { batch } from "#app/db/client.server.ts";
import { sessions, users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import {
  attemptAtLimit,
  countAttempt,
  recipientLimit,
  requireBelowLimit,
  resetLimit,
} from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { type AdminUser, adminUserColumns, ifAdmin } from "./lists.server.ts";
import type { PersonAct } from "./person-acts.ts";
import { tabNamed } from "./view.ts";

/**
 * A user, for the page of an admin.
 * @throws as `requireAdmin`; {AppError} 404 if there is no such user
 */
export async function findPerson(context: AppLoadContext, id: number): Promise<{ user: User; person: AdminUser }> {
  const { user, found } = await requireAdmin(context, (viewer, db) => ({
    found: db
      .select(adminUserColumns)
      .from(users)
      .where(eq(users.id, ifAdmin(viewer, id))),
  }));
  const [person] = found;
  if (!person) throw missing();
  return { user, person };
}

const missing = () => new AppError("not_found", tabNamed("users").texts.missing);

/** Who acts, if they are an admin still: a row, or none. It stands before what may take the role from them. */
const actorOf = ({ db }: AppLoadContext, adminId: number) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, ifAdmin(adminId, adminId)));

/** @throws {AppError} 403 for who has lost the role, or was locked, since it was checked: the statements did nothing */
function requireStillAdmin([actor]: { id: number }[]): void {
  if (actor) return;
  const text = "You are no admin any more, or your account was locked just now. Nothing was changed.";
  throw new AppError("admin_only", text);
}

/**
 * Does an act of an admin on a user, and returns the user as they are then. Twice is as once. Who is
 * locked cannot sign in, and their sessions and tokens end; links, records and exports stay.
 * @throws as `findPerson` and `requireStillAdmin`; {AppError} 409 for the last admin, and for locking oneself
 */
export async function actOnPerson(context: AppLoadContext, id: number, act: PersonAct): Promise<AdminUser> {
  const { user: admin } = await findPerson(context, id);
  const { db, now } = context;
  const who = eq(users.id, ifAdmin(admin.id, id));
  const endSessions = db.delete(sessions).where(sql`user_id = ${ifAdmin(admin.id, id)}`);
  const changes = {
    "make-admin": { changed: db.update(users).set({ isAdmin: true }).where(who) },
    "remove-admin": {
      changed: db
        .update(users)
        .set({ isAdmin: false })
        .where(
          and(who, sql`(SELECT count(*) FROM users WHERE is_admin = 1 AND locked_at IS NULL AND id <> ${id}) > 0`),
        ),
    },
    lock: {
      changed: db
        .update(users)
        .set({ lockedAt: sql`coalesce(locked_at, ${now.getTime()})` })
        .where(and(who, ne(users.id, admin.id))),
      sessions: db
        .delete(sessions)
        .where(sql`user_id IN (SELECT id FROM users WHERE id = ${id} AND locked_at IS NOT NULL)`),
      tokens: db
        .delete(apiTokens)
        .where(sql`user_id IN (SELECT id FROM users WHERE id = ${id} AND locked_at IS NOT NULL)`),
    },
    unlock: { changed: db.update(users).set({ lockedAt: null }).where(who) },
    "end-sessions": { sessions: endSessions },
  } satisfies Record<PersonAct, object>;
  const { actor, person } = await batch(db, {
    actor: actorOf(context, admin.id),
    ...changes[act],
    // Not by `ifAdmin`: an admin may have given up the role just now.
    person: db.select(adminUserColumns).from(users).where(eq(users.id, id)),
  });
  requireStillAdmin(actor);
  const [changed] = person;
  if (!changed) throw missing();
  if (act === "remove-admin" && changed.isAdmin)
    throw new AppError("last_admin", "The last admin stays one. Make another user an admin first.");
  if (act === "lock" && !changed.lockedAt)
    throw new AppError("last_admin", "You can't lock your own account. Another admin can.");
  securityEvent(context, "person_changed_by_admin", { account: id, act });
  return changed;
}

/**
 * Makes a link by which a user sets a new password, and emails it. Where mail is off the admin gets the link and passes it on.
 * An earlier link ends.
 * @throws as `findPerson` and `requireStillAdmin`; {AppError} 403 for a locked account; 429 after three emails within an hour, as for who asks for a link
 *   (docs/mail.md), and after too many emails to an address that is not confirmed
 */
export async function sendResetLink(
  context: AppLoadContext,
  id: number,
): Promise<{ emailed: boolean; url: string | null }> {
  const { user: admin, person } = await findPerson(context, id);
  const { db, mail, origin } = context;
  const limit = resetLimit(context, person.email);
  // Emails alone are limited: a link that the admin passes on reaches no stranger.
  const isFull = sql`${mail.isConfigured ? 1 : 0} AND EXISTS ${attemptAtLimit(context, limit)}`;
  const { token, statements } = newResetLink(context, {
    id,
    email: person.email,
    isOne: sql`${ifAdmin(admin.id, id)} AND NOT (${isFull})`,
  });
  // A refused one does not count.
  const isStored = sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${id} AND reset_token = ${hashLinkToken(token)})`;
  const { full, counted } = countAttempt(context, limit, sql`${mail.isConfigured ? 1 : 0} AND ${isStored}`);
  const ofMailbox = recipientLimit(context, normalizeMailbox(person.email));
  const {
    actor,
    found,
    reached,
    reachedOfMailbox,
    updated,
    mail: queued,
  } = await batch(db, {
    actor: actorOf(context, admin.id),
    found: db.select({ lockedAt: users.lockedAt }).from(users).where(eq(users.id, id)),
    reached: full,
    reachedOfMailbox: countAttempt(context, ofMailbox).full,
    ...statements,
    counted, // last: the link of the last attempt below the limit is stored
  });
  requireStillAdmin(actor);
  if (!found[0]) throw missing();
  if (found[0].lockedAt) {
    throw new AppError(
      "locked",
      "This account is locked, so its user cannot set a password. Unlock the account first.",
    );
  }
  if (mail.isConfigured) requireBelowLimit(context, limit, reached, "This user has got three links within an hour.");
  if (updated.length === 0) {
    const why = "The address of this account is not confirmed, and there were too many emails to it.";
    requireBelowLimit(context, ofMailbox, reachedOfMailbox, why);
    throw missing(); // with this address
  }
  securityEvent(context, "person_changed_by_admin", { account: id, act: "reset-link" });
  const emailed = mail.isConfigured && queued.length > 0;
  return { emailed, url: mail.isConfigured ? null : `${origin}/reset-password/${token}` };
}
