/**
 * The address of who is at the other end of the connection. workerd gives it with the port: `192.0.2.1:50594`,
 * `[2001:db8::1]:50594`. A v4 address that came in over v6 is written as such, as Cloudflare would.
 */
export function peerAddress(cf: unknown): string {
  const { clientIp } = (cf ?? {}) as { clientIp?: string }; // workerd's own, where no edge fills `cf`
  const address = (clientIp ?? "").replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
