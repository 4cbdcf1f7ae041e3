import { expect, test } from "vitest";
import { ENVIRONMENT, type Environment, settingsProblem } from "#self-host/settings.ts";

/** A right value of each setting, and a wrong one; null for a setting that takes any text. */
const VALUES: Record<keyof Environment, [right: string, wrong: string | null]> = {
  SESSION_SECRET: ["a secret for tests, of 32 bytes and more", "short"],
  EARLIER_SECRETS: ["a secret of before that has 32 bytes", "short"],
  PUBLIC_ORIGIN: ["https://hours.example.com", "hours.example.com"],
  TRUST_PROXY: ["1", "yes"],
  REQUESTS_PER_MINUTE: ["600", "many"],
  DATABASE_LIMIT: ["10000000000", "10 GB"],
  RESET_ADMIN: ["ada@example.com", "ada"],
  SIGNING_KEY: ["a key", null], // the app works without one, and the log says so
  BODY_IDLE_MS: ["10000", null], // for tests
  MAILCHANNELS_API_KEY: ["a key", null],
  MAILCHANNELS_BASE_URL: ["https://api.mailchannels.net", "nonsense"],
  SMTP_URL: ["smtps://me:word@mail.example.com:465", "mail.example.com"],
  MAIL_FROM: ["Hours <hours@example.com>", "hours"],
  MAIL_HELD: ["1", "yes"],
  MAIL_TIMEOUT_MS: ["10000", "10s"],
  MAIL_ANSWER_TIMEOUT_MS: ["600000", "10m"],
  BACKUP_TOKEN: ["0123456789abcdef0123456789abcdef", "short"],
  METRICS_TOKEN: ["fedcba9876543210fedcba9876543210", "short"],
  TZ: ["Europe/Oslo", null], // an unknown one is ignored, and the log says so
  BACKUP_AT: ["02:30", "night"],
  BACKUP_KEY: ["0123456789abcdef0123456789abcdef", "short"],
  RESTORE_FROM: ["latest", "Latest"],
  MAIL_AFTER_RESTORE: ["new:1a2b3c4d", "new"],
  S3_ENDPOINT: ["https://s3.example.com", "nonsense"],
  S3_BUCKET: ["hours", "Hours"],
  S3_ACCESS_KEY_ID: ["an id", null],
  S3_SECRET_ACCESS_KEY: ["a secret", null],
  S3_REGION: ["eu-central-1", "EU West"],
  S3_PREFIX: ["hours", "/hours"],
  S3_ADDRESSING: ["path", "host"],
  S3_TIMEOUT_MS: ["1800000", "ten"],
};

/** All of them but SMTP_URL, which excludes those of MailChannels. */
const ALL = Object.fromEntries(Object.entries(VALUES).map(([name, [right]]) => [name, right]));
const problemOf = (changes: object) => settingsProblem({ ...ALL, SMTP_URL: "", ...changes } as object as Environment); // by the table, none is missing
const withSmtp = { MAILCHANNELS_API_KEY: "", MAILCHANNELS_BASE_URL: "" };

/** Settings that the app cannot do without: S3's four belong together. */
const REQUIRED = ["SESSION_SECRET", "S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"];

/** A secret that is written twice is another secret. */
const SECRETS = ["SESSION_SECRET", "EARLIER_SECRETS", "BACKUP_TOKEN", "METRICS_TOKEN", "BACKUP_KEY"];

test.each(ENVIRONMENT as (keyof Environment)[])(
  "%s is right, wrong, missing or given twice, and a wrong one is named in one sentence without secrets",
  (name) => {
    const [right, wrong] = VALUES[name];
    const others = name === "SMTP_URL" ? withSmtp : {};
    const named = expect.stringContaining(name);
    expect(problemOf({ ...others, [name]: right })).toBeNull();
    for (const missing of ["", null]) {
      expect([missing, problemOf({ [name]: missing })]).toEqual([missing, REQUIRED.includes(name) ? named : null]);
    }
    expect([wrong, problemOf({ ...others, [name]: wrong ?? "any text" })]).toEqual([
      wrong,
      wrong === null ? null : named,
    ]);
    for (const twice of SECRETS.includes(name)
      ? []
      : [`${right},${right}`, `${right} ${right}`, `${right}\n${right}`]) {
      const problem = problemOf({ ...others, [name]: twice });
      expect([twice, problem]).toEqual([twice, wrong === null ? null : named]);
      expect(`${problem}`).not.toContain(":word@");
    }
  },
);
