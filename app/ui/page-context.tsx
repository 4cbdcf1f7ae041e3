import { createContext, useContext } from "react";
import type { Flash } from "#app/http/flash.ts";

/** What the server knows of a page beside its data. */
export interface PageFacts {
  flash: Flash | null;
  /** Where the page's script is, or null for a page without. `devRuntime` is Vite's, in development. */
  entry: { module: string; devRuntime: string | null } | null;
  /** The page's style sheet. */
  css: string;
}

export const PageContext = createContext<PageFacts>({ flash: null, entry: null, css: "" });

export function usePageFacts(): PageFacts {
  return useContext(PageContext);
}
