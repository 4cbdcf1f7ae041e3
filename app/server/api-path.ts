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
