import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, type SQL, sql } from "drizzle-orm";
import { DAY_MS, formatInstant } from "#app/calendar-date.ts";
import { batch, insertSelect } from "#app/db/client.server.ts";
import { commit, type Guarded, retryOnConflict } from "#app/db/commit.server.ts";
import { type AccountLinkRow, accountLinks, type MessageRow, users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import type { ComposeContext, Composers } from "#app/mail/deliver.server.ts";
import type { Email } from "#app/mail/email.ts";
import { counting, holdsLease, isTooLate, queueMessage } from "#app/mail/outbox.server.ts";
import { isNotSuppressed, STOPPED_GETS_NONE } from "#app/mail/suppression.server.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import {
  attemptAtLimit,
  confirmationLimit,
  countAttempt,
  firstResetLimit,
  isBelowLimits,
  type Limit,
  recipientLimit,
  requireBelowLimit,
} from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { requireUser } from "./access.server.ts";
import { hashLinkToken, linkToken, newNonce } from "./link-token.server.ts";
import type { User } from "./user.ts";

/*
 * The address of an account is confirmed by a link that is mailed to it: anyone can register with a stranger's. Until
 * then the account works, its requests are mailed to three supervisors (app/supervisor-mail/limits.server.ts), and its
 * own address gets no other email than this link and a reset (app/mail/outbox.server.ts). A reset by a mailed link and
 * a confirmed change of the address confirm it too. See docs/decisions/0050-email-addresses-of-accounts.md.
 */

/** How long a link works, in milliseconds. */
const CONFIRMATION_MS = 7 * DAY_MS;

/** The message of a link that was used. */
const CONFIRMED_BEFORE = "This link has been used: the email address is confirmed.";

/** Whether the app asks this user to confirm their address: not where mail is off. */
export function asksToConfirm({ mail }: Pick<AppLoadContext, "mail">, { emailConfirmedAt }: User): boolean {
  return mail.isConfigured && emailConfirmedAt === null;
}

/**
 * The statements that store a new link for the account with this address and queue its email, if the address is not
 * confirmed and did not stop all emails, no limit is reached and `which` (a condition on `users`) holds. An earlier link ends. Without mail they store nothing.
 */
export function confirmationStatements(context: AppLoadContext, email: string, which: SQL, ofAccount: Limit[] = []) {
  const { db, now, secret, mail } = context;
  const nonce = newNonce();
  const token = hashLinkToken(linkToken(secret, "email confirmation", email, nonce));
  const expiresAt = new Date(now.getTime() + CONFIRMATION_MS);
  const limits = [...ofAccount, recipientLimit(context, normalizeMailbox(email))];
  const { full, counted } = countAttempt(
    context,
    limits,
    sql`EXISTS (SELECT 1 FROM ${accountLinks} WHERE token = ${token})`,
  );
  return {
    full,
    stored: insertSelect(
      db,
      accountLinks,
      { userId: sql`id`, purpose: "confirmation", email: sql`email`, token, nonce, createdAt: now, expiresAt },
      sql`FROM ${users} WHERE email = ${email} AND email_confirmed_at IS NULL AND ${which} AND ${mail.isConfigured ? 1 : 0}
        AND ${isBelowLimits(context, limits)} AND ${isNotSuppressed(secret, email)}`,
    )
      .onConflictDoUpdate({
        target: [accountLinks.userId, accountLinks.purpose],
        targetWhere: sql`used_at IS NULL`,
        set: {
          email: sql`excluded.email`,
          token: sql`excluded.token`,
          nonce: sql`excluded.nonce`,
          createdAt: sql`excluded.created_at`,
          expiresAt: sql`excluded.expires_at`,
        },
      })
      .returning({ id: accountLinks.id }),
    counted,
    message: queueMessage(context, {
      kind: "email_confirmation",
      userId: sql`user_id`,
      submission: nonce,
      from: sql`FROM ${accountLinks} WHERE token = ${token}`,
    }),
  };
}

/** The condition that a user has no link that works: mail was off when they registered, or it has expired. */
export function hasNoOpenLink({ now }: AppLoadContext, { id, email }: User): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${accountLinks}
    WHERE user_id = ${id} AND purpose = 'confirmation' AND email = ${email} AND used_at IS NULL AND expires_at > ${now.getTime()})`;
}

const SENT = `We've sent a new link to your email address. It works for 7 days. ${STOPPED_GETS_NONE}`;
const CONFIRMED = "Your email address is confirmed.";
const NOT_CONFIGURED = "Email is not set up on this server, so there is nothing to confirm.";

/**
 * Sends the signed-in user a new link, three a day at most, and returns the message for them: also that there is
 * nothing to confirm.
 * @throws as `requireUser`; {AppError} 429 after three in a day, or too many emails to the address
 */
