import { createHash } from "node:crypto";
import { getOrigin } from "./context.server.ts";
import type { Env } from "./env.ts";
import type { MatchedRoute } from "./request-checks.server.ts";
import { getRequestId } from "./request-id.server.ts";
import { TAB_RULE } from "./tab-rule.ts";

/**
 * Gives an answer the headers that every one has, errors and redirects included. `public/_headers` repeats them for
 * static files, which never reach the Worker.
 */
export function withStandardHeaders(response: Response, request: Request, route: MatchedRoute, env: Env): Response {
  const headers = new Headers(response.headers);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("X-Frame-Options", "DENY");
  // Not `no-referrer`, which turns the Origin of a form into `null`.
  headers.set("Referrer-Policy", "same-origin");
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  if (getOrigin(request, env).startsWith("https:")) headers.set("Strict-Transport-Security", "max-age=63072000");
  if (!headers.has("Content-Security-Policy")) {
    headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  }
  // `no-store` would lose a typed form on Back, so only data and what holds a secret are never kept.
  if (!headers.has("Cache-Control")) {
    headers.set("Cache-Control", route.isApi || route.handle.secret ? "no-store" : "private, no-cache");
  }
  if (route.handle.secret) headers.set("X-Robots-Tag", "noindex");
  const { status, statusText } = response;
  // On failures only: every header is a part of every page's weight.
  if (status >= 400) headers.set("X-Request-Id", getRequestId(request));
  return new Response(request.method === "HEAD" ? null : response.body, { status, statusText, headers });
}

/**
 * What a page may load: its one inlined style sheet and the starter inside it, which go by their hashes, and its icon. A
 * starter that brings more gets our own script, workers included, and the rule by which the browser fetches a tab
 * beforehand, which runs nothing.
 */
export function pageCsp(css: string, starter: InlineScript | null): string {
  const more = starter?.bringsMore ? ` '${hashOf(TAB_RULE)}' 'self'` : "";
  // A checker such as Lighthouse asks for robots.txt from within the page, and takes it for broken when it may not.
  const script = starter ? `script-src '${hashOf(starter.code)}'${more}; connect-src 'self'; ` : "";
  return (
    `default-src 'none'; ${script}style-src '${hashOf(css)}'; img-src data:; ` +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  );
}

/** The script that a page has inside itself. */
export interface InlineScript {
  code: string;
  /** Whether it fetches other scripts of ours. */
  bringsMore: boolean;
}

/** What is inlined is hashed once in a Worker's life. */
const hashes = new Map<string, string>();

function hashOf(text: string): string {
  const hash = hashes.get(text) ?? `sha256-${createHash("sha256").update(text).digest("base64")}`;
  hashes.set(text, hash);
  return hash;
}
