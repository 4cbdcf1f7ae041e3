import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { type StaticFile, TEXT } from "#self-host/static-files.ts";

const require = createRequire(import.meta.url); // as in lib/local.ts
const { Miniflare } = require("miniflare") as typeof import("miniflare");

export interface DataModule {
  name: string;
  bytes: Buffer;
}

/** Headers of the connection, and those that each response sets for itself. */
const NOT_THE_FILES = ["connection", "date", "keep-alive", "transfer-encoding", "content-length"];

/**
 * The static files of the build: the headers of each, and modules with their bytes. The headers come from Cloudflare's
 * own asset server, which is asked for each file here, so `public/_headers` is read by one program only.
 */
export async function staticFiles(
  directory: string,
  assets: object,
): Promise<{ files: Record<string, StaticFile>; modules: DataModule[] }> {
  const miniflare = new Miniflare({
    modules: true,
    script: "export default { fetch: () => new Response(null, { status: 404 }) }",
    assets,
    cf: false,
    telemetry: { enabled: false },
  } as ConstructorParameters<typeof Miniflare>[0]); // the `assets` options are wrangler's, not in Miniflare's types
  const modules: DataModule[] = [];
  const add = (bytes: Buffer) => {
    const name = `binary:file/${modules.length}`;
    modules.push({ name, bytes });
    return name;
  };
  const read = async (path: string): Promise<[path: string, file: StaticFile][]> => {
    const answer = await miniflare.dispatchFetch(`http://localhost${path}`, {
      headers: { "Accept-Encoding": "identity" },
    });
    const served = Buffer.from(await answer.arrayBuffer());
    if (answer.status === 404) return []; // `_headers` is not served
    const bytes = readFileSync(join(directory, path));
    if (answer.status !== 200 || !served.equals(bytes)) throw new Error(`${path} was answered ${answer.status}`);
    const headers = [...answer.headers].filter(([name]) => !NOT_THE_FILES.includes(name) && !/^[cm]f-/.test(name));
    const file: StaticFile = { headers: Object.fromEntries(headers), module: add(bytes), encoded: {} };
    if (TEXT.test(answer.headers.get("Content-Type") ?? "")) {
      const br = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
      const gzip = gzipSync(bytes, { level: 9 });
      if (br.length < bytes.length) file.encoded.br = add(br);
      if (gzip.length < bytes.length) file.encoded.gzip = add(gzip);
    }
    return [[path, file]];
  };
  try {
    const files = await Promise.all(pathsIn(directory).map(read));
    return { files: Object.fromEntries(files.flat()), modules };
  } finally {
    await miniflare.dispose();
  }
}

function pathsIn(directory: string, path = ""): string[] {
  return readdirSync(join(directory, path))
    .sort()
    .flatMap((name) => {
      const inner = `${path}/${name}`;
      return statSync(join(directory, inner)).isDirectory() ? pathsIn(directory, inner) : [inner];
    });
}
