import type { Email } from "./email.ts";
import * as mailChannels from "./mailchannels.server.ts";
import type { MailSettings } from "./settings.server.ts";
import { sendLetter, writeLetter } from "./smtp.server.ts";

/** An email that is ready to be sent; a call sends it once and never throws. */
export type Prepared = () => Promise<mailChannels.Report>;

/**
 * Renders an email for the mail service of the settings. It may throw, so it must run before the attempt to send begins.
 * `id` becomes the Message-ID, where we choose it: the same for each copy.
 */
export function prepare(email: Email, settings: MailSettings, id: string): Prepared {
  if (settings.smtp) {
    const letter = writeLetter(email, settings, id);
    return () => sendLetter(letter, settings);
  }
  const rendered = mailChannels.render(email, settings);
  return () => mailChannels.send(rendered, settings);
}

/** The host of the mail service, for the operator; with its port if it is an SMTP server. */
export function hostOf(settings: MailSettings): string {
  return settings.smtp ? `${settings.smtp.host}:${settings.smtp.port}` : mailChannels.hostOf(settings);
}

/** Returns why the service cannot be reached now, or null. With SMTP the attempt to send shows it. */
export async function unreachableBecause(settings: MailSettings): Promise<string | null> {
  return settings.smtp ? null : mailChannels.unreachableBecause(settings);
}
