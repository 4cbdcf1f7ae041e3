import { and, desc, eq, sql } from "drizzle-orm";
import { formatInstant } from "#app/calendar-date.ts";
import { batch } from "#app/db/client.server.ts";
import { type AccountLinkRow, accountLinks, type MessageRow, outbox, users } from "#app/db/schema.ts";
import type { ComposeContext, Composers } from "#app/mail/deliver.server.ts";
import { type Correspondent, type Email, formatGreeting } from "#app/mail/email.ts";
import { counting, holdsLease } from "#app/mail/outbox.server.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import { firstResetLimit, recipientLimit } from "#app/server/attempt-limits.server.ts";
import { confirmationEmails, mailedLink } from "./email-confirmation.server.ts";
import { hashLinkToken, linkToken } from "./link-token.server.ts";

/** A link that changes the address, which has the old one by a CHECK. */
type Change = AccountLinkRow & { oldEmail: string };

type Kinds = "email_change_link" | "email_change_notice" | "email_changed";

/**
 * Composes the emails about a change of the email address, from the data at the time of sending. The message names its
 * change by its nonce. All are null if the change was replaced by a newer one or the account was deleted.
 */
const emailChangeEmails: Pick<Composers, Kinds> = {
  /** To the new address: the link, or that the address has an account. Null if the link was used. */
  async email_change_link(context, message) {
    const { change, user, holder } = await findData(context, message);
    if (!change || !user || change.usedAt) return null;
    const mailed = mailedLink(context, message, change);
    if (mailed.late) return mailed;
    // An account with an unconfirmed address gets no emails about this: it may be a stranger's address.
    if (holder) return holder.confirmedAt ? { ...takenEmail(holder, context.origin), ...mailed.counts } : null;
    return { ...linkEmail(change, mailed.url), ...mailed.counts, ...mailed.renewed };
  },

  /** To the old address, even if the change was confirmed since. */
  async email_change_notice(context, message) {
    const { change, user } = await findData(context, message);
    return change && user ? noticeEmail(user, change, context.origin) : null;
  },

  async email_changed(context, message) {
    const { change, user } = await findData(context, message);
    return change?.usedAt && user ? changedEmail(user, change, change.usedAt, context.origin) : null;
  },
};

/** Without a name: the new address may be a stranger's. */
function linkEmail({ email, expiresAt }: Change, url: string): Email {
  return {
    to: { email },
    subject: "Confirm your new email address for Hours Tracker",
    greeting: "Hello,",
    lead: "You asked to use this email address for your Hours Tracker account. Use the button to confirm the change.",
    facts: [
      ["New address", email],
      ["Works until", `${formatInstant("UTC", expiresAt)}, one time only`],
    ],
    button: { label: "Change email address", url },
    notes: [
      "If you did not ask for this, you can ignore this email: nothing changes without the link. Do not forward this email.",
    ],
  };
}

/** Writes the email to the owner of an account whose address another account requested. It does not say which one. */
function takenEmail(holder: Correspondent, origin: string): Email {
  return {
    to: holder,
    subject: "Your email address already has an Hours Tracker account",
    greeting: formatGreeting(holder),
    lead: "Someone asked to use this email address for another Hours Tracker account. It already has an account, so nothing was changed.",
    facts: [["Account", holder.email]],
    button: { label: "Log in", url: `${origin}/auth` },
    notes: [
      "If it was you: to use this address for the other account, first change the address of this account, or delete this account. If it was not you, you do not need to do anything.",
    ],
  };
}

function noticeEmail({ name }: Correspondent, { oldEmail, email: newEmail, createdAt }: Change, origin: string): Email {
  return {
    to: { name, email: oldEmail },
    subject: "A new email address was requested for your Hours Tracker account",
    greeting: formatGreeting({ name }),
    lead: "Someone who knows your password asked to change the email address of your account. It changes when the link that we sent to the new address is opened and confirmed, within one hour.",
    facts: [
      ["Account", oldEmail],
      ["New address", newEmail],
      ["Requested on", formatInstant("UTC", createdAt)],
    ],
    button: { label: "Set another password", url: `${origin}/reset-password` },
    notes: [
      "If it was you, you do not need to do anything. If it was not, set another password now: this ends the change, and signs out every device.",
    ],
  };
}

function changedEmail({ name }: Correspondent, { oldEmail, email: newEmail }: Change, at: Date, origin: string): Email {
  return {
    to: { name, email: oldEmail },
    subject: "The email address of your Hours Tracker account was changed",
    greeting: formatGreeting({ name }),
    lead: "Your account has a new email address. From now on, log in with the new one: this address no longer opens the account, and gets no more emails about it.",
    facts: [
      ["Earlier address", oldEmail],
      ["New address", newEmail],
      ["Changed on", formatInstant("UTC", at)],
    ],
    button: { label: "Log in", url: `${origin}/auth` },
    notes: [
      "If you changed it, you do not need to do anything. If you did not, tell the people who run your Hours Tracker at once, and log in and change your password if you still can. Also check that no one else can read your email.",
    ],
  };
}

