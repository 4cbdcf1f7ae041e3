/** Headers about one connection, which the next one does not have (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  ...["connection", "expect", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"],
];

/** Whether a header, its name in any case, is about one connection only. */
export function isHopByHop(name: string): boolean {
  return HOP_BY_HOP.includes(name.toLowerCase());
}

/**
 * The headers of a request as Cloudflare's edge passes them on to the Worker: with the client's address, or "" where it is
 * unknown, and without any that only the edge, or Miniflare on this machine, may set.
 */
export function edgeHeaders(received: Iterable<[name: string, value: string]>, clientAddress: string | null): Headers {
  const headers = new Headers();
  for (const [name, value] of received) {
    if (!isHopByHop(name) && !/^(cf|mf)-/i.test(name)) headers.append(name, value);
  }
  headers.set("CF-Connecting-IP", clientAddress ?? "");
  return headers;
}

/** Whether a request may have a body that means anything (RFC 9110, 9.3.1). */
export function hasBody(method: string): boolean {
  return method !== "GET" && method !== "HEAD";
}
