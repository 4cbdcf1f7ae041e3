import ranges from "@fontsource/biz-udpgothic/unicode.json";
import { fontFiles } from "./font-file.ts";

/** BIZ UDPGothic: Japanese, made for documents that everybody must be able to read. */
export const files = fontFiles(
  ranges,
  import.meta.glob<string>(
    [
      "/node_modules/@fontsource/biz-udpgothic/files/*-400-normal.woff",
      // All of it in one file of 1.6 MB.
      "!**/*-japanese-*",
    ],
    { query: "?url", import: "default", eager: true },
  ),
);