/** Reads a message's change, its user, and the account that has the new address, in one round trip. */
async function findData({ db }: ComposeContext, { userId, submission }: MessageRow) {
  const isOne = and(
    eq(accountLinks.userId, userId),
    eq(accountLinks.purpose, "change"),
    eq(accountLinks.nonce, submission ?? ""),
  );
  const recipient = { name: users.name, email: users.email };
  const newEmail = db.select({ email: accountLinks.email }).from(accountLinks).where(isOne);
  const found = await batch(db, {
    change: db.select().from(accountLinks).where(isOne),
    user: db.select(recipient).from(users).where(eq(users.id, userId)),
    holder: db
      .select({ ...recipient, confirmedAt: users.emailConfirmedAt })
      .from(users)
      .where(eq(users.email, newEmail)),
  });
  return { change: found.change[0] as Change | undefined, user: found.user[0], holder: found.holder[0] };
}

/** Composes the emails about accounts, from the data at the time of sending. */
export const accountEmails: Pick<
  Composers,
  "password_reset" | "password_changed" | keyof typeof emailChangeEmails | keyof typeof confirmationEmails
> = {
  ...emailChangeEmails,
  ...confirmationEmails,

  /** Null if the link was used or was replaced by a newer one. */
  async password_reset(context, message) {
    const { user, newest } = await findUserAndNewest(context, message);
    const { resetNonce, resetTokenExpiry } = user ?? {};
    if (!user || !resetNonce || !resetTokenExpiry || newest !== message.id) return null;
    // Only then it is counted as an email to a stranger (reset.server.ts).
    const mailbox = normalizeMailbox(user.email);
    const limits = [firstResetLimit(context, mailbox), recipientLimit(context, mailbox)];
    const counts = user.emailConfirmedAt ? {} : counting(context, message, user.email, limits);
    if (resetTokenExpiry <= context.now) return { late: true, ...counts };
    const token = linkToken(context.secret, "password reset", user.id, resetNonce);
    const url = `${context.origin}/reset-password/${token}`;
    const hash = hashLinkToken(token);
    // An unconfirmed address may be a stranger's: then the email holds no typed name.
    return {
      ...resetEmail({ ...user, name: user.emailConfirmedAt && user.name }, url, resetTokenExpiry),
      ...counts,
      ...(hash !== user.resetToken && {
        onNewSecret: context.db
          .update(users)
          .set({ resetToken: hash })
          .where(sql`id = ${user.id} AND reset_nonce = ${resetNonce} AND ${holdsLease(message)}`),
      }),
    };
  },

  async password_changed(context, message) {
    const { user } = await findUserAndNewest(context, message);
    return user ? passwordChangedEmail(user, message.createdAt, context.origin) : null;
  },
};

interface Recipient {
  name: string | null;
  email: string;
}

function resetEmail(user: Recipient, url: string, expiresAt: Date): Email {
  return {
    to: user,
    subject: "Reset your Hours Tracker password",
    greeting: formatGreeting(user),
    lead: "We received a request to reset the password of your account. Use the button to choose a new password.",
    facts: [
      ["Account", user.email],
      ["Works until", `${formatInstant("UTC", expiresAt)}, one time only`],
    ],
    button: { label: "Reset password", url },
    notes: [
      "If you did not request this, you can ignore this email: your password stays the same. Do not forward this email.",
    ],
  };
}

function passwordChangedEmail(user: Recipient, at: Date, origin: string): Email {
  return {
    to: user,
    subject: "Your Hours Tracker password was changed",
    greeting: formatGreeting(user),
    lead: "The password of your account was changed, all other devices were signed out, and all API tokens have ended.",
    facts: [
      ["Account", user.email],
      ["Changed on", formatInstant("UTC", at)],
    ],
    button: { label: "Set another password", url: `${origin}/reset-password` },
    notes: [
      "If you changed it, you do not need to do anything. If you did not, set another password now, and check that no one else can read your email.",
    ],
  };
}

async function findUserAndNewest({ db }: ComposeContext, { userId }: MessageRow) {
  const found = await batch(db, {
    user: db
      .select({
        id: users.id,
        name: users.name,
        email: users.email,
        emailConfirmedAt: users.emailConfirmedAt,
        resetNonce: users.resetNonce,
        resetToken: users.resetToken,
        resetTokenExpiry: users.resetTokenExpiry,
      })
      .from(users)
      .where(eq(users.id, userId)),
    newest: db
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(eq(outbox.userId, userId), eq(outbox.kind, "password_reset")))
      .orderBy(desc(outbox.id))
      .limit(1),
  });
  return { user: found.user[0], newest: found.newest[0]?.id };
}
