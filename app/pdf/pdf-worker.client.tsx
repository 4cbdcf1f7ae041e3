import "./dev-refresh.client.ts"; // before all others
import { pdf } from "@react-pdf/renderer";
import { FormDocument } from "./document.tsx";
import type { Form } from "./form.ts";
import { loadTypeface } from "./typeface.ts";

/** The messages of this worker: progress, then one `pdf` or `error`. */
export type Report = { page: number; pages: number } | { pdf: Blob } | { error: string };

/** The interval of progress messages. */
const REPORT_EVERY_MS = 400;

/** Makes one form into a PDF, in a Web Worker. */
self.onmessage = async ({ data }: MessageEvent<Form>) => {
  try {
    report({ pdf: await makePdf(data) });
  } catch (error) {
    report({ error: String(error) });
  }
};

async function makePdf(form: Form): Promise<Blob> {
  const typeface = await loadTypeface(form);
  let last = performance.now();
  const onPage = (page: number, pages: number) => {
    if (performance.now() - last < REPORT_EVERY_MS) return;
    last = performance.now();
    report({ page, pages });
  };
  return pdf(<FormDocument form={form} typeface={typeface} onPage={onPage} />).toBlob();
}

function report(message: Report): void {
  self.postMessage(message);
}