export async function resendConfirmation(context: AppLoadContext): Promise<string> {
  return retryOnConflict(context, "resend_confirmation", async () => {
    const { user, account } = await requireUser(context);
    if (!context.mail.isConfigured) return NOT_CONFIGURED;
    if (user.emailConfirmedAt) return CONFIRMED;
    const ofAccount = confirmationLimit(context, user.id);
    const statements = confirmationStatements(context, user.email, sql`id = ${user.id}`, [ofAccount]);
    const { stored, full } = await commit(context.db, [account], statements);
    if (stored.length === 0) {
      requireBelowLimit(context, ofAccount, full, "We have sent you as many links as we send in a day.");
      const toMailbox = recipientLimit(context, normalizeMailbox(user.email));
      requireBelowLimit(context, toMailbox, full, "There were too many emails to this address.");
    }
    securityEvent(context, "email_confirmation_asked");
    return SENT;
  });
}

/**
 * Confirms the address of an account with a link that was found for it. A trigger releases the emails that waited for it.
 * @throws {AppError} 400 for a link that was used or has expired
 */
export async function confirmAddress(
  context: AppLoadContext,
  { usedAt, expiresAt, token }: AccountLinkRow,
  { user, account }: { user: User; account: Guarded },
  ended: string,
): Promise<User> {
  const { db, now } = context;
  if (usedAt || expiresAt <= now) {
    securityEvent(context, "email_confirmation_refused", { account: user.id });
    throw new AppError("link_ended", usedAt ? CONFIRMED_BEFORE : ended);
  }
  const emailConfirmedAt = user.emailConfirmedAt ?? now;
  await commit(db, [account], {
    confirmed: db.update(users).set({ emailConfirmedAt }).where(eq(users.id, user.id)),
    used: db.update(accountLinks).set({ usedAt: now }).where(eq(accountLinks.token, token)),
  });
  securityEvent(context, "email_confirmed", { account: user.id });
  return { ...user, emailConfirmedAt };
}

/**
 * Limits the reset emails to an unconfirmed address: `isFree` is the condition that it may get one. The first of a day is always
 * sent: otherwise a person who sends five requests to the address stops its owner from signing in. Later ones count as all emails
 * to the address do.
 * `counted` are the statements that count an email, if `isSent`.
 */
export function mayMailReset(context: AppLoadContext, email: string, isSent: SQL) {
  const mailbox = normalizeMailbox(email);
  const [first, all] = [firstResetLimit(context, mailbox), recipientLimit(context, mailbox)];
  const isFirst = sql`NOT EXISTS ${attemptAtLimit(context, first)}`;
  return {
    isFree: sql`(${isFirst} OR NOT EXISTS ${attemptAtLimit(context, all)})`,
    counted: {
      more: countAttempt(context, all, sql`${isSent} AND NOT (${isFirst})`).counted,
      first: countAttempt(context, first, isSent).counted,
    },
  };
}

/** Composes the email with the link. It holds nothing that a person typed, not even a name, because it may go to a stranger. */
export const confirmationEmails: Pick<Composers, "email_confirmation"> = {
  /** Null if the link was used or replaced, or if the address was changed or confirmed since. */
  async email_confirmation(context, message) {
    const { db } = context;
    const { link, user } = await batch(db, {
      link: db.select().from(accountLinks).where(sql`user_id = ${message.userId} AND nonce = ${message.submission}`),
      user: db
        .select({ email: users.email, confirmedAt: users.emailConfirmedAt })
        .from(users)
        .where(eq(users.id, message.userId)),
    });
    const [row, account] = [link[0], user[0]];
    if (!row || row.usedAt || account?.email !== row.email || account.confirmedAt) return null;
    const mailed = mailedLink(context, message, row);
    return mailed.late ? mailed : { ...confirmationEmail(row, mailed.url), ...mailed.counts, ...mailed.renewed };
  },
};

/**
 * A link as an email has it: its URL, how the email is counted, and the statement that stores the link by a new secret. Or that
 * the email is too late for it.
 */
export function mailedLink(context: ComposeContext, message: MessageRow, link: AccountLinkRow) {
  const { db, secret, now, origin } = context;
  const counts = counting(context, message, link.email);
  if (isTooLate(context, message) || link.expiresAt <= now) return { late: true as const, onFailed: counts.onFailed };
  const subject = link.purpose === "change" ? link.userId : link.email;
  const token = linkToken(secret, `email ${link.purpose}`, subject, link.nonce);
  const hash = hashLinkToken(token);
  const renewed = hash !== link.token && {
    onNewSecret: db
      .update(accountLinks)
      .set({ token: hash })
      .where(sql`id = ${link.id} AND used_at IS NULL AND ${holdsLease(message)}`),
  };
  return { late: false as const, url: `${origin}/account/email/${token}`, counts, renewed };
}

function confirmationEmail({ email, expiresAt }: AccountLinkRow, url: string): Email {
  return {
    to: { email },
    subject: "Confirm your email address for Hours Tracker",
    greeting: "Hello,",
    lead: "This email address was used to register an Hours Tracker account. If it was you, use the button to confirm the address.",
    facts: [["Works until", `${formatInstant("UTC", expiresAt)}, one time only`]],
    button: { label: "Confirm email address", url },
    notes: [
      "Until then we send your requests to three supervisors at most. Where an email waits, you can pass the link on yourself.",
      "If it was not you, you can ignore this email. Do not forward it.",
    ],
  };
}
