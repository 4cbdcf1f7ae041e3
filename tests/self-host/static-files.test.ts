import { readdirSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Miniflare } from "miniflare";
import { expect, onTestFinished, test } from "vitest";
import { dataFolder, start } from "./start.ts";

const { unstable_getMiniflareWorkerOptions: optionsFrom } = createRequire(import.meta.url)(
  "wrangler",
) as typeof import("wrangler");

interface Raw {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** Sends one request without decoding the response, on a connection of its own: the runtime closes idle ones. */
function raw(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Raw> {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, headers, method, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => {
        const all = new Headers(answer.headers as Record<string, string>); // no static file sets a cookie
        resolve({ status: answer.statusCode ?? 0, headers: all, body: Buffer.concat(chunks) });
      });
    })
      .on("error", reject)
      .end();
  });
}

const { port } = await start(dataFolder());

function pathsIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? pathsIn(path) : [path];
  });
}

const FOLDER = "build/client";
const paths = pathsIn(FOLDER)
  .map((path) => path.slice(FOLDER.length))
  .filter((path) => path !== "/_headers");

// Detects a guessed content type, a missing rule of `_headers`, and a truncated file.
test("every static file has the bytes of the build, and the headers that Cloudflare's asset server gives it", async () => {
  const { assets } = optionsFrom("wrangler.toml").workerOptions;
  const cloudflare = new Miniflare({
    modules: true,
    script: "export default { fetch: () => new Response(null, { status: 404 }) }",
    assets,
    cf: false,
  } as ConstructorParameters<typeof Miniflare>[0]); // the `assets` options are wrangler's, not in Miniflare's types
  onTestFinished(() => cloudflare.dispose());
  expect(paths.length).toBeGreaterThan(100);
  const compare = async (path: string) => {
    const there = await cloudflare.dispatchFetch(`http://localhost${path}`, {
      headers: { "Accept-Encoding": "identity" },
    });
    await there.arrayBuffer();
    const here = await raw(path);
    expect([path, here.status, here.body.equals(readFileSync(FOLDER + path))]).toEqual([path, 200, true]);
    for (const [name, value] of there.headers) {
      // Headers of the connection, and of Miniflare's own cache.
      if (/^([cm]f-.*|transfer-encoding|connection|date|keep-alive)$/.test(name)) continue;
      expect([path, name, here.headers.get(name)]).toEqual([path, name, value]);
    }
  };
  await Promise.all(paths.map(compare));
  expect((await raw("/_headers")).status).toBe(404);
});

test("text is compressed as the client accepts, a font is not, and a second visit gets 304", async () => {
  const script = paths.find((path) => path.includes("pdf-worker")) ?? "";
  const bytes = readFileSync(FOLDER + script);
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const [accepted, encoding] of [
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
  ] as const) {
    const { headers, body } = await raw(script, { "Accept-Encoding": accepted });
    expect([headers.get("Content-Encoding"), headers.get("Vary")]).toEqual([encoding, "Accept-Encoding"]);
    expect(headers.get("Cache-Control")).toBe("max-age=31536000, immutable");
    expect(unpack[encoding](body).equals(bytes)).toBe(true);
    expect(body.length).toBeLessThan(bytes.length * 0.4);
    const tag = headers.get("ETag") ?? "";
    expect(tag).toMatch(/^W\/"/);
    const again = await raw(script, { "Accept-Encoding": accepted, "If-None-Match": `"other", ${tag}` });
    expect([again.status, again.body.length, again.headers.get("ETag")]).toEqual([304, 0, tag]);
  }
  const font = await raw(paths.find((path) => path.endsWith(".woff")) ?? "", { "Accept-Encoding": "gzip, br" });
  expect([font.headers.get("Content-Encoding"), font.headers.get("Content-Type")]).toEqual([null, "font/woff"]);
  const head = await raw(script, {}, "HEAD");
  expect([head.status, head.body.length, head.headers.get("Content-Length")]).toEqual([200, 0, String(bytes.length)]);
});

test("pages and API responses are compressed too, and have a Vary header", async () => {
  const plain = await raw("/auth");
  expect([plain.headers.get("Content-Encoding"), plain.headers.get("Vary")]).toEqual([null, "Accept-Encoding"]);
  const br = await raw("/auth", { "Accept-Encoding": "gzip, br" });
  expect(br.headers.get("Content-Encoding")).toBe("br");
  expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
  const gzip = await raw("/auth", { "Accept-Encoding": "gzip" });
  expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
  expect(gzip.body.length).toBeLessThan(plain.body.length * 0.6);
  const call = await raw("/api/user", { "Accept-Encoding": "gzip" });
  expect([call.status, call.headers.get("Content-Encoding")]).toEqual([401, "gzip"]);
  expect((await raw("/auth", { "Accept-Encoding": "gzip" }, "HEAD")).body.length).toBe(0);
});
