/** A route's settings, in `export const handle`. By default a route is private, for signed-in users, and has no script. */
export interface RouteHandle {
  /** For everyone, also without a session; or for admins alone. By default for every signed-in user. */
  access?: "public" | "admin";
  /**
   * The use of an API token at this call: none, or reading. By default all that its access allows. `ignored` is for
   * calls that sign in or out: they need no user, and end the session of the cookie.
   */
  token?: "none" | "read" | "ignored";
  /** A service token may read it (docs/api.md, "Service tokens"). */
  service?: true;
  /** The URL holds a secret: the page is not cached and not indexed. */
  secret?: true;
  /**
   * On a secret URL: the answer to a form is kept by the browser, so that Back shows the form as it was sent. A page that
   * is not kept cannot be shown again (ERR_CACHE_MISS).
   */
  keepsForm?: true;
  /** Reads from the primary, not from a replica that may be behind. Secret routes and all unsafe requests do so anyway. */
  fresh?: true;
  /**
   * With the largest account it takes much memory or time: only a few are done at once (`takeTurn`). `reads`: only its GET does.
   */
  heavy?: true | "reads";
  /** The content types that an endpoint takes besides JSON. */
  accepts?: readonly string[];
  /**
   * The page has islands or small behaviours and loads the client entry; `shift` fills its form in first; `offline` loads that of
   * the offline pages.
   */
  script?: true | "offline" | "shift";
  /** The page's own style sheet, instead of the common one. It may depend on the loader's data, if that could be loaded. */
  css?: string | ((data: unknown) => string);
}

/** The `handle` that a route module exports: one that serves several routes exports a function of the route's id. */
export type HandleExport = RouteHandle | ((routeId: string) => RouteHandle);

export function handleOf(exported: HandleExport | undefined, routeId: string): RouteHandle {
  return (typeof exported === "function" ? exported(routeId) : exported) ?? {};
}
