import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { pageCsp } from "#app/server/headers.server.ts";
import styles from "#app/styles.css?inline";
import { Document, PageContext } from "./page.tsx";

/**
 * Renders a page outside any route, without script. `reference` is the request's id, if the page shows it, and `css` its
 * style sheet.
 */
export function renderPage(
  status: number,
  title: string,
  content: ReactNode,
  reference: string | null = null,
  css: string = styles,
): Response {
  const html = renderToStaticMarkup(
    <PageContext.Provider value={{ flash: null, script: null, css, reference }}>
      <Document head={<title>{`${title} · Hours Tracker`}</title>}>{content}</Document>
    </PageContext.Provider>,
  );
  return new Response(`<!DOCTYPE html>${html}`, {
    status,
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": pageCsp(css, null) },
  });
}
