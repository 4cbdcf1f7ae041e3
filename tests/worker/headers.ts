import { XLSX_TYPE } from "#app/server/stream.server.ts";
import type { Answer } from "./client.ts";

/** The headers of every response. */
export const ALWAYS = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Strict-Transport-Security": null,
  "Access-Control-Allow-Origin": null,
};

/** Returns the directives of a response's content security policy, by name. */
export function directivesOf(answer: Answer): Record<string, string> {
  const csp = answer.headers.get("Content-Security-Policy") ?? "";
  return Object.fromEntries(csp.split(/;\s*/).map((part) => [part.split(" ")[0], part.split(" ").slice(1).join(" ")]));
}

/** Pages for everyone, which are opened from emails and papers, and addresses that are none. */
const PUBLIC_PAGE =
  /^\/(?:$|\?|(?:auth|logout|inbox|verify|success|unsubscribe|disown|confirm|reset-password|check|c|offline|checkpoint)(?:[/?]|$)|account\/email\/(?!resend)[^/?]+)|^\/(?:nothing|profile\.data|%E0%A4%A)$/;

/** Addresses whose answer every cache may keep. */
const SHARED = ["/.well-known/jwks.json", "/api/openapi.json", "/checkpoint"];

/**
 * Returns what is wrong with the headers of a response over http, one line each; empty if nothing is. `isSecret`: the
 * address holds a token. `isForm`: the answer is to a form, which a supervisor's pages let the browser keep for Back.
 */
export function wrongHeaders(
  answer: Answer,
  { path, isSecret, isForm = false }: { path: string; isSecret: boolean; isForm?: boolean },
): string[] {
  const isApi = /^\/(api|\.well-known\/jwks\.json)/.test(path);
  const isHtml = answer.headers.get("Content-Type")?.startsWith("text/html") ?? false;
  const csp = directivesOf(answer);
  const isKept = isForm && /^\/(verify|inbox|disown|confirm)\//.test(path);
  // The answer shows a token, or a link to set a password, this once.
  const isShownOnce =
    isForm && answer.status === 200 && /^\/((account|admin)\/tokens\/|admin\/user\/\d+\/reset-link)/.test(path);
  const expected: Record<string, string | null> = {
    ...ALWAYS,
    ...(PUBLIC_PAGE.test(path) && { "Cross-Origin-Opener-Policy": null }),
    "Cache-Control": isApi || isShownOnce || (isSecret && !isKept) ? "no-store" : "private, no-cache",
    "X-Robots-Tag": isSecret ? "noindex" : null,
    ...(isSecret && { "Referrer-Policy": "strict-origin" }),
  };
  // The same for everyone.
  const isShared = answer.status === 200 && SHARED.includes(new URL(path, "http://localhost").pathname);
  if (isShared) expected["Cache-Control"] = "public, max-age=300";
  const [, , , file] = (answer.status === 200 && /^\/api\/(admin\/)?(export|progress)\.(csv|xlsx)/.exec(path)) || [];
  const pageType = isApi || isShared ? "application/json" : "text/html; charset=utf-8";
  const isCheckpoint = isShared && path.startsWith("/checkpoint");
  const textType = isCheckpoint ? "text/plain; charset=utf-8" : pageType;
  const type = file === "csv" ? "text/csv; charset=utf-8" : file === "xlsx" ? XLSX_TYPE : textType;
  if (answer.text) expected["Content-Type"] = type;
  const wrong = Object.entries(expected)
    .map(([name, value]) => [name, answer.headers.get(name), value])
    .filter(([, found, value]) => found !== value)
    .map(([name, found, value]) => `${name} is ${found} and not ${value}`);
  const policy: Record<string, RegExp> = {
    "default-src": /^'none'$/,
    "frame-ancestors": /^'none'$/,
    ...(isHtml && {
      "style-src": /^'sha256-[\w+/=]+'$/,
      "base-uri": /^'none'$/,
      "form-action": /^'self'$/,
      // A page with a manifest loads the icons that it names.
      "img-src": csp["manifest-src"] ? /^data: 'self'$/ : /^data:$/,
    }),
  };
  for (const [name, value] of Object.entries(policy)) {
    if (!value.test(csp[name] ?? "")) wrong.push(`the policy has ${name} ${csp[name]}`);
  }
  if (/unsafe|https?:|\*/.test(answer.headers.get("Content-Security-Policy") ?? ""))
    wrong.push("the policy is too wide");
  const reference = answer.headers.get("X-Request-Id");
  if (answer.status >= 400 !== /^[0-9a-f]{16}$/.test(reference ?? "")) wrong.push(`X-Request-Id is ${reference}`);
  return wrong;
}
