import { messageOf } from "#app/errors.ts";
import type { SmtpServer } from "#app/server/settings.ts";
import { type Correspondent, type Email, headersOf, renderText } from "./email.ts";
import { renderHtml } from "./email-html.ts";
import type { Report } from "./mailchannels.server.ts";
import type { Outcome } from "./next-step.ts";
import type { CommonSettings, SmtpSettings } from "./settings.server.ts";
import { plainName } from "./typed-text.ts";

/*
 * An SMTP client for one email over workerd's sockets (RFC 5321, 3207, 4954), and the email as a MIME message (RFC 5322, 2045,
 * 2047). docs/decisions/0079-an-smtp-client-of-our-own.md says why it is our own.
 */

/** An email as SMTP takes it. */
interface Letter {
  sender: string;
  recipient: string;
  /** Header and body, with CRLF; lines that begin with a dot are not doubled yet. */
  content: string;
}

/**
 * Writes an email as a MIME message. A second copy has the same Message-ID, so that a mailbox may show it once.
 * @throws {Error} for an address that would need SMTPUTF8, or end its command
 */
export function writeLetter(email: Email, { from }: Pick<CommonSettings, "from">, id: string): Letter {
  const sender = senderOf(from);
  const headers = {
    From: mailboxOf(sender),
    To: mailboxOf(named(email.to)),
    ...(email.replyTo && { "Reply-To": mailboxOf(named(email.replyTo)) }),
    Subject: encodedText(email.subject),
    Date: new Date().toUTCString().replace("GMT", "+0000"),
    "Message-ID": `<${id}@${sender.email.split("@").at(-1)}>`,
    "MIME-Version": "1.0",
    ...headersOf(email),
    "Content-Type": `multipart/alternative; boundary="${BOUNDARY}"`,
  };
  const part = (type: string, text: string) => [
    `--${BOUNDARY}`,
    `Content-Type: ${type}; charset=utf-8`,
    "Content-Transfer-Encoding: quoted-printable",
    "",
    quotedPrintable(text),
  ];
  const lines = [
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    ...part("text/plain", renderText(email)),
    ...part("text/html", renderHtml(email)),
    `--${BOUNDARY}--`,
    "",
  ];
  return { sender: sender.email, recipient: plainAddress(email.to.email), content: lines.join("\r\n") };
}

/** In quoted-printable text `=` is always followed by a hexadecimal digit or a line's end, so no body contains this. */
const BOUNDARY = "=_parts";

const ENCODER = new TextEncoder();

/** Printable ASCII without what would end an address or its command. */
const ADDRESS = /^[!-;=?-~]+@[!-;=?-~]+$/;

function plainAddress(address: string): string {
  if (!ADDRESS.test(address)) throw new Error("an email address has characters that SMTP does not send");
  return address;
}

function named({ email, name }: Correspondent): { email: string; name: string | null } {
  return { email, name: plainName(name) };
}

/** The two parts of MAIL_FROM: an address, or `Name <address>`. */
function senderOf(from: string): { email: string; name: string | null } {
  const [, name, email] = /^(.*)<(.+)>$/.exec(from) ?? [];
  return { email: email ?? from, name: name?.trim().replace(/^"(.*)"$/, "$1") || null };
}

function mailboxOf({ email, name }: { email: string; name: string | null }): string {
  const address = plainAddress(email);
  if (!name) return address;
  const isPlain = /^[ -~]+$/.test(name) && !name.includes("=?");
  return `${isPlain ? `"${name.replace(/[\\"]/g, "\\$&")}"` : encodedText(name)} <${address}>`;
}

/** The longest text of an encoded word, in bytes: with its frame it has 75 characters. */
const WORD_BYTES = 45;

/** Text for a header: as it is if it is ASCII, else in encoded words, each with whole characters and on a line of its own. */
function encodedText(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, " ").trim();
  if (/^[ -~]{0,200}$/.test(line) && !line.includes("=?")) return line;
  const words = [""];
  for (const character of line) {
    const longer = (words.at(-1) ?? "") + character;
    if (ENCODER.encode(longer).length > WORD_BYTES) words.push(character);
    else words[words.length - 1] = longer;
  }
  return words.map((word) => `=?utf-8?B?${base64(word)}?=`).join("\r\n ");
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...ENCODER.encode(text)));
}

/** The longest line of quoted-printable text, without the `=` of a soft line break. */
const LINE = 75;

function quotedPrintable(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map(quotedLine)
    .join("\r\n");
}

function quotedLine(text: string): string {
  const lines = [""];
  const bytes = ENCODER.encode(text);
  for (const [index, byte] of bytes.entries()) {
    const isBlankAtEnd = (byte === 0x20 || byte === 0x09) && index === bytes.length - 1;
    const isPlain = ((byte >= 0x20 && byte <= 0x7e && byte !== 0x3d) || byte === 0x09) && !isBlankAtEnd;
    const piece = isPlain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    if ((lines.at(-1)?.length ?? 0) + piece.length > LINE) lines.push("");
    lines[lines.length - 1] += piece;
  }
  return lines.join("=\r\n");
}

