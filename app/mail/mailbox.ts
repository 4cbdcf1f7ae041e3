/** Gmail's two domains are one, and it ignores dots before the @. */
const GMAIL = ["gmail.com", "googlemail.com"];

/**
 * The mailbox that an address reaches, to compare addresses and to count limits: without case and without a tag after a `+`
 * before the @, and with the domain as the DNS has it (`xn--…`, no dot at the end). Emails go to the address itself, never
 * to this.
 */
export function normalizeMailbox(address: string): string {
  const text = address.normalize("NFKC").toLowerCase();
  const at = text.lastIndexOf("@");
  const domain = asciiDomain(text.slice(at + 1));
  const local = text.slice(0, at).replace(/(?<=.)\+.*$/, "");
  return GMAIL.includes(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`;
}

/**
 * What every stored address of a mailbox (`normalizeMailbox`) begins with, to find them by an index. Stored addresses are in
 * lower case and ASCII (`email` in app/forms/fields.ts); in Gmail's, dots may follow the first letter.
 */
export function commonStart(mailbox: string): string {
  const [local = "", domain = ""] = mailbox.split("@");
  return GMAIL.includes(domain) ? local.slice(0, 1) : local;
}

function asciiDomain(domain: string): string {
  const url = `http://${domain}`;
  return (URL.canParse(url) ? new URL(url).hostname : domain).replace(/\.+$/, "");
}
