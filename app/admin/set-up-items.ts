import { formatInstant } from "#app/calendar-date.ts";
import type { StuckMessages } from "#app/mail/outbox.server.ts";
import { hostOf } from "#app/mail/service.server.ts";
import { type MailEnv, mailSettings } from "#app/mail/settings.server.ts";
import { signingKeyProblem } from "#app/proof/signing-key.ts";
import type { Env } from "#app/server/env.ts";
import { countedPlain } from "#app/ui/counted.ts";

/** The settings that the list reads. */
export type SetUpEnv = Omit<Env, "DB"> &
  MailEnv & {
    MAILBOX?: string;
    /** While emails are held after a restore: its code. */
    restoreCode?: string;
  };

/** Something that an operator configures before others use the app. */
export interface SetUpItem {
  name: "Public address" | "Email" | "Signing key" | "Backups" | "First admin";
  /** `wrong`: it is set, but cannot be used. */
  state: "configured" | "missing" | "wrong";
  /** The part that works, or that does not work yet. */
  text: string;
  /**
   * The lines that configure it: settings as they are written in the environment, or commands. Empty if nothing is to
   * be done.
   */
  lines: string[];
  /** A note for the operator about it. */
  note?: string;
}

/**
 * Lists the parts that are configured and those that are not, for the operator. The list holds no secret: no key and no
 * token, also not a part of one.
 */
export function setUpItems(env: SetUpEnv, { hasAdmin, keyRefusal, stuck }: SetUpState): SetUpItem[] {
  return [publicAddress(env), email(env, keyRefusal, stuck), signingKey(env), backups(env), firstAdmin(hasAdmin)];
}

/** The facts of the database that the list needs. */
interface SetUpState {
  hasAdmin: boolean;
  /** Since when emails wait because the mail service refuses our key or password, and how many. */
  keyRefusal: { since: Date; waiting: number } | null;
  stuck: StuckMessages;
}

function publicAddress({ PUBLIC_ORIGIN, TRUST_PROXY, lacksTrustProxy }: SetUpEnv): SetUpItem {
  const name = "Public address";
  if (!PUBLIC_ORIGIN) {
    return {
      name,
      state: "missing",
      text: "The app answers only to this machine's own names, such as localhost, and no email can be sent to others. Set the scheme and host by which people open the app.",
      lines: ["PUBLIC_ORIGIN=https://hours.example.com"],
      note: "Others reach the app through a proxy with https. If every request comes through it, also set TRUST_PROXY=1.",
    };
  }
  const { origin, protocol } = new URL(PUBLIC_ORIGIN);
  if (protocol !== "https:") {
    return {
      name,
      state: "wrong",
      text: `It is ${origin}, without https: passwords and links can be read on their way. Put a proxy with a certificate in front of the app.`,
      lines: [`PUBLIC_ORIGIN=${origin.replace(/^http:/, "https:")}`, "TRUST_PROXY=1"],
    };
  }
  if (lacksTrustProxy) {
    return {
      name,
      state: "wrong",
      text: `It is ${origin}. Requests come through a proxy, but TRUST_PROXY is not set: all people share one address, so the attempts of one can stop all. Set it if every request comes through your own proxy.`,
      lines: ["TRUST_PROXY=1"],
    };
  }
  return {
    name,
    state: "configured",
    text: `It is ${origin}.`,
    lines: [],
    ...(!TRUST_PROXY && { note: "If every request comes through your proxy, also set TRUST_PROXY=1." }),
  };
}

