import { join, resolve } from "node:path";
import { Miniflare } from "miniflare";
import { inject } from "vitest";
import { Client } from "./client.ts";
import { dataFolderOf } from "./data-folder.ts";
import { copyTemplate, databaseOf } from "./database.ts";
import { beside, moduleOf } from "./harness.ts";
import { REACHED, transportTo } from "./miniflare.ts";
import { PASSWORD_HASH } from "./people.ts";

/** The built Worker over a primary and a replica (replicated-entry.js). */
export interface ReplicatedApp {
  /** A browser without cookies. */
  visitor(): Client;
  /** Brings the replica up to now. It stays there until the next call, or until a bookmark requires more. */
  catchUp(): Promise<void>;
  /** Creates an account on both. The password is `PASSWORD`. */
  account(email: string, isAdmin?: boolean): Promise<void>;
}

export async function startReplicated(origin = "http://localhost"): Promise<ReplicatedApp> {
  const { compatibilityDate, compatibilityFlags } = inject("runtime");
  const server = resolve("build/server");
  const data: string = dataFolderOf(() => miniflare.dispose());
  const names = { PRIMARY: "primary", REPLICA: "replica" };
  for (const name of Object.values(names)) copyTemplate(data, name);
  const miniflare = new Miniflare({
    name: "hours-tracker",
    compatibilityDate,
    compatibilityFlags,
    modulesRoot: server,
    modules: [
      ...beside(server, ["replicated-entry.js", "sql.js"].map(moduleOf)),
      { type: "ESModule", path: join(server, "index.js") },
    ],
    bindings: {
      SESSION_SECRET: "a secret for tests, of 32 bytes and more",
      ...(origin.startsWith("https:") && { PUBLIC_ORIGIN: origin }),
    },
    d1Databases: names,
    d1Persist: data,
    telemetry: { enabled: false },
    ...REACHED,
    handleRuntimeStdio: (...streams: NodeJS.ReadableStream[]) => {
      for (const stream of streams) stream.resume();
    },
  });
  const dispatchFetch = await transportTo(miniflare);
  const both = databaseOf({ dispatchFetch });
  return {
    visitor: () => new Client({ dispatchFetch }, origin),
    catchUp: async () => {
      await dispatchFetch("http://harness.test/catch-up");
    },
    account: async (email, isAdmin = false) => {
      const insert = "INSERT INTO users (email, password, is_admin, search, created_at) VALUES (?, ?, ?, '', 0)";
      await both
        .prepare(insert)
        .bind(email, PASSWORD_HASH, isAdmin ? 1 : 0)
        .run();
    },
  };
}
