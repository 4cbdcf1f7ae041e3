import type { MailEnv } from "#app/mail/settings.server.ts";
import type { Env } from "#app/server/env.ts";
import { isEasyToGuess, settingsProblem as problemOfAnyApp } from "#app/server/settings.ts";
import { BACKUP_SETTINGS, backupSettingsProblem } from "./backups/settings.ts";

/** The app's environment variables: without Cloudflare's bindings and `npm start`'s own. */
type Setting = Exclude<
  keyof (Env & MailEnv),
  "DB" | "RATE_LIMITER" | "LOCAL_ORIGIN" | "onResponse" | "selfHost" | "lacksTrustProxy"
>;

/** Their names; by the type, none can be missing. */
const SETTINGS: Record<Setting, true> = {
  SESSION_SECRET: true,
  EARLIER_SECRETS: true,
  PUBLIC_ORIGIN: true,
  TRUST_PROXY: true,
  REQUESTS_PER_MINUTE: true,
  DATABASE_LIMIT: true,
  RESET_ADMIN: true,
  SIGNING_KEY: true,
  BODY_IDLE_MS: true,
  MAILCHANNELS_API_KEY: true,
  MAILCHANNELS_BASE_URL: true,
  SMTP_URL: true,
  MAIL_FROM: true,
  MAIL_HELD: true,
  MAIL_TIMEOUT_MS: true,
  MAIL_ANSWER_TIMEOUT_MS: true,
};

/** Settings that the Worker itself does not get: the tokens for backups and metrics, the time zone of "today", and the nightly backups. */
const OWN_SETTINGS = ["BACKUP_TOKEN", "METRICS_TOKEN", "TZ", ...BACKUP_SETTINGS] as const;

export const ENVIRONMENT: string[] = [...Object.keys(SETTINGS), ...OWN_SETTINGS];

/** Settings of `npm start` alone. */
const OF_NPM_START = ["PORT", "HOST", "DATA_DIR", "LOG", "OFFLINE"];

/** Settings that one way of running ignores, because only the other has them, and why. */
const IGNORED = {
  "npm start": { names: ["BACKUP_TOKEN", ...BACKUP_SETTINGS], why: "npm start, which takes and restores no backups" },
  "the executable": {
    names: ["PORT", "HOST", "DATA_DIR", "LOG", "OFFLINE"],
    why: "the executable: its folder and address are the options -ddata= and -shttp=, its log is always JSON, and OFFLINE is set when it is built",
  },
  "npm run deploy": {
    names: ["BACKUP_TOKEN", "METRICS_TOKEN", ...BACKUP_SETTINGS, ...OF_NPM_START],
    why: "the Worker on Cloudflare, which has no such setting",
  },
};

/** The variables that the executable can read: the settings, and names that it only warns of. */
export function readByExecutable(): string[] {
  return [...ENVIRONMENT, ...IGNORED["the executable"].names, ...slipsOf().keys()];
}

/** The environment as the runtime gives it: null for what is not set. */
export type Environment = { [name in Setting | (typeof OWN_SETTINGS)[number]]: string | null };

type AppSettings = { [name in Setting]?: string } & { SESSION_SECRET: string };

/** The environment as the app gets it on Cloudflare: without the variables that are not set. */
export function appSettings(environment: Partial<Environment>): AppSettings {
  const names = Object.keys(SETTINGS) as Setting[]; // the keys of the record above
  const set = names.flatMap((name): [string, string][] => (environment[name] ? [[name, environment[name]]] : []));
  return Object.fromEntries(set) as AppSettings; // `settingsProblem` refuses one without the secret
}

/** What is wrong with the settings, in words for the operator, or null. */
export function settingsProblem(environment: Environment): string | null {
  const problem = problemOfAnyApp(appSettings(environment));
  if (problem) return problem;
  return (
    tokenProblem("BACKUP_TOKEN", environment) ??
    tokenProblem("METRICS_TOKEN", environment) ??
    sharedTokenProblem(environment) ??
    backupSettingsProblem(environment)
  );
}

