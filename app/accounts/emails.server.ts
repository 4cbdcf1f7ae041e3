import { and, desc, eq } from "drizzle-orm";
import { batch } from "#app/db/client.server.ts";
import { type MessageRow, outbox, users } from "#app/db/schema.ts";
import type { ComposeContext, Composers } from "#app/mail/deliver.server.ts";
import { type Email, formatGreeting } from "#app/mail/email.ts";
import { normalizeMailbox } from "#app/mail/mailbox.ts";
import { counting } from "#app/mail/outbox.server.ts";
import { firstResetLimit, recipientLimit } from "#app/server/attempt-limits.server.ts";
import { formatInstant } from "#app/ui/calendar-date.ts";
import { emailChangeEmails } from "./email-change-mail.server.ts";
import { confirmationEmails } from "./email-confirmation.server.ts";
import { linkToken } from "./link-token.server.ts";

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
    const url = `${context.origin}/reset-password/${linkToken(context.secret, "password reset", user.id, resetNonce)}`;
    // An address that nobody has confirmed may be a stranger's: then the email holds no typed name.
    return { ...resetEmail({ ...user, name: user.emailConfirmedAt && user.name }, url, resetTokenExpiry), ...counts };
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