/**
 * Sends a letter through an SMTP server, once. It never throws. Until the final dot is written nothing has arrived, so an error
 * before it, or no final dot within `timeout`, has the outcome `later`. After it an error, or no answer within `answerTimeout`, is
 * `unknown`: the letter is sent again, so a server that is slow to answer needs the 10 minutes of RFC 5321, 4.5.3.2.6.
 */
export async function sendLetter(
  letter: Letter,
  { smtp, timeout, answerTimeout, origin }: SmtpSettings & Pick<CommonSettings, "timeout" | "origin">,
): Promise<Report> {
  const conversation = new Conversation(smtp, timeout);
  try {
    await conversation.open(nameOf(origin));
    await conversation.ask("MAIL FROM", `MAIL FROM:<${letter.sender}>`, 2, "key_refused");
    await conversation.ask("RCPT TO", `RCPT TO:<${letter.recipient}>`, 2, "refused");
    await conversation.ask("DATA", "DATA", 3, "refused");
    await conversation.write(letter.content.replace(/^\./gm, ".."));
    const status = await conversation.finish(answerTimeout);
    return { outcome: "sent", status };
  } catch (error) {
    if (error instanceof Refusal) return error.report;
    const reason = messageOf(error);
    return { outcome: conversation.isHandedOver ? "unknown" : "later", status: null, reason };
  } finally {
    await conversation.close();
  }
}

/** Returns the name that the client sends to the server: the app's own host, or its address as a literal. */
function nameOf(origin: string): string {
  const { hostname } = new URL(origin);
  if (hostname.startsWith("[")) return `[IPv6:${hostname.slice(1)}`;
  return /^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname;
}

/** The server's answer is no, and which outcome that is. */
class Refusal extends Error {
  readonly report: Report;

  constructor(outcome: Outcome, step: string, { code, lines }: Reply) {
    super(step);
    // Only the enhanced code (RFC 3463) of the server's reply is kept: the other words may hold the address.
    const [enhanced] = /^[245]\.\d{1,3}\.\d{1,3}\b/.exec(lines[0] ?? "") ?? [];
    this.report = { outcome, status: code, reason: `${step} was answered ${code}${enhanced ? ` ${enhanced}` : ""}` };
  }
}

interface Reply {
  code: number;
  /** Its lines without the code. */
  lines: string[];
}

/** The longest reply that is read, in characters. */
const LONGEST_REPLY = 64 * 1024;

/** The replies that say that we may not use the server as we are, whatever the command: the operator's fault. */
const NOT_SIGNED_IN = [530, 534, 535, 538];

/** A connection to an SMTP server. All waits together have one time limit, and the one for the last answer has its own. */
class Conversation {
  readonly #server: SmtpServer;
  readonly #late: Promise<never>;
  #fail: (error: Error) => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Rejects when the connection or its TLS fails: a read alone would wait for ever. */
  #broken: Promise<never> | null = null;
  #socket: Socket | null = null;
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  #writer: WritableStreamDefaultWriter<Uint8Array> | null = null;
  #decoder = new TextDecoder();
  #unread = "";
  /** The reply that is waited for, for the operator. */
  #step = "the connection";
  /** Whether the final dot may have been sent. */
  isHandedOver = false;

