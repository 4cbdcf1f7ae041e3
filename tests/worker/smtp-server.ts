import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll } from "vitest";

const pem = (name: string) => readFileSync(`tests/fixtures/smtp/${name}.pem`, "utf8");

/** The authority that signed the certificate of these servers. */
export const AUTHORITY = pem("authority");

export const USER = "hours@example.com";
/** With characters that SMTP_URL, base64 and btoa could get wrong. */
export const PASSWORD = "p@ss:wörd/%";

/** An email as it arrived. */
export interface Arrived {
  sender: string;
  recipient: string;
  raw: string;
  mail: Email;
  /** Whether it came through TLS, and who was signed in. */
  isSecure: boolean;
  user: string | undefined;
}

export interface Smtp {
  port: number;
  /** The value of SMTP_URL, with user and password. */
  url: string;
  arrived: Arrived[];
  /** The number of connections. */
  connections: number;
  /** How many of them ended with QUIT. */
  quits: number;
  /** The server's answers instead of yes, by command; `email` is the text after the final dot. */
  refusals: Partial<Record<"AUTH" | "MAIL" | "RCPT" | "email", [code: number, words: string]>>;
  /**
   * The fault of the connection when a line begins with this, or at the `greeting` or the `final dot`: cut before or
   * after the server gets it, never answered, or answered `LATE_MS` late.
   */
  fault: { at: string; how: "cut" | "cut after" | "hang" | "late" } | null;
  reset(): void;
}

export const LATE_MS = 4_000;

/** A real SMTP server, behind a line on which connections can break: at 127.0.0.1, or 127.0.0.2, where TLS is demanded. */
export async function startSmtpServer(options: SMTPServerOptions = {}, host = "127.0.0.1"): Promise<Smtp> {
  const errorOf = ([code, words]: [number, string]) => Object.assign(new Error(words), { responseCode: code });
  const refusal = (step: keyof Smtp["refusals"]) => {
    const found = smtp.refusals[step];
    return found ? errorOf(found) : null;
  };
  const server = new SMTPServer({
    logger: false,
    key: pem("key"),
    cert: pem("certificate"),
    authMethods: ["PLAIN", "LOGIN"],
    allowInsecureAuth: true,
    onAuth(auth, _session, done) {
      const isRight = auth.username === USER && auth.password === PASSWORD;
      const error = refusal("AUTH") ?? (isRight ? null : errorOf([535, "5.7.8 wrong password"]));
      if (error) done(error);
      else done(null, { user: auth.username });
    },
    onMailFrom: (_address, _session, done) => done(refusal("MAIL")),
    onRcptTo: (_address, _session, done) => done(refusal("RCPT")),
    onData(stream, { envelope, secure, user }, done) {
      buffer(stream).then(async (bytes) => {
        const error = refusal("email");
        if (error) return done(error);
        smtp.arrived.push({
          sender: envelope.mailFrom ? envelope.mailFrom.address : "",
          recipient: envelope.rcptTo.map(({ address }) => address).join(),
          raw: bytes.toString("latin1"),
          mail: await PostalMime.parse(bytes),
          isSecure: secure,
          user: user === undefined ? undefined : String(user),
        });
        done(null, "taken");
      });
    },
    ...options,
  });
  server.on("error", () => {}); // connections that break are what the tests are about
  const inner = await listening(server.listen(0, "127.0.0.1"));
  const line = createServer((incoming) => {
    smtp.connections += 1;
    passOn(incoming, inner, smtp);
  });
  const port = await listening(line.listen(0, host));
  afterAll(() => {
    line.close();
    server.close();
  });
  const scheme = options.secure ? "smtps" : "smtp";
  const name = options.secure ? "localhost" : host;
  const smtp: Smtp = {
    port,
    url: `${scheme}://${encodeURIComponent(USER)}:${encodeURIComponent(PASSWORD)}@${name}:${port}`,
    arrived: [],
    connections: 0,
    quits: 0,
    refusals: {},
    fault: null,
    reset() {
      Object.assign(smtp, { connections: 0, quits: 0, refusals: {}, fault: null });
      smtp.arrived.length = 0;
    },
  };
  return smtp;
}

async function listening(server: Server): Promise<number> {
  if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port; // it listens on a port
}

/** Passes bytes on until the fault comes. Commands arrive whole: the client waits for each answer. */
function passOn(incoming: Socket, port: number, smtp: Smtp): void {
  const outgoing = connect(port, "127.0.0.1");
  let isSilent = smtp.fault?.at === "greeting" && smtp.fault.how === "hang";
  if (smtp.fault?.at === "greeting" && !isSilent) incoming.destroy();
  const close = () => {
    incoming.destroy();
    outgoing.destroy();
  };
  for (const socket of [incoming, outgoing]) socket.on("error", close).on("close", close);
  let delay = 0;
  outgoing.on("data", (chunk) => {
    if (isSilent) return;
    if (delay > 0) setTimeout(() => incoming.write(chunk), delay);
    else incoming.write(chunk);
  });
  incoming.on("data", (chunk) => {
    const { fault } = smtp;
    const text = chunk.toString("latin1");
    if (text === "QUIT\r\n") smtp.quits += 1;
    const isMet = fault !== null && (fault.at === "final dot" ? text.endsWith(".\r\n") : text.startsWith(fault.at));
    if (isMet && fault.how === "cut") return close();
    if (isMet && fault.how === "late") delay = LATE_MS;
    else isSilent ||= isMet;
    outgoing.write(chunk);
    if (isMet && fault.how === "cut after") outgoing.once("data", () => setImmediate(close));
  });
}
