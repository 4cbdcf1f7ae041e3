/** Gmail's two domains, which are one, and where dots in front of the @ mean nothing. */
const GMAIL = ["gmail.com", "googlemail.com"];

/**
 * The mailbox behind an address in lower case, as limits count it: what stands behind a `+` in front of the @ is the
 * owner's own tag, and reaches the same mailbox. Emails go to the address itself, never to this.
 */
export function normalizeMailbox(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  const local = address.slice(0, at).replace(/(?<=.)\+.*$/, "");
  return GMAIL.includes(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`;
}