function email(env: SetUpEnv, keyRefusal: SetUpState["keyRefusal"], stuck: StuckMessages): SetUpItem {
  const name = "Email";
  const { MAILBOX } = env;
  const settings = MAILBOX ? null : mailSettings(env);
  if (settings?.isHeld) {
    const { restoreCode } = env;
    return {
      name,
      state: "wrong",
      text: restoreCode
        ? "None is sent, because this database was restored from a backup. Send only new ones, or also those that waited in the backup:"
        : "None is sent, because MAIL_HELD is set. Remove it to send what waits.",
      lines: restoreCode ? [`MAIL_AFTER_RESTORE=new:${restoreCode}`, `MAIL_AFTER_RESTORE=all:${restoreCode}`] : [],
      ...(restoreCode && { note: "docs/backups.md says which of the two." }),
    };
  }
  if (settings && keyRefusal) {
    const { since, waiting } = keyRefusal;
    const refusal = settings.smtp
      ? `${hostOf(settings)} has refused our password or MAIL_FROM`
      : "MailChannels has refused the key";
    return {
      name,
      state: "wrong",
      text: `${refusal} since ${formatInstant("UTC", since)}. ${waiting === 1 ? "1 email waits" : `${waiting} emails wait`}: one is tried each minute, and when it goes the rest follow.`,
      lines: [settings.smtp ? "SMTP_URL=smtps://user:password@mail.example.com:465" : "MAILCHANNELS_API_KEY=…"],
      note: settings.smtp
        ? 'Lines of the log with "event":"mail" say which of the two: see docs/mail.md.'
        : "Either the key is wrong or has ended, or Domain Lockdown does not name its account: see docs/mail.md.",
    };
  }
  if (settings && stuck.waiting + stuck.unknown > 0) {
    const { waiting, unknown } = stuck;
    return {
      name,
      state: "wrong",
      text: `${[
        ...(waiting > 0
          ? [`${countedPlain(waiting, "email")} ${waiting === 1 ? "waits" : "wait"}, though tried more than once.`]
          : []),
        ...(unknown > 0 ? [`${countedPlain(unknown, "email")} of the last day may or may not have arrived.`] : []),
      ].join(" ")} The mail service is ${hostOf(settings)}.`,
      lines: env.MAILCHANNELS_BASE_URL ? [`MAILCHANNELS_BASE_URL=${env.MAILCHANNELS_BASE_URL}`] : [],
      note: 'Lines of the log with "event":"mail" say why. Check whether this machine reaches that host: docs/mail.md.',
    };
  }
  if (settings) {
    return {
      name,
      state: "configured",
      text: `${settings.smtp ? hostOf(settings) : "MailChannels"} sends it from ${settings.from}.`,
      lines: [],
    };
  }
  const isUnset = (setting: "MAILCHANNELS_API_KEY" | "SMTP_URL" | "MAIL_FROM" | "PUBLIC_ORIGIN") =>
    Boolean(MAILBOX) || !env[setting];
  return {
    name,
    state: "missing",
    text: MAILBOX
      ? `No email leaves this machine. ${MAILBOX} shows what would have been sent.`
      : "No email is sent: technicians pass links on themselves, and no user can reset a password.",
    lines: [
      ...(isUnset("MAILCHANNELS_API_KEY") && isUnset("SMTP_URL") ? ["MAILCHANNELS_API_KEY=…"] : []),
      ...(isUnset("MAIL_FROM") ? ['MAIL_FROM="Hours Tracker <hours@example.com>"'] : []),
      ...(env.PUBLIC_ORIGIN ? [] : ["PUBLIC_ORIGIN=https://hours.example.com"]),
    ],
    note: "The key is from your account at MailChannels; docs/mail.md lists the four DNS records that it needs. Instead of the key, SMTP_URL=smtps://user:password@mail.example.com:465 sends through your own mail server.",
  };
}

function signingKey({ SIGNING_KEY, selfHost }: SetUpEnv): SetUpItem {
  const name = "Signing key";
  if (!signingKeyProblem(SIGNING_KEY)) {
    return {
      name,
      state: "configured",
      text: "Exported forms carry a signed statement.",
      lines: [],
      note: selfHost
        ? "Unless you set SIGNING_KEY, it is the file signing-key in the data folder: keep a copy in a safe place."
        : "Keep a copy of SIGNING_KEY in a safe place.",
    };
  }
  return {
    name,
    state: SIGNING_KEY ? "wrong" : "missing",
    text: SIGNING_KEY
      ? "SIGNING_KEY is not a private Ed25519 key as a JWK: exported forms have no signed statement."
      : selfHost
        ? "The file signing-key in the data folder can neither be read nor written: exported forms have no signed statement."
        : "SIGNING_KEY is not set: exported forms have no signed statement.",
    lines: ["npm run signing-key"],
    note: `Set SIGNING_KEY to the line that it prints${selfHost ? ", or put that line into the file signing-key of the data folder" : ""}.`,
  };
}

function backups({ selfHost }: SetUpEnv): SetUpItem {
  const name = "Backups";
  if (!selfHost) {
    return {
      name,
      state: "configured",
      text: "Cloudflare's Time Travel goes back to any minute of the last 30 days.",
      lines: [],
      note: "It ends with the database or the account. docs/backups.md says how to keep a copy elsewhere.",
    };
  }
  const { plan } = selfHost;
  if (!plan) {
    return {
      name,
      state: "missing",
      text: "npm start takes none: it is for trying and developing. Copy its data folder while it is stopped.",
      lines: [],
    };
  }
  const { at, isCopied, isEncrypted, failures } = plan;
  if (!at) {
    return {
      name,
      state: "missing",
      text: "None is taken each night, because BACKUP_AT is off. Set a time of day.",
      lines: ["BACKUP_AT=02:30"],
    };
  }
  if (failures > 0) {
    return {
      name,
      state: "wrong",
      text: `The last ${failures === 1 ? "attempt" : `${failures} attempts`} failed; it is tried again at least each hour.`,
      lines: [],
      note: 'Lines of the log with "event":"backup failed" say why.',
    };
  }
  const places = isCopied
    ? "the folder backups of the data folder and the S3 store"
    : "the folder backups of the data folder";
  return {
    name,
    state: "configured",
    text: `One is taken each night at ${at}, into ${places}${isEncrypted ? ", encrypted" : ""}.`,
    lines: [],
    ...(!isCopied && {
      note: "A backup on the same disk is lost with that disk: put the folder on another one, or set an S3 store. docs/backups.md says how.",
    }),
    ...(isCopied && !isEncrypted && { note: "Anyone who can read the store can read the data: set BACKUP_KEY." }),
  };
}

function firstAdmin(hasAdmin: boolean): SetUpItem {
  const name = "First admin";
  return hasAdmin
    ? { name, state: "configured", text: "There is an admin.", lines: [] }
    : {
        name,
        state: "missing",
        text: "No user can see all users and records yet. Create the first admin on this page.",
        lines: [],
      };
}
