const TYPES = { csv: "text/csv; charset=utf-8", json: "application/json" };

/**
 * The response that a browser saves as `{name}.{type}`; `name` is made of letters, digits and `-`. `chunks` is read as fast
 * as the client takes it, so that memory does not grow with the rows; an error while reading ends the download as failed.
 */
export function download(name: string, type: keyof typeof TYPES, chunks: AsyncGenerator<string>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": TYPES[type],
      "Content-Disposition": `attachment; filename="${name}.${type}"`,
      "Cache-Control": "no-store",
    },
  });
}
