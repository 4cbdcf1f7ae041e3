/** A name or an address, and perhaps a port. A Host with a slash or a question mark would move the path. */
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;

/**
 * The URL of a request whose line has this target and whose Host is this; or null where the target is no path
 * (`GET http://…`, `OPTIONS *`) or the Host none. Such a request is for a proxy or made to confuse one: whoever gets it
 * answers 400. workerd would write its target, and a link's token with it, to standard error.
 */
export function requestUrl(target: string, host: string | null | undefined): URL | null {
  if (!target.startsWith("/") || !host || !HOST.test(host)) return null;
  const url = `http://${host}${target}`;
  return URL.canParse(url) ? new URL(url) : null;
}
