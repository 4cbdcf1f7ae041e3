import { createContext, type ReactNode, useContext } from "react";
import type { Flash } from "#app/server/flash.ts";
import type { InlineScript } from "#app/server/headers.server.ts";
import { ICON } from "./icons.tsx";

/** What a page gets from the server beside its loader's data. */
export interface PageFacts {
  flash: Flash | null;
  /** The page's inline script, or null for a page without script. `devRuntime` is Vite's address, in development. */
  script: (InlineScript & { devRuntime: string | null }) | null;
  css: string;
  /** After an error, the request's id, which users can report and the log contains. */
  reference: string | null;
}

export const PageContext = createContext<PageFacts>({ flash: null, script: null, css: "", reference: null });

export function usePageFacts(): PageFacts {
  return useContext(PageContext);
}

/** Stands in a page for the part that is streamed (`AppLoadContext.streamed`). React writes no such comment from text. */
export const STREAMED = "<!--streamed-->";

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
