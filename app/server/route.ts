/**
 * What a route says of itself in `export const handle`. It says nothing by default, and then it is private: only
 * signed-in people get an answer, and it runs no script.
 */
export interface RouteHandle {
  /** Anybody may have this. */
  access?: "public";
  /** The address holds a secret: no cache keeps the page and no search engine lists it. */
  secret?: true;
  /**
   * What it shows must be as it is this moment, whoever changed it: it is read from the primary, not from a replica that
   * may be behind. So is what holds a secret, and what every form and call that changes something reads first.
   */
  fresh?: true;
  /** The page has islands or small behaviours, and so loads the client entry. */
  script?: true;
  /** A style sheet of the page's own, in place of the common one. */
  css?: string;
}
