import type { AppLoadContext } from "@remix-run/cloudflare";
import { othersTurn } from "./others-turn.ts";

const TYPES = { csv: "text/csv; charset=utf-8", json: "application/json" };

/**
 * The body that is made of `chunks`. They are read as fast as the client takes them, so that memory does not grow with the
 * rows, and between two of them other requests have their turn: a client that takes all at once would have everybody else
 * wait for all. The request's own turn ends with the last one. An error while reading ends the response as failed.
 */
export function streamOf({ turn }: Pick<AppLoadContext, "turn">, chunks: AsyncGenerator<string>): ReadableStream {
  const encoder = new TextEncoder();
  if (turn) turn.isStreamed = true;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        await othersTurn();
        if (!done) return controller.enqueue(encoder.encode(value));
        turn?.end();
        controller.close();
      } catch (error) {
        turn?.end();
        throw error;
      }
    },
    async cancel() {
      turn?.end();
      await chunks.return(undefined);
    },
  });
}

/** The response that a browser saves as `{name}.{type}`; `name` is made of letters, digits and `-`. `streamOf` says how it is read. */
export function download(
  context: Pick<AppLoadContext, "turn">,
  name: string,
  type: keyof typeof TYPES,
  chunks: AsyncGenerator<string>,
): Response {
  return new Response(streamOf(context, chunks), {
    headers: {
      "Content-Type": TYPES[type],
      "Content-Disposition": `attachment; filename="${name}.${type}"`,
      "Cache-Control": "no-store",
    },
  });
}
