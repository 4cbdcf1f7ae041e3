import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** An email as MailChannels receives it. */
export interface Mail {
  to: string;
  replyTo: string | undefined;
  /** The display names of the two addresses. */
  names: string[];
  from: string;
  subject: string;
  text: string;
  html: string;
}

/**
 * The service's behaviours towards an email. The last five leave the outcome unknown to the sender: here all but `drop
 * early` deliver it.
 */
export type Behaviour =
  | { status: number; body?: string; type?: string }
  | "send"
  | "send late"
  | "half a body"
  | "drop late"
  | "drop early"
  | "hang";

/** Behaviours that deliver the email, whatever the answer. */
const DELIVERS = ["send", "send late", "half a body", "drop late", "hang"];

export interface FakeMailChannels {
  /** For MAILCHANNELS_BASE_URL. */
  url: string;
  /** Every email received, in order. */
  received: Mail[];
  /** The emails that were delivered. */
  delivered: Mail[];
  /** The number of requests without an answer. */
  readonly waiting: number;
  /** Sets its behaviour from now on, or for each email. */
  behave(next: Behaviour | ((mail: Mail) => Behaviour)): void;
  /** Whether the line to it is cut: every connection is closed without an answer, and nothing arrives. */
  isCut: boolean;
  /** Resolves when that many emails have been received in total. */
  untilReceived(count: number): Promise<void>;
  /** Answers the hanging requests, and forgets everything. */
  reset(): void;
  close(): Promise<void>;
}

const SENT = JSON.stringify({ request_id: "r", results: [{ index: 0, message_id: "<m@x>", status: "sent" }] });

/** MailChannels over HTTP with a configurable behaviour. `afterReceiving` runs before anything is answered. */
export async function startFakeMailChannels(
  afterReceiving: (mail: Mail) => void = () => {},
  port = 0,
): Promise<FakeMailChannels> {
  const received: Mail[] = [];
  const delivered: Mail[] = [];
  const hanging = new Set<ServerResponse>();
  let behaviour: (mail: Mail) => Behaviour = () => "send";
  let watchers: { count: number; done: () => void }[] = [];

  const server = createServer(async (incoming, outgoing) => {
    if (fake.isCut) return outgoing.destroy();
    if (incoming.method === "HEAD") return outgoing.writeHead(404).end(); // it sends nothing
    const mail = await mailIn(incoming).catch(() => null);
    if (!mail) return outgoing.destroy();
    received.push(mail);
    afterReceiving(mail);
    const next = behaviour(mail);
    if (typeof next === "object" ? next.status < 300 && next.body === undefined : DELIVERS.includes(next)) {
      delivered.push(mail);
    }
    answer(outgoing, next);
    for (const { count, done } of watchers) if (received.length >= count) done();
  });
  const answer = (outgoing: ServerResponse, next: Behaviour) => {
    if (typeof next === "object") {
      outgoing.writeHead(next.status, { "Content-Type": next.type ?? "application/json" });
      outgoing.end(next.body ?? (next.status < 300 ? SENT : JSON.stringify({ errors: ["no"] })));
    } else if (next === "send" || next === "send late") {
      const say = () => outgoing.writeHead(200, { "Content-Type": "application/json" }).end(SENT);
      if (next === "send") say();
      else setTimeout(say, 30); // being late is this behaviour; no test waits for it
    } else if (next === "half a body") {
      outgoing.writeHead(200, { "Content-Type": "application/json", "Content-Length": SENT.length });
      outgoing.write(SENT.slice(0, 20), () => outgoing.destroy());
    } else if (next === "hang") {
      hanging.add(outgoing);
      outgoing.on("close", () => hanging.delete(outgoing));
    } else {
      outgoing.destroy();
    }
  };
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));

  const fake: FakeMailChannels = {
    isCut: false,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    received,
    delivered,
    get waiting() {
      return hanging.size;
    },
    behave(next) {
      behaviour = typeof next === "function" ? next : () => next;
    },
    untilReceived(count) {
      if (received.length >= count) return Promise.resolve();
      return new Promise((done) => {
        watchers.push({ count, done });
      });
    },
    reset() {
      for (const outgoing of hanging) outgoing.destroy();
      received.length = 0;
      delivered.length = 0;
      fake.isCut = false;
      watchers = [];
      behaviour = () => "send";
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return fake;
}

interface SendBody {
  personalizations: { to: { email: string; name?: string }[] }[];
  reply_to?: { email: string; name?: string };
  from: { email: string };
  subject: string;
  content: { type: string; value: string }[];
}

async function mailIn(incoming: IncomingMessage): Promise<Mail> {
  const body = (await json(incoming)) as SendBody; // MailChannels' own format
  const content = (type: string) => body.content.find((part) => part.type === type)?.value ?? "";
  return {
    to: body.personalizations[0]?.to[0]?.email ?? "",
    replyTo: body.reply_to?.email,
    names: [body.personalizations[0]?.to[0]?.name, body.reply_to?.name].filter((name) => name !== undefined),
    from: body.from.email,
    subject: body.subject,
    text: content("text/plain"),
    html: content("text/html"),
  };
}
