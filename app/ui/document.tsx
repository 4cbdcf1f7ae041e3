import type { ReactNode } from "react";
import { ICON } from "./icons.tsx";
import { usePageFacts } from "./page-context.tsx";

/**
 * The HTML document of every page. Its style sheet and its script are inlined, so neither needs a second request. The
 * script is last, so that it does not delay the first paint.
 */
export function Document({ head, children }: { head: ReactNode; children: ReactNode }) {
  const { script, css } = usePageFacts();
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <link rel="icon" href={ICON} />
        {head}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet, allowed by its hash */}
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body>
        {children}
        {script?.devRuntime && <script type="module" src={script.devRuntime} />}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, allowed by its hash */}
        {script && <script type="module" dangerouslySetInnerHTML={{ __html: script.code }} />}
      </body>
    </html>
  );
}
