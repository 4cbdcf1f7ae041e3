import { Refusal } from "./refusal.ts";

/** The largest body that any route takes: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Reads a body whole.
 * @throws {Refusal} 413 as soon as it proves larger than `limit` bytes, whatever its length claims
 */
export async function readBody(request: Request, limit = MAX_BODY_BYTES): Promise<ArrayBuffer> {
  const tooLarge = new Refusal(413, `That is too large: at most ${limit / 1024 / 1024} MiB can be sent at once.`);
  if (Number(request.headers.get("Content-Length")) > limit) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > limit) {
      await reader.cancel();
      throw tooLarge;
    }
    chunks.push(value);
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body.buffer;
}
