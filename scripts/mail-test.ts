import { Emails, MailChannelsClient } from "mailchannels-sdk";
import { messageOf } from "#app/errors.ts";
import type { Email } from "#app/mail/email.ts";
import type { Report } from "#app/mail/mailchannels.server.ts";
import { hostOf, prepare } from "#app/mail/service.server.ts";
import { type MailSettings, mailSettings } from "#app/mail/settings.server.ts";
import { mailSettingsProblem } from "#app/server/settings.ts";
import { fail } from "#scripts/lib/process.ts";

const USAGE = "npm run mail:test -- you@example.com";

/**
 * `npm run mail:test -- you@example.com`: sends one email with the settings of the environment, and with MailChannels
 * checks the sender's domain. docs/mail.md explains the answers.
 */
export default async function mailTest([address, ...others]: string[]): Promise<void> {
  if (!address || others.length > 0) fail(`Say where to, with one address: ${USAGE}`);
  if (!/^[^\s@-][^\s@]*@[^\s@]+\.[^\s@]+$/.test(address)) fail(`${address} is not an email address. ${USAGE}`);
  const problem = mailSettingsProblem(process.env);
  if (problem) fail(problem);
  const settings = mailSettings(process.env);
  if (!settings) {
    fail(
      "Mail needs three settings: MAILCHANNELS_API_KEY or SMTP_URL, MAIL_FROM (Hours Tracker <hours@example.com>) and PUBLIC_ORIGIN (https://hours.example.com).",
    );
  }
  const domain = settings.from.replace(/>$/, "").split("@").at(-1) ?? "";
  if (!settings.smtp) await tellAboutDomain(settings, domain);
  const email = {
    to: { email: address },
    subject: "Hours Tracker can send mail",
    greeting: "Hello,",
    lead: "This message was sent by npm run mail:test. That you can read it means that mail works.",
    facts: [
      ["From", settings.from],
      ["Links lead to", settings.origin],
    ],
    button: { label: "Open Hours Tracker", url: `${settings.origin}/auth` },
    notes: ["In its source, Authentication-Results should say pass for SPF, DKIM and DMARC."],
  } satisfies Email;
  const { outcome, status, reason } = settings.smtp
    ? await sendInWorkerd(email, settings)
    : await prepare(email, settings, "")();
  if (outcome === "sent") {
    console.log(`Sent to ${address}. If it does not arrive, check your spam folder.`);
    return;
  }
  const said = status === null ? "gave no clear answer" : `answered ${status}`;
  const service = settings.smtp ? hostOf(settings) : "MailChannels";
  const what = outcome === "unknown" ? "It is unknown whether it was sent" : "Not sent";
  fail(`${what}: ${service} ${said}${reason ? ` (${reason})` : ""}. docs/mail.md says what to do about it.`);
}

/** Node has other certificate authorities than workerd, so that a test in Node could succeed where the app fails. */
async function sendInWorkerd(email: Email, settings: MailSettings): Promise<Report> {
  // Both take long to load, and a test of MailChannels needs neither.
  const { bundle } = await import("#self-host/build/modules.ts");
  const { config, miniflareModule } = await import("#scripts/lib/local.ts");
  const { Miniflare } = miniflareModule();
  const { compatibility_date: compatibilityDate } = config();
  const miniflare = new Miniflare({
    modules: true,
    script: await bundle("scripts/lib/smtp-worker.ts"),
    compatibilityFlags: ["nodejs_compat"],
    ...(compatibilityDate && { compatibilityDate }),
    cf: false,
    telemetry: { enabled: false },
  });
  try {
    const body = JSON.stringify({ email, settings });
    return (await (await miniflare.dispatchFetch("http://worker/", { method: "POST", body })).json()) as Report;
  } finally {
    await miniflare.dispose();
  }
}

async function tellAboutDomain({ apiKey, baseUrl }: { apiKey: string; baseUrl: string | undefined }, domain: string) {
  const emails = new Emails(new MailChannelsClient(apiKey, baseUrl ? { baseUrl } : {}));
  const { data, error } = await emails.checkDomain({ domain }).catch((error: unknown) => {
    // The SDK reads what it expects from any JSON.
    return { data: null, error: { message: `an unexpected answer (${messageOf(error)})` } };
  });
  if (!data) return console.log(`${domain} could not be checked: ${error?.message}`);
  console.log(`SPF of ${domain}: ${data.spf.verdict}`);
  for (const { selector, verdict } of data.dkim) console.log(`DKIM ${selector}: ${verdict}`);
  console.log(`Domain Lockdown: ${data.domainLockdown.verdict}`);
}
