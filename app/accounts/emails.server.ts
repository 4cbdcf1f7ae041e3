import { and, desc, eq } from "drizzle-orm";
import { batch } from "#app/db/client.server.ts";
import { type MessageRow, outbox, users } from "#app/db/schema.ts";
import type { ComposeContext, Composers } from "#app/mail/deliver.server.ts";
import { type Email, formatGreeting } from "#app/mail/email.ts";
import { formatInstant } from "#app/ui/calendar-date.ts";
import { resetToken } from "./reset-token.server.ts";

/** The letters of this room, made from what is true when they are sent. */
export const accountEmails: Pick<Composers, "password_reset" | "password_changed"> = {
  /** Nothing, where the link was used, replaced by that of a newer request, or is over. */
  async password_reset(desk, message) {
    const { user, newest } = await factsOf(desk, message);
    const { resetNonce, resetTokenExpiry } = user ?? {};
    if (!user || !resetNonce || !resetTokenExpiry || newest !== message.id || resetTokenExpiry <= desk.now) return null;
    const url = `${desk.origin}/reset-password/${resetToken(desk.secret, user.id, resetNonce)}`;
    return resetLetter(user, url, resetTokenExpiry);
  },

  async password_changed(desk, message) {
    const { user } = await factsOf(desk, message);
    return user ? changedLetter(user, message.createdAt, desk.origin) : null;
  },
};

interface Addressee {
  name: string | null;
  email: string;
}

function resetLetter(user: Addressee, url: string, expiresAt: Date): Email {
  return {
    to: user,
    subject: "Reset your Hours Tracker password",
    greeting: formatGreeting(user),
    lead: "Somebody, most likely you, asked to reset the password of your account. The button leads to a page where you choose a new one.",
    facts: [
      ["Account", user.email],
      ["Works until", `${formatInstant("UTC", expiresAt)} UTC, and once`],
    ],
    button: { label: "Reset password", url },
    notes: ["If it was not you, you need to do nothing: your password stays as it is. Do not pass this message on."],
  };
}

function changedLetter(user: Addressee, at: Date, origin: string): Email {
  return {
    to: user,
    subject: "Your Hours Tracker password was changed",
    greeting: formatGreeting(user),
    lead: "The password of your account was changed, and every other device that was signed in has been signed out.",
    facts: [
      ["Account", user.email],
      ["Changed on", `${formatInstant("UTC", at)} UTC`],
    ],
    button: { label: "Set another password", url: `${origin}/reset-password` },
    notes: [
      "If you changed it yourself, you need to do nothing. If it was not you, set another password now, and see to it that nobody else reads your mail.",
    ],
  };
}

async function factsOf({ db }: ComposeContext, { userId }: MessageRow) {
  const found = await batch(db, {
    user: db
      .select({
        id: users.id,
        name: users.name,
        email: users.email,
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
