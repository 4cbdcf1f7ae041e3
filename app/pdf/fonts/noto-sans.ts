import ranges from "@fontsource/noto-sans/unicode.json";
import { fontFiles } from "./font-file.ts";

/** Noto Sans: Latin, Vietnamese, Greek, Cyrillic, Devanagari. */
export const files = fontFiles(
  ranges,
  import.meta.glob<string>("/node_modules/@fontsource/noto-sans/files/*-400-normal.woff", {
    query: "?url",
    import: "default",
    eager: true,
  }),
);
