/**
 * Whether a request comes from another site's page, by the rule of Go's net/http CrossOriginProtection:
 * safe methods change nothing and pass; `Sec-Fetch-Site`, which no page can forge, decides where the browser sends it;
 * else `Origin` must be ours; a request with neither is not from a browser and carries no user's cookies.
 *
 * `publicOrigin` is the configured origin. Without one `Origin` must have the request's own host.
 */
export function isCrossSite(request: Request, publicOrigin: string | undefined): boolean {
  if (["GET", "HEAD", "OPTIONS"].includes(request.method)) return false;
  const site = request.headers.get("Sec-Fetch-Site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const origin = request.headers.get("Origin");
  if (origin === null) return false;
  if (publicOrigin) return origin !== new URL(publicOrigin).origin;
  return !URL.canParse(origin) || new URL(origin).host !== new URL(request.url).host;
}