  constructor(server: SmtpServer, timeout: number) {
    this.#server = server;
    this.#late = new Promise((_resolve, reject) => {
      this.#fail = reject;
    });
    this.#late.catch(() => {});
    this.#limit(timeout);
  }

  #limit(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail(new Error(`it took longer than ${ms} ms, at ${this.#step}`)), ms);
  }

  /** Connects, and signs in: with TLS, except to this machine. */
  async open(name: string): Promise<void> {
    const { host: hostname, port, tls, user, password } = this.#server;
    // Not imported above: Node's scripts import this file too, and have no such module.
    const { connect } = await import("cloudflare:sockets");
    this.#use(connect({ hostname, port }, { secureTransport: tls, allowHalfOpen: false }));
    this.#step = tls === "on" ? "the greeting with TLS" : "the greeting";
    await this.#read("the greeting", 2);
    let offers = await this.#introduce(name);
    if (tls === "starttls") {
      if (!offers.some((line) => line === "STARTTLS")) throw new Error("the server offers no STARTTLS");
      await this.ask("STARTTLS", "STARTTLS", 2);
      // An attacker on the way could have put them before the server's own (RFC 3207, section 4.2).
      if (this.#unread) throw new Error("the server sent replies before TLS began");
      this.#reader?.releaseLock();
      this.#writer?.releaseLock();
      if (this.#socket) this.#use(this.#socket.startTls());
      offers = await this.#introduce(name, "EHLO with TLS");
    }
    if (user !== null) await this.#signIn(user, password ?? "", offers);
  }

  #use(socket: Socket): void {
    this.#socket = socket;
    this.#reader = socket.readable.getReader();
    this.#writer = socket.writable.getWriter();
    this.#broken = new Promise((_resolve, reject) => {
      socket.opened.catch(reject);
      socket.closed.catch(reject);
    });
    this.#broken.catch(() => {});
    // Reads and writes report the same errors.
    for (const promise of [socket.opened, socket.closed, this.#reader.closed, this.#writer.closed])
      promise.catch(() => {});
  }

  /** Returns what the server offers, in upper case. */
  async #introduce(name: string, step = "EHLO"): Promise<string[]> {
    const { lines } = await this.ask(step, `EHLO ${name}`, 2);
    return lines.slice(1).map((line) => line.toUpperCase().trim());
  }

  async #signIn(user: string, password: string, offers: string[]): Promise<void> {
    const mechanisms = offers.flatMap((line) => (/^AUTH[ =]/.test(line) ? line.slice(5).split(/\s+/) : []));
    if (mechanisms.includes("PLAIN")) {
      await this.ask("AUTH PLAIN", `AUTH PLAIN ${base64(`\0${user}\0${password}`)}`, 2, "key_refused");
    } else if (mechanisms.includes("LOGIN")) {
      await this.ask("AUTH LOGIN", "AUTH LOGIN", 3, "key_refused");
      await this.ask("AUTH LOGIN", base64(user), 3, "key_refused");
      await this.ask("AUTH LOGIN", base64(password), 2, "key_refused");
    } else {
      throw new Error("the server offers neither AUTH PLAIN nor AUTH LOGIN");
    }
  }

  /**
   * Sends a command and returns its reply.
   * @throws {Refusal} with this outcome if the reply is 5xx, else `later`; {Error} if there is none
   */
  async ask(step: string, command: string, expected: 2 | 3, ifRefused: Outcome = "later"): Promise<Reply> {
    this.#step = step;
    await this.write(`${command}\r\n`);
    return this.#read(step, expected, ifRefused);
  }

  async write(text: string): Promise<void> {
    await this.#inTime(this.#writer?.write(ENCODER.encode(text)));
  }

  /** Sends the final dot and returns the code of the reply, after which the server answers for the letter. */
  async finish(timeout: number): Promise<number> {
    this.isHandedOver = true;
    this.#step = "the final dot";
    this.#limit(timeout);
    await this.write(".\r\n");
    const reply = await this.#reply();
    const { code } = reply;
    if (code >= 400) throw new Refusal(this.#refusedBy(code, "refused"), "the email", reply);
    if (code >= 300) throw new Error(`the email was answered ${code}`);
    return code;
  }

  async #read(step: string, expected: 2 | 3, ifRefused: Outcome = "later"): Promise<Reply> {
    const reply = await this.#reply();
    if (Math.floor(reply.code / 100) === expected) return reply;
    throw new Refusal(this.#refusedBy(reply.code, ifRefused), step, reply);
  }

  #refusedBy(code: number, ifRefused: Outcome): Outcome {
    if (NOT_SIGNED_IN.includes(code)) return "key_refused";
    return code >= 500 ? ifRefused : "later";
  }

  async #reply(): Promise<Reply> {
    const lines: string[] = [];
    let length = 0;
    for (;;) {
      const line = await this.#line();
      const [, code, more, text = ""] = /^([2-5]\d\d)(?:([ -])(.*))?$/.exec(line) ?? [];
      length += line.length;
      if (!code || length > LONGEST_REPLY) throw new Error("the server's reply is not SMTP");
      lines.push(text);
      if (more !== "-") return { code: Number(code), lines };
    }
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#unread.indexOf("\n");
      if (end >= 0) {
        const line = this.#unread.slice(0, end).replace(/\r$/, "");
        this.#unread = this.#unread.slice(end + 1);
        return line;
      }
      if (this.#unread.length > LONGEST_REPLY) throw new Error("the server's reply is not SMTP");
      const read = await this.#inTime(this.#reader?.read());
      if (!read || read.done) throw new Error("the server closed the connection");
      this.#unread += this.#decoder.decode(read.value, { stream: true });
    }
  }

  #inTime<T>(work: Promise<T> | undefined): Promise<T | undefined> {
    // After the final dot an answer that is still to be read counts for more.
    const broken = this.#broken && !this.isHandedOver ? [this.#broken] : [];
    return Promise.race([work, this.#late, ...broken]);
  }

  /** Says QUIT, as a server expects after a refusal too, and ends the connection. Its reply is not waited for: it changes nothing. */
  async close(): Promise<void> {
    await this.#inTime(this.#writer?.write(ENCODER.encode("QUIT\r\n"))).catch(() => {});
    clearTimeout(this.#timer);
    this.#socket?.close().catch(() => {});
  }
}
