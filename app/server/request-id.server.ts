/** Cloudflare's request id: sixteen hexadecimal digits and the data centre, 8f3c0a1b2c3d4e5f-OSL. */
const RAY = /^[0-9a-f]{16}(?=$|-[A-Z]{3}$)/;

/**
 * Returns the request with an id, which users can report and the log contains. On Cloudflare the edge sets it in `Cf-Ray`,
 * which no client can choose; elsewhere it is created here, in the same header.
 */
export function withRequestId(request: Request): Request {
  if (RAY.test(request.headers.get("Cf-Ray") ?? "")) return request;
  const copy = new Request(request);
  copy.headers.set("Cf-Ray", newRequestId());
  return copy;
}

/** The id that `withRequestId` set. */
export function getRequestId(request: Request): string {
  return RAY.exec(request.headers.get("Cf-Ray") ?? "")?.[0] ?? "none";
}

export function newRequestId(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(-16);
}
