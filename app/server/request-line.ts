/** Whether a method is safe (RFC 9110, 9.2.1): the request changes nothing but counters and logs. */
export function isSafe({ method }: Pick<Request, "method">): boolean {
  return method === "GET" || method === "HEAD";
}

/** A name or IP address with an optional port. A slash or question mark in a Host would change the path. */
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;

/** This machine under its own names. No other spelling: 127.1 and `localhost.` are no browser's, nor a person's. */
const THIS_MACHINE = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/** Whether a host, with or without a port, is a name of this machine. */
export function isThisMachine(host: string): boolean {
  return THIS_MACHINE.test(host);
}

/**
 * The URL of a request from its target and Host, or null if the target is no path (`GET http://…`, `OPTIONS *`) or the Host
 * is invalid. Such a request is meant for a proxy, or to confuse one, and is answered 400: workerd would write its target,
 * perhaps with a link's token, to standard error.
 */
export function requestUrl(target: string, host: string | null | undefined): URL | null {
  if (!target.startsWith("/") || !host || !HOST.test(host)) return null;
  const url = `http://${host}${target}`;
  return URL.canParse(url) ? new URL(url) : null;
}

/**
 * Whether a path is under /api, in any spelling: routes match case-insensitively and after decoding. For URLs without a
 * route; a matched route has `MatchedRoute.isApi`.
 */
export function isApiPath(pathname: string): boolean {
  const [, first = ""] = pathname.split("/");
  try {
    return decodeURIComponent(first).toLowerCase() === "api";
  } catch {
    return false;
  }
}

/** The message of a 421. */
export const SET_PUBLIC_ORIGIN =
  "Set PUBLIC_ORIGIN to the address by which people open this app, such as https://hours.example.com. Without it the app answers only to this machine's own names, such as localhost.";

/**
 * Whether the app answers under the host that a request names. With `publicOrigin` the host is not asked: everything is made
 * for that origin. Without one links, codes and statements are made for the host itself, which a client can choose, so only
 * names of this machine are accepted. That also stops a page of another site whose name was pointed at this machine.
 */
export function isHostAccepted({ url, headers }: Request, publicOrigin: string | undefined): boolean {
  if (publicOrigin) return true;
  const sent = headers.get("Host"); // a runtime may have corrected the host of the URL
  return isThisMachine(new URL(url).host) && (sent === null || isThisMachine(sent));
}

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

/** The token of an Authorization header, empty for another scheme; null without the header, or if it is empty. */
export function readToken({ headers }: Request): string | null {
  const header = headers.get("Authorization")?.trim();
  return header ? (/^Bearer +(\S+)$/i.exec(header)?.[1] ?? "") : null;
}
