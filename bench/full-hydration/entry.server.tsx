import type { AppLoadContext, EntryContext } from "@remix-run/cloudflare";
import { RemixServer } from "@remix-run/react";
import { renderToReadableStream } from "react-dom/server";
import { z } from "zod";
import authStyles from "#app/accounts/auth.css?inline";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { PageContext, type PageFacts } from "#app/ui/document.tsx";

z.config({ jitless: true });

/** As `remix reveal entry.server` writes it for Cloudflare, with our style sheet inlined. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  { flash }: AppLoadContext,
) {
  const { pathname } = new URL(request.url);
  const isSignedIn = /^\/(profile|rope-hours|admin)/.test(pathname);
  const css = styles + (isSignedIn ? signedInStyles : pathname === "/auth" ? authStyles : "");
  // Without our inline script: Remix has its own.
  const facts = { flash, css, reference: null } as unknown as PageFacts;
  const body = await renderToReadableStream(
    <PageContext.Provider value={facts}>
      <RemixServer context={remix} url={request.url} abortDelay={5_000} />
    </PageContext.Provider>,
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set(
    "Content-Security-Policy",
    "default-src 'self' data:; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'",
  );
  return new Response(body, { status, headers });
}

export function renderFailure(status: number, title: string, text: string): Response {
  return new Response(`${title}. ${text}`, { status });
}

export function handleError(error: unknown): void {
  console.error(error);
}
