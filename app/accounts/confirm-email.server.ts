import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, sql } from "drizzle-orm";
import { batch, databaseMessage } from "#app/db/client.server.ts";
import { commit, type Guarded, retryOnConflict } from "#app/db/commit.server.ts";
import { type EmailChangeRow, earlierAddresses, emailChanges, emailConfirmations, users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { queueMessage } from "#app/mail/outbox.server.ts";
import { searchText } from "#app/plain-text.ts";
import { countAttempt, requireBelowLimit, TOO_MANY_TOKENS, tokenLimit } from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { lockedAccount, userColumns } from "./access.server.ts";
import { confirmAddress } from "./email-confirmation.server.ts";
import { hashLinkToken } from "./link-token.server.ts";
import {
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
 * Returns the user and what the link did. The token is enough: the link may be opened on another device. Of any number of uses
 * one succeeds.
 * @throws {AppError} 400 for an unknown, used or expired token; 409 as `changeEmail`; 403 and 429 as `findEmailLink`
 */
export function confirmEmail(context: AppLoadContext, token: string): Promise<{ user: User; done: EmailLink }> {
  return retryOnConflict(context, "confirm_email", async () => {
    const { change, confirmation, owner, supervisors, withheld } = await findLink(context, token);
    if (confirmation && owner) {
      const user = await confirmAddress(context, confirmation, owner, CHANGE_LINK_ENDED);
      return { user, done: { purpose: "confirmation", email: user.email, withheld } };
    }
    if (!change || !owner) throw refuse(context, new AppError("link_ended", CHANGE_LINK_ENDED));
    const user = await changeEmail(context, change, owner, supervisors);
    return { user, done: { purpose: "change", email: user.email, withheld } };
  });
}

/** The account of a link. */
interface LinkOwner {
  user: User;
  account: Guarded;
}

/**
 * Changes the email address of an account with the link that was sent to the new one, which is then confirmed. Sessions stay;
 * an open reset link, which was sent to the old address, ends. Of two accounts that change to one address one gets it.
 * @throws {AppError} 409 if the address has an account by now, or a supervisor of the user has the mailbox
 */
async function changeEmail(
  context: AppLoadContext,
  { newEmail, token, nonce }: EmailChangeRow,
  { user, account }: LinkOwner,
  supervisors: SupervisorAddress[],
): Promise<User> {
  const { db, now } = context;
  const reason = supervisorMailboxReason(supervisors, newEmail);
  if (reason) throw refuse(context, new AppError("email_taken", reason));
  await commit(db, [account], {
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
      .where(eq(users.id, user.id)),
    used: db.update(emailChanges).set({ usedAt: now }).where(eq(emailChanges.token, token)),
    earlier: db
      .insert(earlierAddresses)
      .values({ userId: user.id, address: hashMailbox(context, user.id, user.email), createdAt: now })
      .onConflictDoNothing(),
    confirmation: db.delete(emailConfirmations).where(eq(emailConfirmations.userId, user.id)),
    // Not to an address that was never confirmed: it may have been mistyped.
    ...((user.emailConfirmedAt || !context.mail.isConfigured) && {
      mail: queueMessage(context, {
        kind: "email_changed",
        userId: sql`${user.id}`,
        submission: nonce,
        from: sql`WHERE 1`,
      }),
    }),
  }).catch((error) => {
    if (!databaseMessage(error)?.includes("UNIQUE constraint failed: users.email")) throw error;
    throw refuse(context, new AppError("email_taken", TAKEN));
  });
  securityEvent(context, "email_changed", { account: user.id });
  return { ...user, email: newEmail, emailConfirmedAt: now };
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
  const ownerId = sql<number>`(SELECT user_id FROM ${emailChanges} WHERE token = ${hash}
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
      .select({ ...userColumns, revision: users.revision, lockedAt: users.lockedAt })
      .from(users)
      .where(eq(users.id, ownerId)),
    supervisors: supervisorAddresses(db, ownerId),
    confirmations: db.select().from(emailConfirmations).where(eq(emailConfirmations.token, hash)),
    // Raw names: requests are above accounts.
    withheld: db
      .select({ n: sql<number>`count(*)` })
      .from(sql`verification_requests`)
      .where(sql`user_id = ${ownerId} AND email_withheld = 'unconfirmed' AND ended_at IS NULL`),
  });
  const [change] = changes;
  const [confirmation] = confirmations;
  // A valid link works whatever the limit: others on the same network may have used it up.
  if (!change && !confirmation) requireBelowLimit(context, limit, full, TOO_MANY_TOKENS);
  const isOpen = (link: typeof change | typeof confirmation) => link && !link.usedAt && link.expiresAt > now;
  const [row] = owners;
  if (!row) return { supervisors, withheld: 0 };
  const { revision, lockedAt, ...user } = row;
  const owner: LinkOwner = { user, account: { id: user.id, revision } };
  // Not if the account has another address by now.
  const ofAddress = user.email === confirmation?.email ? confirmation : undefined;
  const openChange = isOpen(change) && user.email === change?.oldEmail ? change : undefined;
  if (lockedAt && (openChange || isOpen(ofAddress))) throw refuse(context, lockedAccount());
  return { change: openChange, owner, supervisors, confirmation: ofAddress, withheld: withheld[0]?.n ?? 0 };
}
