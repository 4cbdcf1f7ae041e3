/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  ...["connection", "expect", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"],
];

/** Whether a header, in any case, is hop-by-hop. */
export function isHopByHop(name: string): boolean {
  return HOP_BY_HOP.includes(name.toLowerCase());
}

/**
 * A request's headers as Cloudflare's edge passes them to the Worker: with the client's address, or "" if it is
 * unknown, and without those that only the edge or the local Miniflare may set.
 */
export function edgeHeaders(received: Iterable<[name: string, value: string]>, clientAddress: string | null): Headers {
  const headers = new Headers();
  for (const [name, value] of received) {
    if (!isHopByHop(name) && !/^(cf|mf)-/i.test(name)) headers.append(name, value);
  }
  headers.set("CF-Connecting-IP", clientAddress ?? "");
  return headers;
}

/** Whether a request with this method can have a body with a meaning (RFC 9110, 9.3.1). */
export function hasBody(method: string): boolean {
  return method !== "GET" && method !== "HEAD";
}
