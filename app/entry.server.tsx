import type { AppLoadContext, EntryContext, HandleErrorFunction } from "@remix-run/cloudflare";
import { RemixServer } from "@remix-run/react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { z } from "zod";
import { pageCsp, styleSource } from "./http/headers.server.ts";
import { logError } from "./http/log.server.ts";
import type { RouteHandle } from "./http/route.ts";
import styles from "./styles.css?inline";
import { Document } from "./ui/document.tsx";
import { Failure } from "./ui/failure.tsx";
import { PageContext, type PageFacts } from "./ui/page-context.tsx";

// Zod would otherwise compile schemas with `eval`, which no Worker allows.
z.config({ jitless: true });

const style = styleSource(styles);

/**
 * A route's elements as one HTML string. `renderToString` rather than a stream: every loader is done before it
 * starts, and it is five times as fast. Without `serverHandoffStream` Remix adds no script of its own.
 */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  { flash }: AppLoadContext,
) {
  const { serverHandoffStream: _, ...context } = remix;
  const entry = hasScript(remix) ? entryOf(remix) : null;
  const html = renderToString(
    <PageContext.Provider
      value={{
        flash,
        entry,
      }}
    >
      <RemixServer context={context} url={request.url} />
    </PageContext.Provider>,
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", pageCsp(style, entry !== null));
  return new Response(`<!DOCTYPE html>${html}`, { status, headers });
}

/** Whether any route of the page says that it has script. */
function hasScript({ staticHandlerContext, routeModules }: EntryContext): boolean {
  return staticHandlerContext.matches.some(({ route }) => {
    const handle = routeModules[route.id]?.handle as RouteHandle | undefined; // declared with `satisfies RouteHandle`
    return handle?.script === true;
  });
}

/** The address of the client entry and, in development, of what Vite needs before it. */
function entryOf({ manifest }: EntryContext): PageFacts["entry"] {
  const { runtime } = (manifest as { hmr?: { runtime?: string } }).hmr ?? {}; // Remix leaves it out of its own type
  return { module: manifest.entry.module, devRuntime: runtime ?? null };
}

/** A whole page for what goes wrong outside of every route. */
export function renderFailure(status: number, title: string, text: string): Response {
  const html = renderToStaticMarkup(
    <Document head={<title>{`${title} · Hours Tracker`}</title>}>
      <Failure title={title} text={text} />
    </Document>,
  );
  return new Response(`<!DOCTYPE html>${html}`, {
    status,
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": pageCsp(style, false) },
  });
}

/** What Remix does with an error that a loader, an action or a render threw: one line in the log. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (!request.signal.aborted) logError(error, request);
};
