import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { batch } from "#app/db/client.server.ts";
import { raiseRevisions } from "#app/db/commit.server.ts";
import {
  type EmailChangeRow,
  earlierAddresses,
  emailChanges,
  emailConfirmations,
  outbox,
  users,
} from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { queueMessage } from "#app/mail/outbox.server.ts";
import { searchText } from "#app/plain-text.ts";
import { countAttempt, requireBelowLimit, TOO_MANY_TOKENS, tokenLimit } from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { lockedAccount, userColumns } from "./access.server.ts";
import { areDetailsUnchanged } from "./details.server.ts";
import { confirmAddress } from "./email-confirmation.server.ts";
import { hashLinkToken } from "./link-token.server.ts";
import {
  areSupervisorsUnchanged,
  hashMailbox,
  type SupervisorAddress,
  supervisorAddresses,
  supervisorMailboxReason,
} from "./own-addresses.server.ts";
import type { User } from "./user.ts";

/** The message of a link that no longer works. */
export const CHANGE_LINK_ENDED =
  "This link has been used, has expired or was replaced by a newer one. You can request a new one on your account page.";

const TAKEN = "This email address has an account by now, so your account cannot have it.";

/** What an open link does: it changes the address of an account to this one, or confirms the present one. */
export interface EmailLink {
  purpose: "change" | "confirmation";
  email: string;
  /** How many requests wait for the confirmation: their emails are then sent. */
  withheld: number;
}

/**
 * What a link does, or null if it does not work.
 * @throws {AppError} 403 for an open link of a locked account; 429 after too many unknown tokens from one network
 */
export async function findEmailLink(context: AppLoadContext, token: string): Promise<EmailLink | null> {
  const { change, confirmation, withheld } = await findLink(context, token);
  if (change) return { purpose: "change", email: change.newEmail, withheld };
  const isOpen = confirmation && !confirmation.usedAt && confirmation.expiresAt > context.now;
  return isOpen ? { purpose: "confirmation", email: confirmation.email, withheld } : null;
}

/**
 * Uses a link that was mailed to an address: changes the address of an account to it, or confirms that it is the account's.
 * Returns the user and what the link did. The token is enough: the link may be opened on another device.
 * @throws {AppError} 400 for an unknown, used or expired token; 409 as `changeEmail`; 403 and 429 as `findEmailLink`
 */
export async function confirmEmail(context: AppLoadContext, token: string): Promise<{ user: User; done: EmailLink }> {
  const { change, user, supervisors, confirmation, withheld } = await findLink(context, token);
  if (confirmation) {
    const confirmed = await confirmAddress(context, confirmation, CHANGE_LINK_ENDED);
    return { user: confirmed, done: { purpose: "confirmation", email: confirmed.email, withheld } };
  }
  if (!change || !user) throw refuse(context, new AppError("link_ended", CHANGE_LINK_ENDED));
  const changed = await changeEmail(context, { change, user, supervisors });
  return { user: changed, done: { purpose: "change", email: changed.email, withheld } };
}

interface FoundChange {
  change: EmailChangeRow;
  user: User;
  supervisors: SupervisorAddress[];
}

/**
 * Changes the email address of an account with the link that was sent to the new one, which is then confirmed. Sessions stay;
 * an open reset link, which was sent to the old address, ends. The statement itself requires an open link and an address
 * without an account, so of any number of uses one succeeds, and of two accounts one gets the address.
 * @throws {AppError} 400 if the link has ended; 409 if the address has an account by now, or a supervisor of the user has
 *   the mailbox
 */
async function changeEmail(context: AppLoadContext, found: FoundChange): Promise<User> {
  const { db } = context;
  const { change } = found;
  const ofChange = sql`id = ${change.userId} AND email = ${change.oldEmail} AND locked_at IS NULL AND ${isOpen(context, change)}`;
  for (let { user, supervisors } = found; ; ) {
    const isSupervisor = supervisorMailboxReason(supervisors, change.newEmail) !== null;
    const { changed, open, taken, supervisorsNow } = await batch(db, {
      guard: raiseRevisions(db, sql`${change.userId}`),
      ...(!isSupervisor && changeStatements(context, { change, user, supervisors })),
      open: db.select(userColumns).from(users).where(ofChange),
      taken: db.select({ id: users.id }).from(users).where(eq(users.email, change.newEmail)),
      supervisorsNow: supervisorAddresses(db, change.userId),
    });
    if (changed?.[0]) {
      securityEvent(context, "email_changed", { account: change.userId });
      return changed[0];
    }
    if (!open[0]) throw refuse(context, new AppError("link_ended", CHANGE_LINK_ENDED));
    if (taken[0]) throw refuse(context, new AppError("email_taken", TAKEN));
    const reason = supervisorMailboxReason(supervisorsNow, change.newEmail);
    if (reason) throw refuse(context, new AppError("email_taken", reason));
    // What the statement requires was changed since it was read: the name or number, which are part of the search text, the
    // confirmation of the old address, or the supervisors.
    user = open[0];
    supervisors = supervisorsNow;
  }
}

