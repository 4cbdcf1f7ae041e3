/** Gmail's two domains are one, and it ignores dots before the @. */
const GMAIL = ["gmail.com", "googlemail.com"];

/**
 * The mailbox of a lower-case address, for counting limits: a tag after a `+` before the @ reaches the same mailbox.
 * Emails go to the address itself, never to this.
 */
export function normalizeMailbox(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  const local = address.slice(0, at).replace(/(?<=.)\+.*$/, "");
  return GMAIL.includes(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`;
}
