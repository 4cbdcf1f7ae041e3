import offlineScript from "virtual:offline-script";
import type { AppLoadContext, EntryContext, HandleErrorFunction } from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { z } from "zod";
import { knownViewer } from "#app/accounts/access.server.ts";
import { AuthProvider } from "#app/accounts/layout.tsx";
import publicScript from "#app/entry/public.inline.ts?script";
import shiftScript from "#app/entry/shift.inline.ts?script";
import signedInScript from "#app/entry/signed-in.inline.ts?script";
import signedOutScript from "#app/entry/signed-out.inline.ts?script";
import type { Flash } from "#app/server/flash.ts";
import { pageCsp } from "#app/server/headers.server.ts";
import { getRequestId, logError } from "#app/server/logger.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import type { Part } from "#app/server/stream.server.ts";
import { Failure, PageContext, type PageFacts, STREAMED } from "#app/ui/page.tsx";
import { renderPage } from "#app/ui/render-page.server.tsx";
import dialogStyles from "./dialogs.css?inline";
import signedInStyles from "./signed-in.css?inline";
import styles from "./styles.css?inline";

// Zod would otherwise compile schemas with `eval`, which no Worker allows.
z.config({ jitless: true });

/**
 * Renders a route as one HTML string. `renderToString` is five times as fast as a stream, which has no advantage here:
 * all loaders have finished before. (A form of thousands of records is too much for one string: `context.stream`.) Without `serverHandoffStream` Remix adds no script of its own.
 */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  context: AppLoadContext,
) {
  const { flash, stream } = context;
  const { serverHandoffStream: _, ...entry } = remix;
  const handle = handleOf(remix);
  const script = handle.script ? scriptOf(remix, handle, flash) : null;
  const reference = status >= 500 ? getRequestId(request) : null;
  // For an error page alone: every other page says itself who is signed in (root.tsx).
  const viewer = handle.access === "public" ? null : knownViewer(context);
  const css = cssOf(remix, handle, viewer !== null);
  const html = renderToString(
    <PageContext.Provider value={{ flash, script, css, reference }}>
      <AuthProvider user={viewer}>
        <RemixServer context={entry} url={request.url} />
      </AuthProvider>
    </PageContext.Provider>,
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", pageCsp(css, script));
  if (!stream || request.method === "HEAD" || status !== 200)
    return new Response(`<!DOCTYPE html>${html}`, { status, headers });
  return new Response(
    stream.body((parts) => around(html, parts)),
    { status, headers },
  );
}

/** A page with a part that is made while it is sent. */
async function* around(html: string, streamed: AsyncGenerator<Part>): AsyncGenerator<Part> {
  const [before, after = ""] = html.split(STREAMED);
  yield `<!DOCTYPE html>${before}`;
  yield* streamed;
  yield after;
}

/** The handle of the page's route, the innermost. */
function handleOf({ staticHandlerContext, routeModules }: EntryContext): RouteHandle {
  const id = staticHandlerContext.matches.at(-1)?.route.id ?? "";
  return (routeModules[id]?.handle ?? {}) as RouteHandle; // each route declares it with `satisfies RouteHandle`
}

/**
 * The page's style sheet: public pages have only `styles`, and so has an error page, whatever the route's own sheet; one with the
 * navigation has its rules too.
 */
function cssOf(
  { staticHandlerContext: { matches, loaderData, errors } }: EntryContext,
  { css, access }: RouteHandle,
  hasNavigation: boolean,
): string {
  if (errors) return hasNavigation ? styles + signedInStyles : styles;
  if (typeof css === "function") return css(loaderData[matches.at(-1)?.route.id ?? ""]);
  return css ?? (access === "public" ? styles : styles + signedInStyles + dialogStyles);
}

/** The page's inline script, with the URL of the client entry, and in development the module that Vite needs before it. */
function scriptOf(
  { manifest }: EntryContext,
  { access, script }: RouteHandle,
  flash: Flash | null,
): PageFacts["script"] {
  if (script === "offline")
    return { code: `import ${JSON.stringify(offlineScript)}`, loadsMore: true, devRuntime: null };
  const { runtime } = (manifest as { hmr?: { runtime?: string } }).hmr ?? {}; // Remix leaves it out of its own type
  const isPublic = access === "public";
  const code = isPublic
    ? flash?.signedOut
      ? signedOutScript
      : publicScript
    : // Two scripts in one: in a block the names of the first are its own.
      (script === "shift" ? `{${shiftScript}}` : "") + signedInScript.replaceAll("%entry%", manifest.entry.module);
  return { code, loadsMore: !isPublic || runtime !== undefined, devRuntime: runtime ?? null };
}

/** An error page for errors outside all routes. `reference` is the request's id, if the user can report it. */
export function renderFailure(status: number, title: string, text: string, reference: string | null = null): Response {
  return renderPage(status, title, <Failure title={title} text={text} />, reference);
}

/**
 * Logs the errors of loaders, actions and rendering; Remix calls it. The response that `toErrorPage` makes of an `AppError`
 * is not an error; Remix reports it here if its route has no page.
 */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (!request.signal.aborted && !isRouteErrorResponse(error)) logError(error, request);
};
