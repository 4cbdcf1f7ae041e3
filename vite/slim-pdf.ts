import type { Plugin } from "vite";

/** Replaces a function that our form never calls. */
const NEVER = (what: string) => `export default () => { throw new Error("${what} is left out of this build"); };`;

/**
 * The PDF readers' own fonts: none of them is used. The library opens Helvetica before the app sets its own font, so
 * they are empty.
 */
const STANDARD_FONTS = [
  ...["Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique"],
  ...["Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"],
  ...["Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic", "Symbol", "ZapfDingbats"],
].map((name): [file: string, replacement: string] => [
  `pdfkit/js/standard-fonts/${name.replace("-", "")}.mjs`,
  `export default { name: "${name}", bbox: [0, 0, 0, 0], glyphNames: "", glyphWidths: [], kernPairs: [] };`,
]);

/** The files of @react-pdf/renderer that our form never uses, two fifths of its bytes, and their replacements. */
const LEFT_OUT: Record<string, string> = {
  "@react-pdf/reconciler/lib/reconciler-31.js": NEVER("React 19"),
  "@react-pdf/reconciler/lib/reconciler-33.js": NEVER("React 19.2"),
  "@react-pdf/hyphenate/lib/en-us.js": "export const syllables = (word) => [word];",
  "@react-pdf/image/lib/index.browser.js": NEVER("images"),
  "png-js/lib/png-js.browser.js": NEVER("PNG"),
  "brotli/decompress.js": NEVER("WOFF2"),
  "@noble/ciphers/esm/aes.js": "export const cbc = null, ecb = null;", // encryption
  "media-engine/dist/index.js": NEVER("media queries"),
  ...Object.fromEntries(STANDARD_FONTS),
};

/**
 * The call that compresses the PDF's streams, and the one at its best level: for 400 records in Japanese that is worth
 * 1 % of the file.
 */
const DEFLATE = { file: "pdfkit/js/pdfkit.browser.mjs", call: "zlibSync(data)", best: "zlibSync(data, { level: 9 })" };

/**
 * Removes unused code from the PDF worker; `worker.plugins` apply to nothing else. The build fails if a file has
 * another name, so that an update of the library cannot bring it back unnoticed.
 */
export function slimPdf(): Plugin {
  const met = new Set<string>();
  return {
    name: "hours-tracker:slim-pdf",
    enforce: "pre",
    load(id) {
      const file = Object.keys(LEFT_OUT).find((file) => id.endsWith(`/node_modules/${file}`));
      if (!file) return null;
      met.add(file);
      return LEFT_OUT[file];
    },
    transform(code, id) {
      if (!id.endsWith(`/node_modules/${DEFLATE.file}`) || !code.includes(DEFLATE.call)) return null;
      met.add(DEFLATE.file);
      return code.replace(DEFLATE.call, DEFLATE.best);
    },
    generateBundle() {
      const gone = [...Object.keys(LEFT_OUT), DEFLATE.file].filter((file) => !met.has(file));
      if (gone.length > 0) this.error(`slimPdf() no longer finds ${gone.join(", ")}`);
    },
  };
}