function refuse(context: AppLoadContext, error: AppError): AppError {
  securityEvent(context, "email_change_refused");
  return error;
}

/** The open change or the confirmation of a link, with its user. An unknown token counts for the network's limit. */
async function findLink(context: AppLoadContext, token: string) {
  const { db, now } = context;
  const limit = tokenLimit(context);
  const hash = hashLinkToken(token);
  const owner = sql<number>`(SELECT user_id FROM ${emailChanges} WHERE token = ${hash}
    UNION SELECT user_id FROM ${emailConfirmations} WHERE token = ${hash})`;
  const { full, changes, owners, supervisors, confirmations, withheld } = await batch(db, {
    ...countAttempt(
      context,
      limit,
      sql`NOT EXISTS (SELECT 1 FROM ${emailChanges} WHERE token = ${hash})
        AND NOT EXISTS (SELECT 1 FROM ${emailConfirmations} WHERE token = ${hash})`,
    ),
    changes: db.select().from(emailChanges).where(eq(emailChanges.token, hash)),
    owners: db
      .select({ ...userColumns, lockedAt: users.lockedAt })
      .from(users)
      .where(eq(users.id, owner)),
    supervisors: supervisorAddresses(db, owner),
    confirmations: db.select().from(emailConfirmations).where(eq(emailConfirmations.token, hash)),
    // Raw names: requests are above accounts.
    withheld: db
      .select({ n: sql<number>`count(*)` })
      .from(sql`verification_requests`)
      .where(sql`user_id = ${owner} AND email_withheld = 'unconfirmed' AND ended_at IS NULL`),
  });
  const [change] = changes;
  const [confirmation] = confirmations;
  // A valid link works whatever the limit: others on the same network may have used it up.
  if (!change && !confirmation) requireBelowLimit(context, limit, full, TOO_MANY_TOKENS);
  const isOpen = (link: typeof change | typeof confirmation) => link && !link.usedAt && link.expiresAt > now;
  const [user] = owners;
  // Not if the account has another address by now.
  const ofAddress = user?.email === confirmation?.email ? confirmation : undefined;
  if (user?.lockedAt && (isOpen(change) || isOpen(ofAddress))) throw refuse(context, lockedAccount());
  return {
    change: isOpen(change) ? change : undefined,
    user,
    supervisors,
    confirmation: ofAddress,
    withheld: withheld[0]?.n ?? 0,
  };
}

/** The statements that change the address. If the first one changes nothing, neither do the others. */
function changeStatements(context: AppLoadContext, { change, user, supervisors }: FoundChange) {
  const { db, now } = context;
  const { userId, oldEmail, newEmail, token, nonce } = change;
  const isUsedNow = sql`token = ${token} AND used_at = ${now.getTime()}`;
  return {
    changed: db
      .update(users)
      .set({
        email: newEmail,
        search: searchText(user.name, newEmail, user.employeeNumber),
        resetToken: null,
        resetTokenExpiry: null,
        resetNonce: null,
        emailConfirmedAt: now,
      })
      .where(
        sql`${areDetailsUnchanged({ ...user, email: oldEmail })} AND locked_at IS NULL
          AND ${isOpen(context, change)} AND NOT EXISTS (SELECT 1 FROM ${users} AS other WHERE other.email = ${newEmail})
          AND email_confirmed_at IS ${user.emailConfirmedAt?.getTime() ?? null}
          AND ${areSupervisorsUnchanged(userId, supervisors)}`,
      )
      .returning(userColumns),
    used: db
      .update(emailChanges)
      .set({ usedAt: now })
      .where(
        sql`token = ${token} AND used_at IS NULL
          AND EXISTS (SELECT 1 FROM ${users} WHERE id = ${userId} AND email = ${newEmail})`,
      ),
    earlier: db
      .insert(earlierAddresses)
      .select(
        sql`SELECT NULL, user_id, ${hashMailbox(context, userId, oldEmail)}, ${now.getTime()}
          FROM ${emailChanges} WHERE ${isUsedNow}`,
      )
      .onConflictDoNothing(),
    confirmation: db
      .delete(emailConfirmations)
      .where(sql`user_id = ${userId} AND EXISTS (SELECT 1 FROM ${emailChanges} WHERE ${isUsedNow})`),
    // Not to an address that was never confirmed: it may have been mistyped.
    mail: queueMessage(context, {
      kind: "email_changed",
      userId: sql`user_id`,
      submission: nonce,
      from: sql`FROM ${emailChanges} WHERE ${isUsedNow}
        AND ${user.emailConfirmedAt || !context.mail.isConfigured ? 1 : 0} AND NOT EXISTS (SELECT 1 FROM ${outbox}
        WHERE user_id = ${userId} AND kind = 'email_changed' AND submission = ${nonce})`,
    }),
  };
}

/** The condition that the link works. */
function isOpen({ db, now }: AppLoadContext, { token }: EmailChangeRow) {
  return sql`EXISTS ${db
    .select({ id: emailChanges.id })
    .from(emailChanges)
    .where(and(eq(emailChanges.token, token), isNull(emailChanges.usedAt), gt(emailChanges.expiresAt, now)))}`;
}
