import { isThisMachine } from "./request-line.ts";

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
