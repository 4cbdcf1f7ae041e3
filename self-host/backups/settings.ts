import { isEasyToGuess } from "#app/server/settings.ts";
import { LATEST, timeOf } from "./backup-name.ts";
import { TIME_OF_DAY } from "./schedule.ts";

/** The environment variables of backups, besides BACKUP_TOKEN; docs/settings.md describes them. */
export const BACKUP_SETTINGS = [
  ...([
    "BACKUP_AT",
    "BACKUP_KEY",
    "RESTORE_FROM",
    "MAIL_AFTER_RESTORE",
    "S3_ENDPOINT",
    "S3_BUCKET",
    "S3_REGION",
    "S3_PREFIX",
  ] as const),
  ...(["S3_ADDRESSING", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "S3_TIMEOUT_MS"] as const),
] as const;

/** As the runtime gives them: null for what is not set. */
export type BackupEnvironment = { [name in (typeof BACKUP_SETTINGS)[number]]: string | null };

/** Where and how to reach an S3-compatible store. */
export interface S3Settings {
  /** Scheme and host, without a slash at the end. */
  endpoint: string;
  bucket: string;
  region: string;
  /** Empty, or with a slash at the end. */
  prefix: string;
  isVirtualHost: boolean;
  accessKeyId: string;
  secretAccessKey: string;
  /** How long one request may take, in milliseconds. */
  timeout: number;
}

interface BackupSettings {
  /** The time of day of the nightly backup, or null for none. */
  at: string | null;
  key: string | null;
  s3: S3Settings | null;
}

/** What to do with emails after a restore, and the code of that restore. */
const MAIL_CHOICE = /^(new|all):[0-9a-f]{8}$/;

const DEFAULT_AT = "02:30";
const OFF = "off";
const HALF_AN_HOUR_MS = 30 * 60 * 1000;
const REQUIRED = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;

/** The settings; `backupSettingsProblem` must have found nothing. */
export function backupSettingsOf(env: BackupEnvironment): BackupSettings {
  const at = env.BACKUP_AT || DEFAULT_AT;
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env;
  const isStored = S3_ENDPOINT && S3_BUCKET && S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY;
  return {
    at: at === OFF ? null : at,
    key: env.BACKUP_KEY || null,
    s3: isStored
      ? {
          endpoint: S3_ENDPOINT.replace(/\/$/, ""),
          bucket: S3_BUCKET,
          region: env.S3_REGION || "us-east-1",
          prefix: env.S3_PREFIX ? `${env.S3_PREFIX.replace(/\/$/, "")}/` : "",
          isVirtualHost: env.S3_ADDRESSING === "virtual-host",
          accessKeyId: S3_ACCESS_KEY_ID,
          secretAccessKey: S3_SECRET_ACCESS_KEY,
          timeout: Number(env.S3_TIMEOUT_MS || HALF_AN_HOUR_MS),
        }
      : null,
  };
}

/** What is wrong with these settings, in words for the operator, or null. No secret is in it. */
export function backupSettingsProblem(env: BackupEnvironment): string | null {
  const {
    BACKUP_AT,
    BACKUP_KEY,
    RESTORE_FROM,
    MAIL_AFTER_RESTORE,
    S3_ENDPOINT,
    S3_BUCKET,
    S3_REGION,
    S3_PREFIX,
    S3_ADDRESSING,
    S3_TIMEOUT_MS,
  } = env;
  if (BACKUP_AT && BACKUP_AT !== OFF && !TIME_OF_DAY.test(BACKUP_AT)) {
    return `BACKUP_AT must be a time of day such as ${DEFAULT_AT}, or ${OFF}; it is ${BACKUP_AT}`;
  }
  if (BACKUP_KEY && (BACKUP_KEY.length < 32 || /\s/.test(BACKUP_KEY) || isEasyToGuess(BACKUP_KEY))) {
    return "BACKUP_KEY must have 32 characters or more, without blanks, and not the same few again and again. Make one with `openssl rand -base64 32` and keep it: without it no backup can be read.";
  }
  if (RESTORE_FROM && RESTORE_FROM !== LATEST && !timeOf(RESTORE_FROM)) {
    return `RESTORE_FROM must be ${LATEST} or the name of a backup; it is ${RESTORE_FROM}`;
  }
  if (MAIL_AFTER_RESTORE && !MAIL_CHOICE.test(MAIL_AFTER_RESTORE)) {
    return `MAIL_AFTER_RESTORE must be new: or all: and the code that the log shows after a restore; it is ${MAIL_AFTER_RESTORE}`;
  }
  const missing = REQUIRED.filter((name) => !env[name]);
  const [given] = BACKUP_SETTINGS.filter((name) => name.startsWith("S3_") && env[name]);
  if (given && missing.length > 0)
    return `${given} is set, but ${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} missing`;
  if (S3_ENDPOINT && !(/^https?:\/\/[^/\\?#@\s]+\/?$/.test(S3_ENDPOINT) && URL.canParse(S3_ENDPOINT))) {
    return `S3_ENDPOINT must be scheme and host, such as https://s3.eu-central-1.amazonaws.com; it is ${S3_ENDPOINT}`;
  }
  if (S3_BUCKET && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(S3_BUCKET)) {
    return `S3_BUCKET must be the name of a bucket: small letters, digits, dots and hyphens; it is ${S3_BUCKET}`;
  }
  if (S3_REGION && !/^[a-z0-9-]+$/.test(S3_REGION)) {
    return `S3_REGION must be a name such as eu-central-1 or auto; it is ${S3_REGION}`;
  }
  if (S3_PREFIX && !/^[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/.test(S3_PREFIX)) {
    return `S3_PREFIX must be a folder such as backups/hours: letters, digits, dots, hyphens and slashes; it is ${S3_PREFIX}`;
  }
  if (S3_ADDRESSING && S3_ADDRESSING !== "path" && S3_ADDRESSING !== "virtual-host") {
    return `S3_ADDRESSING must be path or virtual-host; it is ${S3_ADDRESSING}`;
  }
  if (S3_TIMEOUT_MS && !/^[1-9]\d{2,8}$/.test(S3_TIMEOUT_MS)) {
    return `S3_TIMEOUT_MS must be a number of milliseconds, 100 or more; it is ${S3_TIMEOUT_MS}`;
  }
  return null;
}
