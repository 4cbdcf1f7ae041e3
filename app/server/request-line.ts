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
