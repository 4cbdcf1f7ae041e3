/** The longest address of a page, in characters: longer ones belong to no page of the app. */
const MOST = 1_000;

/** The page that opens the card of a shift, which a query can hold (app/routes/shift.tsx). */
export const SHIFT_PATH = "/shift";

/** The part of an address to which signing in leads back: without its query, but for the fields of a card, which are letters. */
export function returnPath({ pathname, searchParams }: Pick<URL, "pathname" | "searchParams">): string {
  const fields = [...searchParams].filter(([name]) => /^[a-z]$/.test(name));
  return pathname === SHIFT_PATH && fields.length > 0 ? `${pathname}?${new URLSearchParams(fields)}` : pathname;
}

/**
 * The address of the sign-in page that leads back to `path`; without one, to the first page. A path without its query: that
 * could hold anything, and would be repeated.
 */
export function signInPath(path: string | null): string {
  if (path === null || path.length > MOST || path === "/" || path === "/profile") return "/auth";
  return `/auth?next=${readable(path)}`;
}

/** The address of the page that asks for a name and leads on to `path`, which may have a query. */
export function namePath(path: string): string {
  return `/account/name?next=${readable(path)}`;
}

/** Slashes stay as they are, so that people can read the address. */
function readable(path: string): string {
  return encodeURIComponent(path).replaceAll("%2F", "/");
}

/**
 * The page to open after signing in, from the address of the sign-in page, or null. Only a page of this app: `//host`, which a
 * browser takes for another origin, and calls of the API are none.
 */
export function nextPage(address: URL): string | null {
  const page = ownPage(address);
  return page && returnPath(page);
}

/** The same with its query, for a page that one of our own pages has named. */
export function nextPageWithQuery(address: URL): string | null {
  const { pathname, search } = ownPage(address) ?? {};
  return pathname === undefined ? null : `${pathname}${search}`;
}

function ownPage({ origin, searchParams }: URL): URL | null {
  const next = searchParams.get("next");
  if (!next?.startsWith("/") || next.length > MOST || !URL.canParse(next, origin)) return null;
  const url = new URL(next, origin);
  // Dots are resolved by now: `/..//host` has become `//host`.
  if (url.origin !== origin || /^\/(\/|(api|auth|logout)(\/|$))/i.test(url.pathname)) return null;
  return url;
}
