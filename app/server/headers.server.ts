import { createHash } from "node:crypto";
import { getOrigin } from "./context.server.ts";
import type { Env } from "./env.ts";
import { getRequestId } from "./logger.server.ts";
import type { MatchedRoute } from "./request-checks.server.ts";
import { TAB_RULE } from "./tab-rule.ts";

/**
 * Adds the headers that every response has, errors and redirects included. `public/_headers` repeats them for static files,
 * which do not reach the Worker.
 */
export function withStandardHeaders(response: Response, request: Request, route: MatchedRoute, env: Env): Response {
  const headers = new Headers(response.headers);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("X-Frame-Options", "DENY");
  // With `no-referrer` the Origin of a form would be `null`. A secret URL is not sent anywhere, only its origin.
  headers.set("Referrer-Policy", route.handle.secret ? "strict-origin" : "same-origin");
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
  // A page that is opened from a webmail's sandboxed frame would be blocked by it.
  const isPublicPage = route.handle.access === "public" && !route.isApi;
  if (!isPublicPage) headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  if (getOrigin(request, env).startsWith("https:")) headers.set("Strict-Transport-Security", "max-age=63072000");
  if (!headers.has("Content-Security-Policy")) {
    headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  }
  // `no-store` would lose a typed form on Back, so it is used only for API responses and secret URLs.
  if (!headers.has("Cache-Control")) {
    const isForm = route.handle.keepsForm && request.method === "POST";
    headers.set("Cache-Control", (route.isApi || route.handle.secret) && !isForm ? "no-store" : "private, no-cache");
  }
  if (route.handle.secret) headers.set("X-Robots-Tag", "noindex");
  const { status, statusText } = response;
  // On errors only, to save bytes on every page.
  if (status >= 400) headers.set("X-Request-Id", getRequestId(request));
  return new Response(request.method === "HEAD" ? null : response.body, { status, statusText, headers });
}

/**
 * The policy of a page: its inlined style sheet and script by their hashes, and its icon. If the script loads others, our
 * own script files, workers and the speculation rule are allowed too, and the manifest with the icons that it names.
 */
export function pageCsp(css: string, script: InlineScript | null): string {
  const more = script?.loadsMore ? ` '${hashOf(TAB_RULE)}' 'self'` : "";
  // Lighthouse requests robots.txt from within the page, and reports it as broken without `connect-src`.
  const scriptSrc = script ? `script-src '${hashOf(script.code)}'${more}; connect-src 'self'; ` : "";
  const install = script?.loadsMore ? "manifest-src 'self'; img-src data: 'self'; " : "img-src data:; ";
  return (
    `default-src 'none'; ${scriptSrc}style-src '${hashOf(css)}'; ${install}` +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  );
}

/** The inline script of a page. */
export interface InlineScript {
  code: string;
  /** Whether it loads script files. */
  loadsMore: boolean;
}

/** Hashes by text, so that each is computed once. */
const hashes = new Map<string, string>();

function hashOf(text: string): string {
  const hash = hashes.get(text) ?? `sha256-${createHash("sha256").update(text).digest("base64")}`;
  hashes.set(text, hash);
  return hash;
}
