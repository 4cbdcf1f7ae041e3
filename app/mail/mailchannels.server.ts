import { Emails, MailChannelsClient } from "mailchannels-sdk";
import { messageOf } from "#app/errors.ts";
import { logError, withoutSecrets } from "#app/server/logger.server.ts";
import { type Correspondent, type Email, headersOf, renderText } from "./email.ts";
import { renderHtml } from "./email-html.ts";
import type { Outcome } from "./next-step.ts";
import type { CommonSettings, MailChannelsSettings } from "./settings.server.ts";
import { plainName } from "./typed-text.ts";

type Settings = CommonSettings & MailChannelsSettings;

/** The outcome of an attempt to send, and the service's status if it answered. */
export interface Report {
  outcome: Outcome;
  status: number | null;
  /** The error on the way, or the command that an SMTP server refused; without an address of an email. */
  reason?: string;
}

/** Cloudflare's statuses for a connection that was cut or timed out after the request was forwarded. */
const CONNECTION_LOST = [520, 524];

/** Statuses for a key that the service does not accept: it is wrong, has ended, or may not send for this domain. */
const KEY_REFUSED = [401, 403];

/**
 * The SDK has no timeout; this client has one. And it notes whether anything was sent: the SDK checks an email first.
 */
class TimeoutClient extends MailChannelsClient {
  readonly #timeout: number;
  hasPosted = false;

  constructor(key: string, baseUrl: string | undefined, timeout: number) {
    super(key, { baseUrl: baseUrl || API_URL });
    this.#timeout = timeout;
  }

  override post<T>(path: string, options?: Parameters<MailChannelsClient["post"]>[1]): Promise<T> {
    this.hasPosted = true;
    return super.post<T>(path, { ...options, signal: AbortSignal.timeout(this.#timeout) });
  }
}

/** An email as the SDK takes it. */
type Rendered = Parameters<Emails["send"]>[0];

/** Renders an email. It may throw, so it must run before the attempt to send begins. */
export function render(email: Email, { from }: Pick<CommonSettings, "from">): Rendered {
  const { to, replyTo, subject } = email;
  return {
    to: [formatRecipient(to)],
    from,
    ...(replyTo && { replyTo: formatRecipient(replyTo) }),
    subject,
    text: renderText(email),
    html: renderHtml(email),
    headers: headersOf(email),
    // Click tracking would send links, with their tokens, through another host.
    tracking: { click: false, open: false },
  };
}

/** The API's address, unless a setting names another. */
const API_URL = "https://api.mailchannels.net";

/** How long to wait for any answer of the service, in milliseconds: with the attempt after it, shorter than a lease. */
const REACH_MS = 10_000;

/** The host of the API, for the operator. */
export function hostOf({ baseUrl }: Pick<MailChannelsSettings, "baseUrl">): string {
  return new URL(baseUrl || API_URL).host;
}

/**
 * Returns why the service cannot be reached now, or null if it gives any answer to a request that sends nothing. The
 * runtime reports a refused connection like one that was cut after sending, so an attempt to send cannot distinguish
 * the two.
 */
export async function unreachableBecause({ baseUrl, timeout }: Settings): Promise<string | null> {
  try {
    const answer = await fetch(new URL("/", baseUrl || API_URL), {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.timeout(Math.min(timeout, REACH_MS)),
    });
    await answer.body?.cancel();
    return null;
  } catch (error) {
    return withoutSecrets(messageOf(error));
  }
}

/** Sends an email through MailChannels, once. It never throws: an error on the way has the outcome `unknown`. */
export async function send(email: Rendered, { apiKey, baseUrl, timeout }: Settings): Promise<Report> {
  const client = new TimeoutClient(apiKey, baseUrl, timeout);
  try {
    const answer = await new Emails(client).send(email);
    if (client.hasPosted) return readAnswer(answer);
    logError(new Error(`the SDK refused an email: ${answer.error?.message}`));
    return { outcome: "refused", status: null };
  } catch (error) {
    logError(error);
    const reason = withoutSecrets(messageOf(error));
    return { outcome: client.hasPosted ? "unknown" : "refused", status: null, reason };
  }
}

/** A recipient for a header. The name is included only if it is a plain name. */
function formatRecipient({ email, name }: Correspondent): { email: string; name?: string } {
  const plain = plainName(name);
  return plain ? { email, name: plain } : { email };
}

/**
 * Reads the outcome from the SDK's answer. The SDK takes any 200 for success, even a proxy's HTML page, so the answer
 * must say that the message to our one recipient was sent. A null status means a dropped, late or malformed answer.
 */
function readAnswer({ data, error }: Awaited<ReturnType<Emails["send"]>>): Report {
  const status = error?.statusCode ?? null;
  if (data && !error) {
    const [result, ...more] = Array.isArray(data.results) ? data.results : [];
    if (result?.status === "sent" && more.length === 0) return { outcome: "sent", status: 200 };
    return { outcome: result?.status === "failed" ? "refused" : "unknown", status: 200 };
  }
  if (status === null) return { outcome: "unknown", status, reason: withoutSecrets(error?.message ?? "no answer") };
  if (CONNECTION_LOST.includes(status)) return { outcome: "unknown", status };
  if (KEY_REFUSED.includes(status)) return { outcome: "key_refused", status };
  if (status === 429 || status >= 500) return { outcome: "later", status };
  return { outcome: status >= 400 ? "refused" : "unknown", status };
}
