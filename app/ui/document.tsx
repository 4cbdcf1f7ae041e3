import type { ReactNode } from "react";
import { ICON } from "./icons.tsx";
import { usePageFacts } from "./page-context.tsx";

/** The shell of every page. Its style sheet is in it: the first paint waits for no second request. */
export function Document({ head, children }: { head: ReactNode; children: ReactNode }) {
  const { entry, css } = usePageFacts();
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={ICON} />
        {head}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet, allowed by its hash */}
        <style dangerouslySetInnerHTML={{ __html: css }} />
        {entry?.devRuntime && <script type="module" src={entry.devRuntime} />}
        {entry && <script type="module" src={entry.module} />}
      </head>
      <body>{children}</body>
    </html>
  );
}
