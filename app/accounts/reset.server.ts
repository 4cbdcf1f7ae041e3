import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, isNull, sql } from "drizzle-orm";
import { afterNewPassword } from "#app/accounts/change-password.server.ts";
import { batch, type Db } from "#app/db/client.server.ts";
import { commit, guardedColumns, raiseRevisions, retryOnConflict } from "#app/db/commit.server.ts";
import { adminResets, users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { queueMessage } from "#app/mail/outbox.server.ts";
import type { MailEnv } from "#app/mail/settings.server.ts";
import { isNotSuppressed } from "#app/mail/suppression.server.ts";
import {
  attemptAtLimit,
  countAttempt,
  dailyResetLimit,
  requireBelowLimit,
  resetLimit,
  TOO_MANY_TOKENS,
  tokenLimit,
} from "#app/server/attempt-limits.server.ts";
import type { Env } from "#app/server/env.ts";
import { logEvent, securityEvent } from "#app/server/logger.server.ts";
import { adminToReset, settingsProblem } from "#app/server/settings.ts";
import { lockedAccount } from "./access.server.ts";
import { mayMailReset } from "./email-confirmation.server.ts";
import { hashLinkToken, LINK_MS, linkToken, newNonce } from "./link-token.server.ts";
import { hashPassword } from "./password.server.ts";
import type { User } from "./user.ts";

/** The answer for every address, registered or not (spec section 8). */
export const RESET_REQUESTED =
  "If your email exists in our system, we've sent you instructions to reset your password.";

/** The message of a link that no longer works. */
export const RESET_LINK_ENDED =
  "This reset link has been used, has expired or was replaced by a newer one. Request a new link.";

/** The message after a reset (spec section 8). */
export const RESET_DONE = { title: "Password reset successful", text: "You can now log in with your new password" };

/**
 * Queues an email with a reset link, if the address is registered; an earlier link ends. For an unknown address, a locked
 * account, and over the limit, the same statements run and select no row, so that the answer and its time are the same.
 */
export async function requestReset(context: AppLoadContext, email: string): Promise<void> {
  const { db, mail, now, secret } = context;
  const fullDay = attemptAtLimit(context, dailyResetLimit(context, email));
  const { full, fullToday, found } = await batch(db, {
    fullToday: fullDay,
    ...countAttempt(context, resetLimit(context, email), sql`NOT EXISTS ${fullDay}`),
    found: db.select(resetColumns).from(users).where(eq(users.email, email)),
  });
  const [user] = full.length === 0 && fullToday.length === 0 ? found : [];
  securityEvent(context, "reset_asked", { account: user?.id ?? null });
  const whose = user ?? { id: 0, email, emailConfirmedAt: null }; // no user has this id
  // Where mail is off this link reaches no one, so it does not end one that an admin has given to its user.
  const isFree = sql`(${mail.isConfigured ? 1 : 0} OR reset_token_expiry IS NULL OR reset_token_expiry <= ${now.getTime()})`;
  // An unconfirmed address may be a stranger's, who stopped all emails.
  const mayMail = sql`(${whose.emailConfirmedAt ? 1 : 0} OR ${isNotSuppressed(secret, email)})`;
  // The conditions are in SQL, because an act of the account between the two batches must neither refuse nor repeat this: that
  // would show that the address has an account.
  const mayStore = sql`email = ${email} AND locked_at IS NULL AND ${isFree} AND ${mayMail}`;
  const guard = raiseRevisions(db, sql`SELECT id FROM ${users} WHERE id = ${whose.id} AND ${mayStore}`);
  await batch(db, { guard, ...newResetLink(context, whose, mayStore).statements });
}

/** The columns of the user of a new reset link. */
const resetColumns = { id: users.id, email: users.email, emailConfirmedAt: users.emailConfirmedAt };

/**
 * A new reset link of a user: its token, and the statements that store it and queue its email. They store none if the address is
 * not confirmed and gets no more emails today, or if `mayStore`, another limit, does not hold.
 */
export function newResetLink(
  context: AppLoadContext,
  { id, email, emailConfirmedAt }: Pick<User, "id" | "email" | "emailConfirmedAt">,
  mayStore = sql`1`,
) {
  const { db, now, secret, mail } = context;
  const { nonce, token, columns } = newLink(secret, id, now, mail.isConfigured);
  const isStored = sql`FROM ${users} WHERE id = ${id} AND reset_nonce = ${nonce}`;
  // As 1 or 0: the statements are the same for every account, and for none.
  const isLimited = mail.isConfigured && !emailConfirmedAt ? 1 : 0;
  const { isFree, counted } = mayMailReset(context, email, sql`${isLimited} AND EXISTS (SELECT 1 ${isStored})`);
  const statements = {
    updated: db
      .update(users)
      .set(columns)
      .where(sql`id = ${id} AND (${emailConfirmedAt ? 1 : 0} OR ${isFree}) AND ${mayStore}`)
      .returning({ id: users.id }),
    ...counted,
    mail: queueMessage(context, { kind: "password_reset", userId: sql`id`, from: isStored }).returning({
      state: sql<string>`state`,
    }),
  };
  return { token, statements };
}

/** The token of a new link of a user, and the columns that store it. `resetMailed`: whether it is mailed, and given to no one else. */
function newLink(secret: string, id: number, now: Date, resetMailed: boolean) {
  const nonce = newNonce();
  const token = linkToken(secret, "password reset", id, nonce);
  const resetTokenExpiry = new Date(now.getTime() + LINK_MS);
  const resetToken = hashLinkToken(token);
  return { nonce, token, columns: { resetToken, resetTokenExpiry, resetNonce: nonce, resetMailed } };
}

/** Whether the log says that RESET_ADMIN names no admin: once for each start of the runtime's process. */
let isRefusalLogged = false;

/**
 * Logs a link that sets a new password for the admin whose address is in `RESET_ADMIN`, without an
 * email. It makes one only: a used or expired link is not replaced, at no start, until this has run without the setting or with
 * another address. For an address without an admin who may sign in, it logs that and changes nothing.
 */
export async function logAdminReset({ db, now }: { db: Db; now: Date }, env: Env & MailEnv): Promise<void> {
  const { SESSION_SECRET: secret } = env;
  if (!secret || settingsProblem(env)) return; // each request logs why
  const email = adminToReset(env);
  const ofEmail = sql`(SELECT id FROM users WHERE email = ${email ?? ""})`;
  const link = await retryOnConflict({ db }, "reset_admin", async () => {
    const { found, made } = await batch(db, {
      // `> 0` is all of them, by the key: no statement scans a table.
      ended: db.delete(adminResets).where(sql`user_id > 0 AND user_id IS NOT ${ofEmail}`),
      found: db
        .select(guardedColumns)
        .from(users)
        .where(and(eq(users.email, email ?? ""), eq(users.isAdmin, true), isNull(users.lockedAt))),
      made: db.select().from(adminResets).where(sql`user_id = ${ofEmail}`),
    });
    const [admin] = found;
    if (!email || made.length > 0) return "none";
    if (!admin) return "refused";
    const { token, columns } = newLink(secret, admin.id, now, false);
    await commit(db, [admin], {
      updated: db.update(users).set(columns).where(eq(users.id, admin.id)),
      noted: db.insert(adminResets).values({ userId: admin.id, madeAt: now }),
    });
    return { account: admin.id, token };
  });
  if (link === "none") return;
  if (link === "refused") {
    if (!isRefusalLogged) logEvent("warn", "admin reset refused", { advice: NO_ADMIN });
    isRefusalLogged = true;
    return;
  }
  // Without an address the app answers on this machine only, by default at this port.
  const origin = new URL(env.PUBLIC_ORIGIN || env.LOCAL_ORIGIN || "http://localhost:8787").origin;
  logEvent("warn", "admin reset", {
    account: link.account,
    link: `${origin}/reset-password/${link.token}`,
    advice: RESET_ONCE,
  });
}

const NO_ADMIN =
  "RESET_ADMIN is not the address of an admin who may sign in, so there is no link, and nothing was changed.";

const RESET_ONCE =
  "With this link the admin of RESET_ADMIN sets a new password, within an hour and once. Remove the setting then. For another link start without it, and again with it a minute later.";

/**
 * Whether a reset link works.
 * @throws {AppError} 403 for an open link of a locked account; 429 after too many unknown tokens from one network
 */
export async function isResetOpen(context: AppLoadContext, token: string): Promise<boolean> {
  return (await findUserByToken(context, token)) !== undefined;
}

/**
 * Sets a new password with a reset link, and ends all sessions and API tokens of its user and any open change of the
 * email address: a thief who knew the old password may have made them. They cannot keep it from being stored
 * (`raiseRevisions`). It confirms the address if the link was mailed to it, not if an admin or the log gave it. Only
 * one of several uses succeeds.
 * @throws {AppError} 400 for an unknown, used or expired token; 403 for a locked account, whose link stays; 429 after
 *   too many unknown tokens from one network or if the hash queue is full
 */
export async function resetPassword(context: AppLoadContext, token: string, newPassword: string): Promise<void> {
  const { db, now } = context;
  // Checked before hashing, so that invalid tokens cost no hash.
  const user = await findUserByToken(context, token);
  if (!user) {
    securityEvent(context, "reset_refused");
    throw new AppError("link_ended", RESET_LINK_ENDED);
  }
  const { id } = user;
  const password = await hashPassword({ whose: String(id), signal: context.signal }, newPassword);
  const { reset } = await batch(db, {
    guard: raiseRevisions(db, sql`${id}`),
    reset: db
      .update(users)
      .set({
        password,
        resetToken: null,
        resetTokenExpiry: null,
        resetNonce: null,
        emailConfirmedAt: sql`coalesce(email_confirmed_at, iif(reset_mailed, ${now.getTime()}, NULL))`,
      })
      .where(sql`id = ${id} AND reset_token = ${hashLinkToken(token)} AND locked_at IS NULL`)
      .returning({ id: users.id }),
    ...afterNewPassword(context, id, password),
  });
  if (reset.length === 0) {
    await findUserByToken(context, token); // of a locked account it throws
    throw new AppError("link_ended", RESET_LINK_ENDED);
  }
  securityEvent(context, "reset_used", { account: id });
}

/**
 * The user of an open reset link.
 * @throws as `isResetOpen`
 */
async function findUserByToken(context: AppLoadContext, token: string) {
  const { db, now } = context;
  const limit = tokenLimit(context);
  const user = db
    .select({
      ...resetColumns,
      expiry: users.resetTokenExpiry,
      lockedAt: users.lockedAt,
    })
    .from(users)
    .where(eq(users.resetToken, hashLinkToken(token)));
  const { full, found } = await batch(db, {
    ...countAttempt(context, limit, sql`NOT EXISTS ${user}`),
    found: user,
  });
  const [holder] = found;
  // A valid link works whatever the limit: others on the same network may have used it up.
  if (!holder) requireBelowLimit(context, limit, full, TOO_MANY_TOKENS);
  if (!holder?.expiry || holder.expiry <= now) return undefined;
  if (holder.lockedAt) {
    securityEvent(context, "reset_refused", { account: holder.id });
    throw lockedAccount();
  }
  return holder;
}
