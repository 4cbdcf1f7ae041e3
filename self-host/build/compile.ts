import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { readByExecutable } from "#self-host/settings.ts";
import { type StaticFile, TEXT } from "#self-host/static-files.ts";
import { type Module, type Program, writeConfig } from "./config.ts";
import { bundle, dataAsModule, migrationsModule } from "./modules.ts";

const require = createRequire(import.meta.url); // as in lib/local.ts
const { Miniflare } = require("miniflare") as typeof import("miniflare");

const runtime = (require("workerd-of-executable/package.json") as { version: string }).version;

/** The path of workerd. The executable has a newer one than Miniflare depends on, because people reach it without Cloudflare. */
export const workerd: string = (require("workerd-of-executable") as { default: string }).default;

interface Parts {
  /** The built Worker; tests pass another. */
  app?: Module[];
  migrations?: Module;
  /** Whether static files are included. */
  hasFiles?: boolean;
}

/** The parts of the executable, from the current build. */
export async function assemble({
  app = [builtWorker()],
  migrations = migrationsModule(),
  hasFiles = true,
}: Parts = {}): Promise<Program> {
  const { unstable_getMiniflareWorkerOptions: optionsFrom } = require("wrangler") as typeof import("wrangler");
  const { compatibilityDate, compatibilityFlags, assets } = optionsFrom("wrangler.toml").workerOptions;
  if (!compatibilityDate || !compatibilityFlags || !assets) throw new Error("wrangler.toml lacks a runtime setting");
  const { files, modules } = hasFiles ? await staticFiles("build/client", assets) : { files: {}, modules: [] };
  return {
    front: [
      { name: "front", content: await bundle("self-host/front.tsx") },
      ...app,
      dataAsModule("binary:files", files),
      dataAsModule("binary:runtime", runtime),
      ...modules.map(({ name, bytes }) => ({ name, content: bytes })),
    ],
    storage: [{ name: "storage", content: await bundle("self-host/storage.ts") }, migrations],
    environment: readByExecutable(),
    compatibilityDate,
    compatibilityFlags,
  };
}

export function builtWorker(): Module {
  return { name: "binary:app", content: readFileSync("build/server/index.js", "utf8") };
}

/**
 * Lets workerd append a program to a copy of itself.
 * @throws {Error} with workerd's message
 */
export function compile(program: Program, target: string): void {
  const folder = mkdtempSync(join(tmpdir(), "hours-tracker-binary-"));
  const unfinished = `${target}.new`;
  const output = openSync(unfinished, "w");
  try {
    const config = writeConfig(folder, program);
    const { status, stderr } = spawnSync(workerd, ["compile", config, "program"], {
      stdio: ["ignore", output, "pipe"],
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`workerd could not compile the program:\n${stderr}`);
    chmodSync(unfinished, 0o755);
    renameSync(unfinished, target); // a running executable keeps the old file
  } finally {
    closeSync(output);
    rmSync(unfinished, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

interface DataModule {
  name: string;
  bytes: Buffer;
}

/** Headers of the connection, and those that each response sets for itself. */
const NOT_THE_FILES = ["connection", "date", "keep-alive", "transfer-encoding", "content-length"];

/**
 * The static files of the build: the headers of each, and modules with their bytes. The headers come from Cloudflare's
 * own asset server, which is asked for each file here, so `public/_headers` is read by one program only.
 */
async function staticFiles(
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
