import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { batch } from "#app/db/client.server.ts";
import { type EmailChangeRow, earlierAddresses, emailChanges } from "#app/db/email-changes.ts";
import { outbox, users } from "#app/db/schema.ts";
import { searchText } from "#app/db/search-text.ts";
import { AppError } from "#app/errors.ts";
import { queueMessage } from "#app/mail/outbox.server.ts";
import { countAttempt, requireBelowLimit, TOO_MANY_TOKENS, tokenLimit } from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { supervisorsWithAddress } from "./asked-address.server.ts";
import { isUnchanged } from "./details.server.ts";
import { hashAddress } from "./earlier-addresses.server.ts";
import { hashLinkToken } from "./link-token.server.ts";
import { IS_SUPERVISOR } from "./request-email-change.server.ts";
import type { User } from "./user.ts";
import { userColumns } from "./user-columns.server.ts";

/** The message of a link that no longer works. */
export const CHANGE_LINK_ENDED =
  "This link has been used, has expired or was replaced by a newer one. You can request a new one on your account page.";

const TAKEN = "This email address has an account by now, so your account cannot have it.";

/**
 * The new address of an open link, or null if the link does not work.
 * @throws {AppError} 429 after too many unknown tokens from one network
 */
export async function findChangedAddress(context: AppLoadContext, token: string): Promise<string | null> {
  return (await findOpen(context, token))?.change.newEmail ?? null;
}

/**
 * Changes the email address of an account with the link that was sent to the new one, and returns the changed user. The
 * token is enough: the link may be opened on another device. Sessions stay; an open reset link, which was sent to the
 * old address, ends. The statement itself requires an open link and an address without an account, so of any number of
 * uses one succeeds, and of two accounts one gets the address.
 * @throws {AppError} 400 for an unknown, used or expired token; 409 if the address has an account by now, or a supervisor
 *   of the user has it; 429 as `findChangedAddress`
 */
export async function confirmEmailChange(context: AppLoadContext, token: string): Promise<User> {
  const { db } = context;
  const found = await findOpen(context, token);
  if (!found) throw refuse(context, new AppError(400, CHANGE_LINK_ENDED));
  const { change } = found;
  const ofChange = sql`id = ${change.userId} AND email = ${change.oldEmail} AND ${isOpen(context, change)}`;
  for (let { user } = found; ; ) {
    const { changed, open, taken, supervisor } = await batch(db, {
      ...changeStatements(context, change, user),
      open: db.select(userColumns).from(users).where(ofChange),
      taken: db.select({ id: users.id }).from(users).where(eq(users.email, change.newEmail)),
      supervisor: db
        .select({ id: sql<number>`id` })
        .from(sql`(${supervisorsWithAddress(change.userId, change.newEmail)})`)
        .limit(1),
    });
    if (changed[0]) {
      securityEvent(context, "email_changed", { account: change.userId });
      return changed[0];
    }
    if (!open[0]) throw refuse(context, new AppError(400, CHANGE_LINK_ENDED));
    if (taken[0]) throw refuse(context, new AppError(409, TAKEN));
    if (supervisor[0]) throw refuse(context, new AppError(409, IS_SUPERVISOR));
    user = open[0]; // the name or number was changed since it was read, and is part of the search text
  }
}

function refuse(context: AppLoadContext, error: AppError): AppError {
  securityEvent(context, "email_change_refused");
  return error;
}

/** The link's change and its user, if the link works. An unknown token counts for the network's limit. */
async function findOpen(
  context: AppLoadContext,
  token: string,
): Promise<{ change: EmailChangeRow; user: User } | null> {
  const { db, now } = context;
  const limit = tokenLimit(context);
  const hash = hashLinkToken(token);
  const change = db.select().from(emailChanges).where(eq(emailChanges.token, hash));
  const { full, changes, found } = await batch(db, {
    ...countAttempt(context, limit, sql`NOT EXISTS (SELECT 1 FROM ${emailChanges} WHERE token = ${hash})`),
    changes: change,
    found: db
      .select(userColumns)
      .from(users)
      .where(sql`id = (SELECT user_id FROM ${emailChanges} WHERE token = ${hash})`),
  });
  const [row] = changes;
  const [user] = found;
  // A valid link works whatever the limit: others on the same network may have used it up.
  if (!row || !user) {
    requireBelowLimit(context, limit, full, TOO_MANY_TOKENS);
    return null;
  }
  return row.usedAt === null && row.expiresAt > now ? { change: row, user } : null;
}

/** The statements that change the address. If the first one changes nothing, neither do the others. */
function changeStatements(context: AppLoadContext, change: EmailChangeRow, user: User) {
  const { db, now } = context;
  const { userId, oldEmail, newEmail, token } = change;
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
      })
      .where(
        sql`${isUnchanged({ ...user, email: oldEmail })} AND ${isOpen(context, change)}
          AND NOT EXISTS (SELECT 1 FROM ${users} AS other WHERE other.email = ${newEmail})
          AND NOT EXISTS (${supervisorsWithAddress(change.userId, change.newEmail)})`,
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
        sql`SELECT NULL, user_id, ${hashAddress(context, userId, oldEmail)}, ${now.getTime()}
          FROM ${emailChanges} WHERE ${isUsedNow}`,
      )
      .onConflictDoNothing(),
    mail: queueMessage(context, {
      kind: "email_changed",
      userId: sql`user_id`,
      submission: token,
      from: sql`FROM ${emailChanges} WHERE ${isUsedNow} AND NOT EXISTS (SELECT 1 FROM ${outbox}
        WHERE user_id = ${userId} AND kind = 'email_changed' AND submission = ${token})`,
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
