import { renderToBuffer } from "@react-pdf/renderer";
import { loadFonts } from "#app/pdf/fonts/load-fonts.ts";
import { FormDocument } from "./document.tsx";
import type { Form } from "./form.ts";
import { typefaceFor } from "./typeface.ts";

/** Makes the PDF in Node, as the worker does, for tests. */
export async function nodePdf(form: Form): Promise<Uint8Array> {
  const typeface = await typefaceFor(form);
  await loadFonts(typeface, process.cwd());
  return new Uint8Array(await renderToBuffer(<FormDocument form={form} typeface={typeface} />));
}
