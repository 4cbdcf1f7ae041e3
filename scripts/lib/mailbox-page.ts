import type { ServerResponse } from "node:http";

/** An email as it was sent to MailChannels. */
export interface Caught {
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

/** /dev/mail lists the sent emails; /dev/mail/{n} shows one, counted from the oldest. `/dev/mail/all.json` is for scripts. */
export function mailboxPage(caught: Caught[], path: string, outgoing: ServerResponse): void {
  const [, number] = path.match(/^\/dev\/mail\/(\d+)$/) ?? [];
  const mail = number ? caught[caught.length - Number(number)] : undefined;
  const [type, body] = ((): [type: string, body: string] | [] => {
    if (path === "/dev/mail/all.json") return ["application/json", JSON.stringify(caught)];
    if (/^\/dev\/mail\/?$/.test(path)) return ["text/html", list(caught)];
    return mail ? ["text/html", one(mail)] : [];
  })();
  outgoing.writeHead(body === undefined ? 404 : 200, {
    "Content-Type": `${type ?? "text/plain"}; charset=utf-8`,
    "Cache-Control": "no-store",
  });
  outgoing.end(body ?? "There is no such message.");
}

const STYLE = `<meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width"><style>
body{font:16px/1.5 system-ui,sans-serif;margin:24px auto;max-width:60rem;padding:0 16px}
td,th{padding:4px 16px 4px 0;text-align:left;vertical-align:top}iframe{width:100%;height:720px;border:1px solid #888}
pre{white-space:pre-wrap;border:1px solid #888;padding:16px}</style>`;

function list(caught: Caught[]): string {
  const rows = caught.map((mail, index) => {
    const href = `/dev/mail/${caught.length - index}`;
    return `<tr><td>${mail.at.toLocaleTimeString()}<td>${escapeHtml(toOf(mail))}<td><a href="${href}">${escapeHtml(mail.body.subject)}</a>`;
  });
  const none = "<p>Nothing yet. Ask a supervisor to verify an entry, and reload this page.</p>";
  return `<!DOCTYPE html><title>Mail</title>${STYLE}<h1>Mail that was sent</h1>${rows.length > 0 ? `<table>${rows.join("")}</table>` : none}`;
}

function one(mail: Caught): string {
  const { from, reply_to, subject } = mail.body;
  const facts = [
    ["From", from.email],
    ["To", toOf(mail)],
    ["Reply-To", reply_to?.email ?? ""],
    ["Subject", subject],
  ];
  const rows = facts.map(([term, value]) => `<tr><th>${term}<td>${escapeHtml(value ?? "")}`);
  return `<!DOCTYPE html><title>${escapeHtml(subject)}</title>${STYLE}<p><a href="/dev/mail">All mail</a></p><table>${rows.join("")}</table>
<iframe sandbox="allow-popups allow-top-navigation-by-user-activation" srcdoc="${escapeHtml(bodyOf(mail, "html"))}"></iframe><h2>As plain text</h2><pre>${escapeHtml(bodyOf(mail, "plain"))}</pre>`;
}

function toOf({ body }: Caught): string {
  return body.personalizations.flatMap(({ to }) => to.map(({ email }) => email)).join(", ");
}

function bodyOf({ body }: Caught, kind: "html" | "plain"): string {
  return body.content.find(({ type }) => type === `text/${kind}`)?.value ?? "";
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
