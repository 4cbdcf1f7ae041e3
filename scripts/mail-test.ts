import { Emails, MailChannelsClient } from "mailchannels-sdk";
import { render, send } from "#app/mail/mailchannels.server.ts";
import { mailSettings } from "#app/mail/settings.server.ts";
import { mailSettingsProblem } from "#app/server/settings.ts";
import { fail, messageOf } from "#scripts/lib/process.ts";

/**
 * `npm run mail:test -- you@example.com`: sends one email with the settings of the environment, and checks the sender's
 * domain with MailChannels. docs/mail.md explains the answers.
 */
export default async function mailTest([address, ...others]: string[]): Promise<void> {
  if (!address || others.length > 0 || !/^[^\s@-][^\s@]*@[^\s@]+\.[^\s@]+$/.test(address))
    fail("Say where to, with one address: npm run mail:test -- you@example.com");
  const problem = mailSettingsProblem(process.env);
  if (problem) fail(problem);
  const settings = mailSettings(process.env);
  if (!settings) {
    fail(
      "Mail needs three settings: MAILCHANNELS_API_KEY, MAIL_FROM (Hours Tracker <hours@example.com>) and PUBLIC_ORIGIN (https://hours.example.com).",
    );
  }
  const domain = settings.from.replace(/>$/, "").split("@").at(-1) ?? "";
  await tellAboutDomain(settings, domain);
  const email = render(
    {
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
    },
    settings,
  );
  const { outcome, status, reason } = await send(email, settings);
  if (outcome === "sent") {
    console.log(`Sent to ${address}. If it does not arrive, check your spam folder.`);
    return;
  }
  const said = status === null ? "gave no clear answer" : `answered ${status}`;
  fail(`Not sent: MailChannels ${said}${reason ? ` (${reason})` : ""}. docs/mail.md says what to do about it.`);
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
