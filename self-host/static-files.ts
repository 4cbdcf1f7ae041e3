export interface StaticFile {
  /** From Cloudflare's asset server, when the executable was built. */
  headers: Record<string, string>;
  /** The modules with its bytes and with its compressed bytes. */
  module: string;
  encoded: Partial<Record<Encoding, string>>;
}

const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];

/** The best encoding that the client accepts (RFC 9110, 12.5.3), or null. */
function encodingFor(request: Request): Encoding | null {
  const accepted = (request.headers.get("Accept-Encoding") ?? "").toLowerCase().split(",");
  const takes = (encoding: string) =>
    accepted.some((one) => {
      const [name, ...parameters] = one.split(";").map((part) => part.trim());
      return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
  return ENCODINGS.find(takes) ?? null;
}

/** Answers a GET or HEAD of a static file, with its compressed bytes if the client accepts them. */
export async function serveFile(file: StaticFile, request: Request): Promise<Response> {
  const headers = new Headers(file.headers);
  const encoding = encodingFor(request);
  const module = encoding && file.encoded[encoding];
  if (Object.keys(file.encoded).length > 0) headers.append("Vary", "Accept-Encoding");
  if (module) {
    headers.set("Content-Encoding", encoding);
    headers.set("ETag", `W/${headers.get("ETag")}`); // a weak ETag, because the bytes differ
  }
  if (isKnown(request, headers.get("ETag"))) {
    headers.delete("Content-Encoding");
    headers.delete("Content-Type");
    return new Response(null, { status: 304, headers });
  }
  const { default: bytes }: { default: ArrayBuffer } = await import(/* @vite-ignore */ module ?? file.module);
  headers.set("Content-Length", String(bytes.byteLength));
  return new Response(request.method === "HEAD" ? null : bytes, { headers, encodeBody: "manual" });
}

/** Whether the client has this version: `If-None-Match` with weak comparison (RFC 9110, 13.1.2). */
function isKnown(request: Request, etag: string | null): boolean {
  const known = request.headers.get("If-None-Match")?.split(",") ?? [];
  const bare = (tag: string | null) => tag?.trim().replace(/^W\//, "");
  return known.some((tag) => tag.trim() === "*" || bare(tag) === bare(etag));
}

/** The content types that are compressed. */
export const TEXT = /^(text\/|application\/(json|javascript|manifest\+json)|image\/svg)/;

/** A response that the runtime compresses if it is text, as Cloudflare's edge does. */
export function compressed(response: Response, request: Request): Response {
  const isText = TEXT.test(response.headers.get("Content-Type") ?? "");
  if (!response.body || !isText || response.headers.has("Content-Encoding")) return response;
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  headers.append("Vary", "Accept-Encoding");
  const encoding = encodingFor(request);
  if (encoding) {
    headers.set("Content-Encoding", encoding);
    headers.delete("Content-Length");
  }
  return new Response(response.body, { status, statusText, headers });
}
