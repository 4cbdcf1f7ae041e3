import ranges from "@fontsource/noto-sans/unicode.json";
import { fontFiles } from "./font-file.ts";

/** The part that every form needs: its words and figures. */
export const LATIN = "noto-sans-latin";

/** Noto Sans: Latin, Vietnamese, Greek, Cyrillic. */
export const files = fontFiles(
  "noto-sans",
  ranges,
  import.meta.glob<string>(
    [
      "/node_modules/@fontsource/noto-sans/files/*-{400,700}-normal.woff",
      "/node_modules/@fontsource/noto-sans/files/noto-sans-latin-400-italic.woff",
      // Words in Devanagari are reordered when they are set: what a reader copies from the PDF is another word.
      "!**/*-devanagari-*",
    ],
    { query: "?url", import: "default", eager: true },
  ),
);
