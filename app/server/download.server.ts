import { othersTurn } from "./others-turn.ts";

const TYPES = { csv: "text/csv; charset=utf-8", json: "application/json" };

/**
 * The response that a browser saves as `{name}.{type}`; `name` is made of letters, digits and `-`. `chunks` is read as fast
 * as the client takes it, so that memory does not grow with the rows, and between two of them other requests have their
 * turn: a client that takes all at once would have everybody else wait for all. An error while reading ends the download as
 * failed.
 */
export function download(name: string, type: keyof typeof TYPES, chunks: AsyncGenerator<string>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      await othersTurn();
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
