import { emailAddress, isPossibleAddress } from "#app/plain-text.ts";
import type { Env } from "./env.ts";
import { isThisMachine } from "./request-line.ts";
import { earlierSecretsOf } from "./secrets.server.ts";

/** The minimum length against guessing, in bytes; `openssl rand -base64 32` prints 44. */
const SECRET_BYTES = 32;

/** A statement compares with one hash for each of them. */
const EARLIER_MAX = 5;

/** The fewest different characters: 32 random digits practically always have more. */
const SECRET_CHARACTERS = 5;

/** One scheme, host and port; a slash at the end is ignored. The host is a name, in any script, or an IP address. */
const ORIGIN = /^https?:\/\/(\[[\da-f:.]+\]|[\p{L}\p{N}_.-]+)(:\d{1,5})?\/?$/iu;

/** `address`, or `Name <address>`. */
const SENDER = /^(?:[^<>\p{Cc}]*<[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+)$/u;

/** Scheme and host, maybe with a path before that of the API. */
const BASE_URL = /^https?:\/\/[^/\\?#@\s,]+(\/[^\\?#@\s,]*)?$/i;

/** Scheme, user and password, host, port; nothing after it. */
const SMTP_URL_PARTS =
  /^(smtps?):\/\/(?:([^\s:@/?#\\]+):([^\s@/?#\\]+)@)?(\[[\da-f:.]+\]|[\p{L}\p{N}_.-]+)(?::(\d{1,5}))?\/?$/iu;

const WHOLE_NUMBER = /^[1-9]\d{0,8}$/;

/** From 100 kB, so that no count of gigabytes is taken for bytes, to 999 TB. */
const BYTES = /^[1-9]\d{5,14}$/;

/** The time limits of email, in milliseconds: the shortest, and the longest. */
const TIMEOUTS = { MAIL_TIMEOUT_MS: [100, 60_000], MAIL_ANSWER_TIMEOUT_MS: [100, 600_000] } as const;

/** An SMTP server, as SMTP_URL names it. */
export interface SmtpServer {
  /** A name or an IPv4 address in ASCII, or an IPv6 address without brackets. */
  host: string;
  port: number;
  /** From the first byte (`on`), before anything but the server's offers is sent (`starttls`), or, to this machine, not at all. */
  tls: "on" | "starttls" | "off";
  /** Null, both, for a server that asks for no password. */
  user: string | null;
  password: string | null;
}

/** Reads SMTP_URL; null if it is wrong. Without a port it is 465 for smtps and 587 for smtp. */
export function smtpServerOf(url: string): SmtpServer | null {
  const [, scheme, user, password, typedHost, typedPort] = SMTP_URL_PARTS.exec(url) ?? [];
  if (!scheme || !typedHost || !URL.canParse(`http://${typedHost}`)) return null;
  const isSecure = scheme.toLowerCase() === "smtps";
  const port = typedPort ? Number(typedPort) : isSecure ? 465 : 587;
  const { hostname } = new URL(`http://${typedHost}`); // in ASCII and lower case
  const [decodedUser, decodedPassword] = [decodedPart(user), decodedPart(password)];
  if (port < 1 || port > 65_535 || decodedUser === null || decodedPassword === null) return null;
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port,
    tls: isSecure ? "on" : isThisMachine(hostname) ? "off" : "starttls",
    user: decodedUser || null,
    password: decodedPassword || null,
  };
}

/** A part of a URL without its percent-encoding, or null if that is wrong or hides a control character; "" if there is none. */
function decodedPart(part = ""): string | null {
  try {
    const text = decodeURIComponent(part);
    return /\p{Cc}/u.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** The environment variables for mail, described in docs/settings.md. */
export interface MailVariables {
  MAIL_FROM?: string;
  MAIL_HELD?: string;
  MAIL_TIMEOUT_MS?: string;
  MAIL_ANSWER_TIMEOUT_MS?: string;
  MAILCHANNELS_API_KEY?: string;
  MAILCHANNELS_BASE_URL?: string;
  SMTP_URL?: string;
}

type Settings = Pick<
  Env,
  | "SESSION_SECRET"
  | "EARLIER_SECRETS"
  | "PUBLIC_ORIGIN"
  | "TRUST_PROXY"
  | "REQUESTS_PER_MINUTE"
  | "RESET_ADMIN"
  | "DATABASE_LIMIT"
> &
  MailVariables;

/**
 * Returns what is wrong with the settings, for the operator, or null. The Worker checks them on every request; `npm start`,
 * `npm run dev` and the executable also check them at start.
 */
export function settingsProblem(settings: Settings): string | null {
  const { SESSION_SECRET, PUBLIC_ORIGIN, TRUST_PROXY, REQUESTS_PER_MINUTE, RESET_ADMIN, DATABASE_LIMIT } = settings;
  const makeOne = "Make one with `openssl rand -base64 32` and keep it.";
  if (!SESSION_SECRET) return `SESSION_SECRET is missing. ${makeOne}`;
  const weakness = weaknessOf(SESSION_SECRET.trim());
  if (weakness) return `SESSION_SECRET ${weakness}. ${makeOne}`;
  const earlier = earlierSecretsOf(settings.EARLIER_SECRETS);
  if (earlier.length > EARLIER_MAX) return `EARLIER_SECRETS has at most ${EARLIER_MAX} secrets. Leave out the oldest.`;
  const weak = earlier.map(weaknessOf).find((one) => one !== null);
  if (weak) return `A secret of EARLIER_SECRETS ${weak}. Write each as SESSION_SECRET was, with commas between them.`;
  const origin = originProblem(PUBLIC_ORIGIN);
  if (origin) return origin;
  if (TRUST_PROXY && TRUST_PROXY !== "1") {
    return `TRUST_PROXY must be 1, or not set without a proxy of your own in front of the app; it is ${TRUST_PROXY}`;
  }
  if (REQUESTS_PER_MINUTE && !WHOLE_NUMBER.test(REQUESTS_PER_MINUTE)) {
    return `REQUESTS_PER_MINUTE must be a whole number, 1 or more; it is ${REQUESTS_PER_MINUTE}`;
  }
  if (DATABASE_LIMIT && !BYTES.test(DATABASE_LIMIT)) {
    return `DATABASE_LIMIT must be a whole number of bytes, 100000 or more, such as 10000000000; it is ${DATABASE_LIMIT}`;
  }
  if (RESET_ADMIN && !adminToReset(settings)) {
    return `RESET_ADMIN must be the email address of an admin, such as ada@example.com; it is ${RESET_ADMIN}`;
  }
  return mailSettingsProblem(settings);
}

/** Returns why a secret is too weak, or null. */
function weaknessOf(secret: string): string | null {
  if (new TextEncoder().encode(secret).length < SECRET_BYTES)
    return `is too short: it must have ${SECRET_BYTES} bytes or more, beside blanks around it`;
  return isEasyToGuess(secret) ? "is easy to guess: it repeats the same few characters" : null;
}

/** Returns the error in `PUBLIC_ORIGIN`, for the operator, or null. */
export function originProblem(origin: string | undefined): string | null {
  if (!origin || (ORIGIN.test(origin) && URL.canParse(origin))) return null;
  if (URL.canParse(origin) && new URL(origin).pathname !== "/" && /^https?:/i.test(origin))
    return `PUBLIC_ORIGIN must be scheme and host: the app cannot be below a path, so give it a host of its own, such as https://hours.example.com; it is ${origin}`;
  return `PUBLIC_ORIGIN must be scheme and host, such as https://hours.example.com; it is ${origin}`;
}

/** The address of `RESET_ADMIN` as accounts have it, or null without a valid one. */
export function adminToReset({ RESET_ADMIN }: Pick<Env, "RESET_ADMIN">): string | null {
  const address = emailAddress(RESET_ADMIN ?? "");
  return isPossibleAddress(address) ? address : null;
}

/** Returns the error in the settings for email, for the operator, or null. */
export function mailSettingsProblem(settings: MailVariables): string | null {
  const { MAIL_FROM, MAIL_HELD, MAILCHANNELS_API_KEY, MAILCHANNELS_BASE_URL, SMTP_URL } = settings;
  if (MAIL_FROM && !SENDER.test(MAIL_FROM)) {
    return `MAIL_FROM must be an address, or a name and an address, such as Hours Tracker <hours@example.com>; it is ${MAIL_FROM}`;
  }
  if (MAIL_HELD && MAIL_HELD !== "1") {
    return `MAIL_HELD must be 1, which holds all emails back, or not set; it is ${MAIL_HELD}`;
  }
  for (const name of ["MAIL_TIMEOUT_MS", "MAIL_ANSWER_TIMEOUT_MS"] as const) {
    const [shortest, longest] = TIMEOUTS[name];
    const text = settings[name] ?? "";
    const timeout = WHOLE_NUMBER.test(text) ? Number(text) : Number.NaN;
    if (text && !(timeout >= shortest && timeout <= longest))
      return `${name} must be a number of milliseconds from ${shortest} to ${longest}; it is ${text}`;
  }
  if (MAILCHANNELS_BASE_URL && !(BASE_URL.test(MAILCHANNELS_BASE_URL) && URL.canParse(MAILCHANNELS_BASE_URL))) {
    return `MAILCHANNELS_BASE_URL must be an address such as https://api.mailchannels.net; it is ${MAILCHANNELS_BASE_URL}`;
  }
  if (!SMTP_URL) return null;
  if (MAILCHANNELS_API_KEY || MAILCHANNELS_BASE_URL) {
    return "SMTP_URL and MAILCHANNELS_API_KEY or MAILCHANNELS_BASE_URL cannot be set at once: emails are sent through one of the two, so remove the other.";
  }
  // Without its value, which has a password.
  if (!smtpServerOf(SMTP_URL)) {
    return "SMTP_URL must be such as smtps://user:password@mail.example.com:465 or smtp://user:password@mail.example.com:587, with other characters than letters and digits in user and password percent-encoded (%40 for @).";
  }
  if (MAIL_FROM && !/^[^<>]*<[!-~]+>$|^[!-~]+$/.test(MAIL_FROM)) {
    return `MAIL_FROM must have an address in ASCII with SMTP_URL; it is ${MAIL_FROM}`;
  }
  return null;
}

/** Whether a text repeats the same few characters, and was typed, not made. */
export function isEasyToGuess(secret: string): boolean {
  return new Set(secret).size < SECRET_CHARACTERS;
}
