/** What it takes to mail anything. */
export interface MailSettings {
  apiKey: string;
  /** Another address than MailChannels' own: its simulator's, a test's. */
  baseUrl: string | undefined;
  /** Who the messages are from: an address, or `Name <address>`. */
  from: string;
  /** Scheme and host that links lead to. */
  origin: string;
  /** How long an answer may take, in milliseconds. */
  timeout: number;
}

/** The settings of the environment that mail needs. What each means is in docs/mail.md. */
export interface MailEnv {
  MAILCHANNELS_API_KEY?: string;
  MAILCHANNELS_BASE_URL?: string;
  MAIL_FROM?: string;
  MAIL_TIMEOUT_MS?: string;
  PUBLIC_ORIGIN?: string;
  /** The address that `npm start` itself serves; it is for the links of a laptop, where there is no PUBLIC_ORIGIN. */
  LOCAL_ORIGIN?: string;
}

/** After this nobody knows any more what becomes of a message. A Worker may go on for 30 s after its answer. */
const TIMEOUT_MS = 10_000;

/** `address`, or `Name <address>`. */
const SENDER = /^(?:[^<>]*<[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+)$/;

/**
 * The settings, or null where one is missing or cannot be used: then nothing is mailed, and whoever asks for a message is told. The
 * address of links is never taken from a request: its `Host` is whatever the sender wrote, and a link mailed with it
 * would hand a reset token to them.
 */
export function mailSettings(env: MailEnv): MailSettings | null {
  const { MAILCHANNELS_API_KEY: apiKey, MAIL_FROM: from } = env;
  const origin = env.PUBLIC_ORIGIN || env.LOCAL_ORIGIN;
  if (!apiKey || !from || !SENDER.test(from) || !origin) return null;
  const timeout = Number(env.MAIL_TIMEOUT_MS) || TIMEOUT_MS;
  return { apiKey, baseUrl: env.MAILCHANNELS_BASE_URL, from, origin: new URL(origin).origin, timeout };
}
