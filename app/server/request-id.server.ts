/** Cloudflare's name for a request, sixteen hexadecimal digits and the place that answered: 8f3c0a1b2c3d4e5f-OSL. */
const RAY = /^[0-9a-f]{16}(?=$|-[A-Z]{3}$)/;

/**
 * The request with a name of its own, by which a person and the log can speak of the same one. On Cloudflare the edge
 * gave it one, `Cf-Ray`, which no client can choose; elsewhere it gets one here, in the same header.
 */
export function withRequestId(request: Request): Request {
  if (RAY.test(request.headers.get("Cf-Ray") ?? "")) return request;
  const copy = new Request(request);
  copy.headers.set("Cf-Ray", newRequestId());
  return copy;
}

/** The id of a request that the request checks have named, or of one that was made from it. */
export function getRequestId(request: Request): string {
  return RAY.exec(request.headers.get("Cf-Ray") ?? "")?.[0] ?? "none";
}

export function newRequestId(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(-16);
}
