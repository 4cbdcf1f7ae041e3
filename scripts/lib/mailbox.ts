import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { escapeHtml } from "#app/mail/email-html.ts";
import { parseAddress } from "#app/server/network.ts";
import { isThisMachine } from "#app/server/request-line.ts";
import { beforeEnd } from "./process.ts";

/*
 * Emails on a developer's machine. Without a mail service this mailbox answers in the place of MailChannels, and keeps the emails
 * for /dev/mail.
 */

/** The number of emails that are kept. */
const KEPT = 200;

/** An email as it was sent to MailChannels. */
interface Caught {
  at: Date;
  /** The JSON body of the call. */
  body: {
    personalizations: { to: { email: string; name?: string }[] }[];
    from: { email: string };
    reply_to?: { email: string };
    subject: string;
    content: { type: string; value: string }[];
  };
}

interface Mailbox {
  /** The settings with which the Worker sends its emails here. */
  settings: Record<string, string>;
  /** Whether emails stay on this machine. */
  isCaught: boolean;
  /** Answers /dev/mail, and for scripts /dev/mail/all.json, and passes other requests to the app. */
  inFrontOf(app: RequestListener): RequestListener;
}

/**
 * The mail service itself if the settings have one, else a mailbox on this machine. A server that others can reach has no
 * mailbox, because emails contain links that open accounts: without a service it sends none, and pages say so.
 */
export async function mailFor(settings: Record<string, string>): Promise<Mailbox> {
  const isReachedByOthers = settings.PUBLIC_ORIGIN || settings.TRUST_PROXY;
  const isServed = Boolean(settings.MAILCHANNELS_API_KEY || settings.SMTP_URL);
  if (!isServed && !isReachedByOthers) return startMailbox();
  const missing = isServed ? !settings.MAIL_FROM && "MAIL_FROM is not" : "Neither MAILCHANNELS_API_KEY nor SMTP_URL is";
  if (missing) console.warn(`${missing} set: nothing will be mailed.`);
  return { settings: {}, isCaught: false, inFrontOf: (app) => app };
}

/** Starts the mailbox on a free port. */
async function startMailbox(): Promise<Mailbox> {
  const caught: Caught[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = (await json(incoming).catch(() => null)) as Caught["body"] | null; // as the SDK sends it, or nothing
    const isMail = Boolean(incoming.url?.startsWith("/tx/v1/send") && body?.personalizations && body.content);
    if (body && isMail) caught.unshift({ at: new Date(), body });
    caught.length = Math.min(caught.length, KEPT);
    outgoing.writeHead(isMail ? 200 : 400, { "Content-Type": "application/json" });
    outgoing.end(JSON.stringify(isMail ? { results: [{ index: 0, status: "sent" }] } : { errors: ["not an email"] }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  beforeEnd(() => server.close().closeAllConnections());
  return {
    isCaught: true,
    settings: {
      MAILCHANNELS_API_KEY: "of no service",
      MAILCHANNELS_BASE_URL: `http://127.0.0.1:${port}`,
      MAIL_FROM: process.env.MAIL_FROM || "Hours Tracker <hours@example.com>",
    },
    inFrontOf: (app) => (incoming, outgoing) => {
      const path = incoming.url?.split("?")[0] ?? "";
      if (!/^\/dev\/mail(\/|\/all\.json)?$/.test(path) || !isLocal(incoming)) return app(incoming, outgoing);
      const [type, body] = path.endsWith(".json")
        ? ["application/json", JSON.stringify(caught)]
        : ["text/html; charset=utf-8", pageOf(caught)];
      outgoing.writeHead(200, { "Content-Type": type, "Cache-Control": "no-store" }).end(body);
    },
  };
}

/** The page of /dev/mail: a line for each email, the last one first, which a click opens. */
function pageOf(caught: Caught[]): string {
  const emails = caught.map(({ at, body: { personalizations, from, reply_to, subject, content } }) => {
    const to = personalizations.flatMap((one) => one.to.map(({ email }) => email)).join(", ");
    const bodyOf = (type: string) => escapeHtml(content.find((part) => part.type === type)?.value ?? "");
    const senders = `From ${from.email}${reply_to ? `, Reply-To ${reply_to.email}` : ""}`;
    return `<details><summary>${at.toLocaleTimeString()} ${escapeHtml(to)}: <b>${escapeHtml(subject)}</b></summary>
<p>${escapeHtml(senders)}</p>
<iframe loading="lazy" sandbox="allow-popups allow-top-navigation-by-user-activation" srcdoc="${bodyOf("text/html")}"></iframe>
<h2>As plain text</h2><pre>${bodyOf("text/plain")}</pre></details>`;
  });
  return `<!DOCTYPE html><title>Mail</title><meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width"><style>
body{font:16px/1.5 system-ui,sans-serif;margin:24px auto;max-width:60rem;padding:0 16px}summary{padding:4px 0}
iframe{width:100%;height:720px;border:1px solid #888}pre{white-space:pre-wrap;border:1px solid #888;padding:16px}</style>
<h1>Mail that was sent</h1>${emails.join("") || "<p>Nothing yet. Ask a supervisor to verify an entry, and reload this page.</p>"}`;
}

/** Headers that proxies add. */
const OF_A_PROXY = /^(forwarded|via|x-forwarded.*|x-original-.*|x-real-ip|(.*-)?client-ip|cf-.*|x-envoy-.*)$/;

/**
 * Whether a request comes from this machine under its own name and not through a proxy: emails contain links that open
 * accounts. A proxy is recognised by its headers, or, as nginx adds none by default, by HTTP/1.0.
 */
function isLocal(incoming: IncomingMessage): boolean {
  const { headers, httpVersion } = incoming;
  return (
    ["127.0.0.1", "::1"].includes(parseAddress(incoming.socket.remoteAddress) ?? "") &&
    isThisMachine(headers.host ?? "") &&
    httpVersion === "1.1" &&
    !Object.keys(headers).some((name) => OF_A_PROXY.test(name))
  );
}
