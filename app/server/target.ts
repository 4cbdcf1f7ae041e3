/** A name or IP address with an optional port. A slash or question mark in a Host would change the path. */
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;

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
