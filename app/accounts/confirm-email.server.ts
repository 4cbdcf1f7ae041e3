import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, sql } from "drizzle-orm";
import { batch, databaseMessage } from "#app/db/client.server.ts";
import { commit, type Guarded, retryOnConflict } from "#app/db/commit.server.ts";
import { type AccountLinkRow, accountLinks, earlierAddresses, users } from "#app/db/schema.ts";
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

/** The effect of an open link: it changes the address of an account to this one, or confirms the present one. */
export interface EmailLink {
  purpose: AccountLinkRow["purpose"];
  email: string;
  /** How many requests wait for the confirmation: their emails are then sent. */
  withheld: number;
}

/**
 * Returns the effect of a link, or null if it does not work.
 * @throws {AppError} 403 for an open link of a locked account; 429 after too many unknown tokens from one network
 */
export async function findEmailLink(context: AppLoadContext, token: string): Promise<EmailLink | null> {
  const found = await findLink(context, token);
  return found?.isOpen ? found.done : null;
}

/**
 * Uses a link that was mailed to an address: changes the address of an account to it, or confirms that it is the
 * account's. Returns the user and the effect of the link. The token is enough: the link may be opened on another
 * device. Only one of several uses succeeds.
 * @throws {AppError} 400 for an unknown, used or expired token; 409 as `changeEmail`; 403 and 429 as `findEmailLink`
 */
export function confirmEmail(context: AppLoadContext, token: string): Promise<{ user: User; done: EmailLink }> {
  return retryOnConflict(context, "confirm_email", async () => {
    const found = await findLink(context, token);
    if (found?.link.purpose === "confirmation") {
      return { user: await confirmAddress(context, found.link, found.owner, CHANGE_LINK_ENDED), done: found.done };
    }
    if (!found?.isOpen) throw refuse(context, new AppError("link_ended", CHANGE_LINK_ENDED));
    return { user: await changeEmail(context, found.link, found.owner, found.supervisors), done: found.done };
  });
}

/** The account of a link. */
interface LinkOwner {
  user: User;
  account: Guarded;
}

/**
 * Changes the email address of an account with the link that was sent to the new one, which is then confirmed. Sessions
 * stay; an open reset link, which was sent to the old address, ends. If two accounts change to one address, one gets
 * it.
 * @throws {AppError} 409 if the address has an account by now, or a supervisor of the user has the mailbox
 */
async function changeEmail(
  context: AppLoadContext,
  { email: newEmail, token, nonce }: AccountLinkRow,
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
    used: db.update(accountLinks).set({ usedAt: now }).where(eq(accountLinks.token, token)),
    earlier: db
      .insert(earlierAddresses)
      .values({ userId: user.id, address: hashMailbox(context, user.id, user.email), createdAt: now })
      .onConflictDoNothing(),
    confirmation: db.delete(accountLinks).where(sql`user_id = ${user.id} AND purpose = 'confirmation'`),
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

/**
 * A link with its user, open or not, and what it does. Null if it is unknown, which counts for the network's limit, or if the account
 * has another address by now.
 */
async function findLink(context: AppLoadContext, token: string) {
  const { db, now } = context;
  const limit = tokenLimit(context);
  const hash = hashLinkToken(token);
  const ownerId = sql<number>`(SELECT user_id FROM ${accountLinks} WHERE token = ${hash})`;
  const { full, links, owners, supervisors, withheld } = await batch(db, {
    ...countAttempt(context, limit, sql`NOT EXISTS ${ownerId}`),
    links: db.select().from(accountLinks).where(eq(accountLinks.token, hash)),
    owners: db
      .select({ ...userColumns, revision: users.revision, lockedAt: users.lockedAt })
      .from(users)
      .where(eq(users.id, ownerId)),
    supervisors: supervisorAddresses(db, ownerId),
    // Raw names: requests are above accounts.
    withheld: db
      .select({ n: sql<number>`count(*)` })
      .from(sql`verification_requests`)
      .where(sql`user_id = ${ownerId} AND email_withheld = 'unconfirmed' AND ended_at IS NULL`),
  });
  const [link] = links;
  // A valid link works whatever the limit: others on the same network may have used it up.
  if (!link) requireBelowLimit(context, limit, full, TOO_MANY_TOKENS);
  const [row] = owners;
  if (!link || !row) return null;
  const { revision, lockedAt, ...user } = row;
  if (user.email !== (link.oldEmail ?? link.email)) return null;
  const isOpen = !link.usedAt && link.expiresAt > now;
  if (lockedAt && isOpen) throw refuse(context, lockedAccount());
  const owner: LinkOwner = { user, account: { id: user.id, revision } };
  const done: EmailLink = { purpose: link.purpose, email: link.email, withheld: withheld[0]?.n ?? 0 };
  return { link, isOpen, done, owner, supervisors };
}
