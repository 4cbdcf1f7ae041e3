import { createContext, useContext } from "react";
import type { Flash } from "#app/server/flash.ts";
import type { InlineScript } from "#app/server/headers.server.ts";

/** What the server knows of a page beside its data. */
export interface PageFacts {
  flash: Flash | null;
  /** The page's starter, or null for a page without script. `devRuntime` is Vite's address, in development. */
  script: (InlineScript & { devRuntime: string | null }) | null;
  /** The page's style sheet. */
  css: string;
  /** Where the app failed: what a person can tell us, and we find in the log. */
  reference: string | null;
}

export const PageContext = createContext<PageFacts>({ flash: null, script: null, css: "", reference: null });

export function usePageFacts(): PageFacts {
  return useContext(PageContext);
}
