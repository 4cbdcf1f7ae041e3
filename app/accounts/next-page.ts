/** Longer addresses are no page of ours that somebody opened. */
const MOST = 1_000;

/**
 * The address of the sign-in page that leads back to `path`; without one, to the first page. A path without its query: that
 * could hold anything, and would be repeated.
 */
export function signInPath(path: string | null): string {
  if (path === null || path.length > MOST || path === "/" || path === "/profile") return "/auth";
  // Slashes stay as they are, so that people can read the address.
  return `/auth?next=${encodeURIComponent(path).replaceAll("%2F", "/")}`;
}

/**
 * The page to open after signing in, from the address of the sign-in page, or null. Only a page of this app: `//host`, which a
 * browser takes for another origin, and calls of the API are none.
 */
export function nextPage({ origin, searchParams }: URL): string | null {
  const next = searchParams.get("next");
  if (!next?.startsWith("/") || next.length > MOST || !URL.canParse(next, origin)) return null;
  const url = new URL(next, origin);
  // Dots are resolved by now: `/..//host` has become `//host`.
  if (url.origin !== origin || /^\/(\/|(api|auth|logout)(\/|$))/i.test(url.pathname)) return null;
  return url.pathname;
}
