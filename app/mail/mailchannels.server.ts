import { Emails, MailChannelsClient } from "mailchannels-sdk";
import { type Correspondent, type Email, renderText } from "./email.ts";
import { renderHtml } from "./email-html.ts";
import type { Outcome } from "./next-step.ts";
import type { MailSettings } from "./settings.server.ts";
import { plainName } from "./typed-text.ts";

/** How a message went, and with which status of the service, if it answered one. */
export interface Report {
  outcome: Outcome;
  status: number | null;
}

/** Cloudflare's own statuses for a connection that was cut, or timed out, after the request had gone through. */
const CUT_SHORT = [520, 524];

/** The SDK waits for an answer for as long as it takes; this client hangs up. */
class ImpatientClient extends MailChannelsClient {
  readonly #timeout: number;

  constructor(key: string, baseUrl: string | undefined, timeout: number) {
    super(key, baseUrl ? { baseUrl } : {});
    this.#timeout = timeout;
  }

  override post<T>(path: string, options?: Parameters<MailChannelsClient["post"]>[1]): Promise<T> {
    return super.post<T>(path, { ...options, signal: AbortSignal.timeout(this.#timeout) });
  }
}

/** Hands a letter to MailChannels, once. It never throws: what cannot be known is an outcome as well. */
export async function send(letter: Email, { apiKey, baseUrl, from, timeout }: MailSettings): Promise<Report> {
  try {
    const { to, replyTo, subject } = letter;
    const emails = new Emails(new ImpatientClient(apiKey, baseUrl, timeout));
    const answer = await emails.send({
      to: [headerOf(to)],
      from,
      ...(replyTo && { replyTo: headerOf(replyTo) }),
      subject,
      text: renderText(letter),
      html: renderHtml(letter),
      // Vacation notices have no business answering.
      headers: { "Auto-Submitted": "auto-generated" },
      // A link that counts clicks would lead elsewhere first, with the token in it.
      tracking: { click: false, open: false },
    });
    return reportOf(answer);
  } catch {
    return { outcome: "unknown", status: null };
  }
}

/** An address as a header has it: beside it stands a name only where it is one. */
function headerOf({ email, name }: Correspondent): { email: string; name?: string } {
  const plain = plainName(name);
  return plain ? { email, name: plain } : { email };
}

/**
 * What the SDK's answer means. It takes any 200 for success, a proxy's HTML page included, so the answer must say of
 * our one recipient that the message was sent. A null status is a dropped, late or malformed answer.
 */
function reportOf({ data, error }: Awaited<ReturnType<Emails["send"]>>): Report {
  const status = error?.statusCode ?? null;
  if (data && !error) {
    const [result, ...more] = Array.isArray(data.results) ? data.results : [];
    if (result?.status === "sent" && more.length === 0) return { outcome: "sent", status: 200 };
    return { outcome: result?.status === "failed" ? "refused" : "unknown", status: 200 };
  }
  if (status === null || CUT_SHORT.includes(status)) return { outcome: "unknown", status };
  if (status === 429 || status >= 500) return { outcome: "later", status };
  return { outcome: status >= 400 ? "refused" : "unknown", status };
}