/** What is wrong with a token for programs, in words for the operator, or null. */
export function tokenProblem<Name extends string>(name: Name, settings: Partial<Record<Name, string | null>>) {
  const token = settings[name];
  if (!token || (token.length >= 32 && !/\s/.test(token) && !isEasyToGuess(token))) return null;
  return `${name} must have 32 characters or more, without blanks, and not the same few again and again. Make one with \`openssl rand -hex 32\`.`;
}

/** The token for metrics is in the settings of another program, which must not be able to read the whole database. */
function sharedTokenProblem({ BACKUP_TOKEN, METRICS_TOKEN }: Environment): string | null {
  if (!METRICS_TOKEN || METRICS_TOKEN !== BACKUP_TOKEN) return null;
  return "METRICS_TOKEN must differ from BACKUP_TOKEN, which reads the whole database. Make one with `openssl rand -hex 32`.";
}

/** The IANA time zone of `TZ`, or UTC: it decides which day is "today" on a page without script. */
export function timeZoneOf({ TZ }: Environment): string {
  const timeZone = TZ && isTimeZone(TZ) ? TZ : "UTC";
  return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
}

/** Whether a time zone is one that the runtime knows. */
function isTimeZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone }));
  } catch {
    return false;
  }
}

/** A shorter name has words of other programs beside it. */
const LONG_ENOUGH = 6;

/** The characters of a variable's name. */
const CHARACTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"];

/**
 * Names that are one slip beside a setting's, and that setting: with one character missing, added, replaced or swapped with the
 * next, or in lower case. It is a list (of some 30,000), because the executable can read only variables whose names it knew when
 * it was made.
 */
export function slipsOf(names: string[] = ENVIRONMENT): Map<string, string> {
  const slips = new Map<string, string>();
  for (const name of names.filter(({ length }) => length >= LONG_ENOUGH)) {
    slips.set(name.toLowerCase(), name);
    for (let at = 0; at <= name.length; at += 1) {
      const [before, letter, after] = [name.slice(0, at), name.slice(at, at + 1), name.slice(at + 1)];
      slips.set(before + after, name);
      slips.set(before + after.slice(0, 1) + letter + after.slice(1), name);
      for (const other of CHARACTERS) {
        slips.set(before + other + letter + after, name);
        slips.set(before + other + after, name);
      }
    }
  }
  for (const name of names) slips.delete(name);
  return slips;
}

interface SettingWarning {
  setting: string;
  /** What it means, in words for the operator. */
  advice: string;
}

/**
 * Settings that are ignored although somebody has set them: misspelt ones, those of the other way of running, and a time zone that
 * does not exist.
 */
export function settingWarnings(environment: { [name: string]: unknown }, by: keyof typeof IGNORED): SettingWarning[] {
  const slips = slipsOf(by === "npm start" ? [...ENVIRONMENT, ...OF_NPM_START] : ENVIRONMENT);
  const { names, why } = IGNORED[by];
  const warnings = [
    ...[...slips].map(([setting, name]) => ({
      setting,
      advice: `${setting} is ignored: there is no such setting. Is ${name} meant? docs/settings.md lists them.`,
    })),
    ...names.map((setting) => ({ setting, advice: `${setting} is ignored by ${why}.` })),
  ].filter(({ setting }) => environment[setting]);
  const { TZ } = environment;
  if (typeof TZ !== "string" || TZ === "" || isTimeZone(TZ)) return warnings;
  const advice = `TZ is ignored, so the time zone is UTC: ${TZ} is none. Use a name such as Europe/Oslo.`;
  return [...warnings, { setting: "TZ", advice }];
}

/**
 * Whether a file in the executable's folder `database` is its database: the runtime makes the folder, with a file about alarms, at
 * each start, before the program can refuse a data folder.
 */
export function isDatabaseFile(name: string): boolean {
  return /^[0-9a-f]{64}\.sqlite$/.test(name);
}
