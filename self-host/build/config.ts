import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RUNTIME_DAYS, runtimeOf } from "#app/server/version.ts";

/** A module of a Worker: code, or bytes. */
export interface Module {
  name: string;
  content: string | Buffer;
}

export interface Program {
  /** The first is the main module. */
  front: Module[];
  storage: Module[];
  /** The environment variables that the program can read: the settings, and near misses of their names, which it warns of. */
  environment: string[];
  compatibilityDate: string;
  compatibilityFlags: string[];
}

/** Warns if workerd of this version is too old on a day; null if not. */
export function oldRuntimeWarning(version: string, today: Date): string | null {
  const { days } = runtimeOf(version, today);
  if (days <= RUNTIME_DAYS) return null;
  return `The executable's workerd, ${version}, is ${days} days old. \`npm view workerd version\` prints the newest: put it into package.json (workerd-of-executable), and run \`npm install\` and \`npm test -- self-host\`.`;
}

/**
 * Writes workerd's configuration of the program into a folder, with its modules as files beside it; returns its path.
 * There are two Workers: `app`, which answers the socket, and `storage`, which only `app` can reach.
 */
export function writeConfig(folder: string, program: Program): string {
  const { front, storage, environment, compatibilityDate, compatibilityFlags } = program;
  const runtime = `compatibilityDate = ${text(compatibilityDate)},
      compatibilityFlags = [${compatibilityFlags.map(text).join(", ")}],`;
  const config = `using Workerd = import "/workerd/workerd.capnp";

const program :Workerd.Config = (
  # With this style the target of a request is passed on unparsed; otherwise the runtime logs targets that are not a
  # path.
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (style = proxy), service = "app")],
  services = [
    (name = "app", worker = (
      modules = [
${modules(folder, "app", front)}
      ],
      ${runtime}
      bindings = [
        (name = "DB", wrapped = (
          moduleName = "cloudflare-internal:d1-api",
          innerBindings = [(name = "fetcher", service = "storage")],
        )),
        (name = "DATABASE", durableObjectNamespace = (className = "Database", serviceName = "storage")),
        (name = "CLOCK", durableObjectNamespace = (className = "Clock", serviceName = "storage")),
        # For the file signing-key and the folder backups (self-host/signing-key.ts, self-host/backups/store.ts).
        (name = "FILES", service = "data"),
${environment.map((name) => `        (name = ${text(name)}, fromEnvironment = ${text(name)}),`).join("\n")}
      ],
    )),
    (name = "storage", worker = (
      modules = [
${modules(folder, "storage", storage)}
      ],
      ${runtime}
      durableObjectNamespaces = [
        (className = "Database", uniqueKey = "database", enableSql = true, preventEviction = true),
        (className = "Clock", uniqueKey = "clock", enableSql = true),
        (className = "Lock", uniqueKey = "lock", enableSql = true, preventEviction = true),
      ],
      durableObjectStorage = (localDisk = "data"),
      bindings = [
        (name = "DATABASE", durableObjectNamespace = "Database"),
        (name = "LOCK", durableObjectNamespace = "Lock"),
        (name = "TIMER", service = (name = "app", entrypoint = "Timer")),
      ],
    )),
    (name = "data", disk = (writable = true)),
    # The app only calls the mail service. Its URL is a setting and can be in a private network.
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
);
`;
  const path = join(folder, "config.capnp");
  writeFileSync(path, config);
  return path;
}

function modules(folder: string, worker: string, list: Module[]): string {
  return list
    .map(({ name, content }, index) => {
      const file = `${worker}/${index}`;
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), content);
      const kind = typeof content === "string" ? "esModule" : "data";
      return `        (name = ${text(name)}, ${kind} = embed ${text(file)}),`;
    })
    .join("\n");
}

/** A Cap'n Proto string. It has all of JSON's escapes. */
function text(value: string): string {
  return JSON.stringify(value);
}
