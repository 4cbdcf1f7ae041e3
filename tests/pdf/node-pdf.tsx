import { renderToBuffer } from "@react-pdf/renderer";
import { FormDocument } from "#app/pdf/document.tsx";
import type { Form } from "#app/pdf/form.ts";
import { loadTypeface } from "#app/pdf/typeface.ts";

/**
 * Makes the PDF in Node, as the worker does, for tests. Each PDF loads its own fonts, as each worker does: a font that
 * was used before no longer has the letter of a glyph that it only met as a part of another (η in ή), and a reader
 * cannot copy that letter.
 */
export async function nodePdf(form: Form): Promise<Uint8Array> {
  const typeface = await loadTypeface(form, process.cwd());
  return new Uint8Array(await renderToBuffer(<FormDocument form={form} typeface={typeface} />));
}
