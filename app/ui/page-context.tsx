import { createContext, useContext } from "react";
import type { Flash } from "#app/http/flash.ts";

/** What the server knows of a page beside its data. */
export interface PageFacts {
  flash: Flash | null;
  /** Where the page's script is, or null for a page without. `devRuntime` is Vite's, in development. */
  entry: { module: string; devRuntime: string | null } | null;
  /** The page's style sheet. */
  css: string;
  /** Where the app failed: what a person can tell us, and we find in the log. */
  reference: string | null;
}

export const PageContext = createContext<PageFacts>({ flash: null, entry: null, css: "", reference: null });

export function usePageFacts(): PageFacts {
  return useContext(PageContext);
}
