import { createContext, useContext } from "react";
import type { Flash } from "#app/server/flash.ts";
import type { InlineScript } from "#app/server/headers.server.ts";

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
