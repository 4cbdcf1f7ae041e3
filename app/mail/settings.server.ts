import { mailSettingsProblem } from "#app/server/settings.ts";

export interface MailSettings {
  apiKey: string;
  /** The API's address if it is not MailChannels': a simulator or a test server. */
  baseUrl: string | undefined;
  /** Who the messages are from: an address, or `Name <address>`. */
  from: string;
  /** Scheme and host of the links. */
  origin: string;
  /** How long to wait for an answer, in milliseconds. */
  timeout: number;
  /** Emails are queued, and none is sent. */
  isHeld?: boolean;
}

/** The environment variables for mail, described in docs/settings.md. */
export interface MailEnv {
  MAILCHANNELS_API_KEY?: string;
  MAILCHANNELS_BASE_URL?: string;
  MAIL_FROM?: string;
  MAIL_TIMEOUT_MS?: string;
  MAIL_HELD?: string;
  PUBLIC_ORIGIN?: string;
  /** The address that `npm start` serves, for links if PUBLIC_ORIGIN is not set. */
  LOCAL_ORIGIN?: string;
}

/** How long to wait for the mail service, in milliseconds. A Worker may run for 30 s after its response. */
const TIMEOUT_MS = 10_000;

/**
 * Mail configuration, or null if a setting is missing or invalid: then no mail is sent, and pages say so. The origin of
 * links is never taken from a request: a client can set any `Host`, and a reset link mailed with it would send the token
 * to that host.
 */
export function mailSettings(env: MailEnv): MailSettings | null {
  const { MAILCHANNELS_API_KEY: apiKey, MAIL_FROM: from } = env;
  const origin = env.PUBLIC_ORIGIN || env.LOCAL_ORIGIN;
  if (!apiKey || !from || !origin || mailSettingsProblem(env)) return null;
  const timeout = Number(env.MAIL_TIMEOUT_MS) || TIMEOUT_MS;
  const isHeld = Boolean(env.MAIL_HELD);
  return { apiKey, baseUrl: env.MAILCHANNELS_BASE_URL, from, origin: new URL(origin).origin, timeout, isHeld };
}
