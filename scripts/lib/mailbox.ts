import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { isThisMachine } from "#app/server/request-line.ts";
import { clientAddress } from "./adapter.ts";
import { beforeEnd } from "./ending.ts";
import { type Caught, mailboxPage } from "./mailbox-page.ts";

/*
 * Emails on a developer's machine. Without a mail service this mailbox answers in the place of MailChannels, and keeps the emails
 * for /dev/mail.
 */

/** The number of emails that are kept. */
const KEPT = 200;

interface Mailbox {
  /** The settings with which the Worker sends its emails here. */
  settings: Record<string, string>;
  /** Whether emails stay on this machine. */
  isCaught: boolean;
  /** Answers /dev/mail and passes other requests to the app. */
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
  const missing = isServed ? !settings.MAIL_FROM && "MAIL_FROM" : "Neither MAILCHANNELS_API_KEY nor SMTP_URL";
  if (missing) console.warn(`${missing} is not set: nothing will be mailed.`);
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
      if (!/^\/dev\/mail(\/|$)/.test(path) || !isLocal(incoming)) return app(incoming, outgoing);
      mailboxPage(caught, path, outgoing);
    },
  };
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
    ["127.0.0.1", "::1"].includes(clientAddress(incoming) ?? "") &&
    isThisMachine(headers.host ?? "") &&
    httpVersion === "1.1" &&
    !Object.keys(headers).some((name) => OF_A_PROXY.test(name))
  );
}
