/**
 * Whether a path is under /api, however it is spelled: routes match without case and after decoding each part. Only for
 * an address that no route has; a matched route knows (`MatchedRoute.isApi`).
 */
export function isApiPath(pathname: string): boolean {
  const [, first = ""] = pathname.split("/");
  try {
    return decodeURIComponent(first).toLowerCase() === "api";
  } catch {
    return false;
  }
}
