import { type MailVariables, mailSettingsProblem, type SmtpServer, smtpServerOf } from "#app/server/settings.ts";

/** How emails are sent: through MailChannels' API, or through an SMTP server. */
export type MailSettings = CommonSettings & (MailChannelsSettings | SmtpSettings);

export interface MailChannelsSettings {
  apiKey: string;
  /** The API's address if it is not MailChannels': a simulator or a test server. */
  baseUrl: string | undefined;
  smtp?: undefined;
}

export interface SmtpSettings {
  smtp: SmtpServer;
  /** How long the server may take to answer once it has an email, in milliseconds. */
  answerTimeout: number;
}

export interface CommonSettings {
  /** The sender of the messages: an address, or `Name <address>`. */
  from: string;
  /** Scheme and host of the links. */
  origin: string;
  /** How long to wait for an answer, in milliseconds. */
  timeout: number;
  /** Emails are queued, and none is sent. */
  isHeld?: boolean;
}

/** The environment variables for emails and the links in them. */
export interface MailEnv extends MailVariables {
  PUBLIC_ORIGIN?: string;
  /** The address that `npm start` serves, for links if PUBLIC_ORIGIN is not set. */
  LOCAL_ORIGIN?: string;
}

/** How long to wait for the mail service, in milliseconds. A Worker may run for 30 s after its response. */
const TIMEOUT_MS = 10_000;

/** The time that RFC 5321, 4.5.3.2.6, requires a client to wait after the final dot, in milliseconds. */
const ANSWER_TIMEOUT_MS = 10 * 60_000;

/**
 * Mail configuration, or null if a setting is missing or invalid: then no mail is sent, and pages say so. The origin of
 * links is never taken from a request: a client can set any `Host`, and a reset link mailed with it would send the token
 * to that host.
 */
export function mailSettings(env: MailEnv): MailSettings | null {
  const { MAILCHANNELS_API_KEY: apiKey, MAILCHANNELS_BASE_URL: baseUrl, SMTP_URL, MAIL_FROM: from } = env;
  const origin = env.PUBLIC_ORIGIN || env.LOCAL_ORIGIN;
  if (!from || !origin || mailSettingsProblem(env)) return null;
  const timeout = Number(env.MAIL_TIMEOUT_MS) || TIMEOUT_MS;
  const answerTimeout = Number(env.MAIL_ANSWER_TIMEOUT_MS) || ANSWER_TIMEOUT_MS;
  const common = { from, origin: new URL(origin).origin, timeout, isHeld: Boolean(env.MAIL_HELD) };
  const smtp = SMTP_URL ? smtpServerOf(SMTP_URL) : null;
  if (smtp) return { ...common, smtp, answerTimeout };
  return apiKey ? { ...common, apiKey, baseUrl } : null;
}
