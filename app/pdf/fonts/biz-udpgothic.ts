import ranges from "@fontsource/biz-udpgothic/unicode.json";
import { fontFiles } from "#app/pdf/fonts/embedded-font.ts";

/** BIZ UDPGothic: Japanese, designed for legibility. */
export const files = fontFiles(
  "biz-udpgothic",
  ranges,
  import.meta.glob<string>(
    [
      "/node_modules/@fontsource/biz-udpgothic/files/*-{400,700}-normal.woff",
      // Not the files of 1.6 MB that have all characters.
      "!**/*-japanese-*",
    ],
    { query: "?url", import: "default", eager: true },
  ),
);
