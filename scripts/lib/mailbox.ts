import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import { isThisMachine } from "#app/server/request-line.ts";
import { clientAddress } from "./adapter.ts";
import { beforeEnd } from "./ending.ts";
import { freePort } from "./free-port.ts";

import { type Caught, mailboxPage } from "./mailbox-page.ts";

/*
 * Emails on a developer's machine. Without a MailChannels key, its simulator runs beside the app and stops with it. The
 * simulator keeps no emails, so this mailbox stores them for /dev/mail and passes them on.
 */

/** The number of emails that are kept. */
const KEPT = 200;

export interface Mailbox {
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

/** Starts the simulator and the mailbox on free ports. */
async function startMailbox(): Promise<Mailbox> {
  const simulator = await startSimulator();
  const caught: Caught[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming).catch(() => null);
    if (!body) return outgoing.destroy(); // it broke off
    const answer = await fetch(`${simulator}${incoming.url}`, {
      method: incoming.method ?? "GET",
      headers: { "Content-Type": "application/json", "X-Api-Key": String(incoming.headers["x-api-key"] ?? "") },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    }).catch(() => null);
    if (answer?.ok && incoming.url?.startsWith("/tx/v1/send")) {
      caught.unshift({ at: new Date(), body: JSON.parse(body.toString()) });
      caught.length = Math.min(caught.length, KEPT);
    }
    outgoing.writeHead(answer?.status ?? 503, { "Content-Type": "application/json" });
    outgoing.end(answer ? await answer.text() : "{}");
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  beforeEnd(() => server.close().closeAllConnections());
  return {
    isCaught: true,
    settings: {
      MAILCHANNELS_API_KEY: "simulator",
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

/** Runs `mailchannels simulate` and returns its address when it answers. */
async function startSimulator(): Promise<string> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [
      ...["--import", new URL("end-with-parent.mjs", import.meta.url).href],
      ...["node_modules/.bin/mailchannels", "simulate", "--silent", "--port", String(port)],
    ],
    { stdio: ["pipe", "ignore", "inherit"] },
  );
  beforeEnd(() => child.kill());
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries += 1) {
    if (await fetch(address).catch(() => null)) return address;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("MailChannels' simulator does not start.");
}
