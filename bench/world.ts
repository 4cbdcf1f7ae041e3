import "./own-data.ts"; // before all others
import { cookiesFor } from "#app/server/context.server.ts";
import build from "#scripts/build.ts";
import { databaseAlone, databaseOf, migrate, miniflareModule, serveWorker } from "#scripts/lib/local.ts";
import { forwardTo, listen } from "#scripts/lib/node-server.ts";
import { beforeEnd } from "#scripts/lib/process.ts";
import { sessionSecret } from "#scripts/lib/settings.ts";
import { seed, sessionOf, type Technician } from "./seed.ts";

/** A response of the server. */
export interface Hit {
  method: string;
  path: string;
  /** On the wire, with headers. */
  bytes: number;
}

/** An app served as by `npm start`, with seeded data of its own. */
export interface World {
  address: string;
  /** The requests since the last call, as the server saw them. */
  hits(): Hit[];
  /** The session cookie of a seeded user. */
  cookieOf(who: Technician | "admin"): Promise<{ name: string; value: string; url: string }>;
  close(): Promise<void>;
}

/** The path of a hand-written page on the same server and runtime, for comparison. */
export const BARE = "/bare";
const BARE_PAGE = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Bare</title></head><body><h1>Bare</h1><p>A page by hand, without style sheet or script.</p><form method="post"><label>Name <input name="name"></label> <button>Send</button></form></body></html>`;

let isSeeded = false;

/** Fills the data folder once. */
async function seedOnce(): Promise<void> {
  if (isSeeded) return;
  isSeeded = true;
  await migrate();
  const miniflare = databaseAlone();
  const database = databaseOf(miniflare);
  await database.batch(seed(Date.now()).map(({ sql, values }) => database.prepare(sql).bind(...values)));
  await miniflare.dispose();
}

/** Starts a world with the product's own build, which is made first if it is missing. */
export async function startWorld(): Promise<World> {
  await build();
  await seedOnce();
  const hits: Hit[] = [];
  let serve = forwardTo(new URL("http://127.0.0.1"));
  let serveBare = serve;
  const { server, address } = await listen((incoming, outgoing) => {
    const { socket } = incoming;
    const before = socket.bytesWritten;
    const { method = "", url: path = "" } = incoming;
    outgoing.on("finish", () => setImmediate(() => hits.push({ method, path, bytes: socket.bytesWritten - before })));
    (path.startsWith(BARE) ? serveBare : serve)(incoming, outgoing);
  }, 0);
  const app = serveWorker({ SESSION_SECRET: sessionSecret(), LOCAL_ORIGIN: address }, { quiet: true });
  const bare = new (miniflareModule().Miniflare)({
    modules: true,
    script: `export default { fetch: () => new Response(${JSON.stringify(BARE_PAGE)}, { headers: { "Content-Type": "text/html; charset=utf-8" } }) }`,
    host: "127.0.0.1",
    port: 0,
    cf: false,
    telemetry: { enabled: false },
  });
  serve = forwardTo(await app.ready);
  serveBare = forwardTo(await bare.ready);
  const { session } = cookiesFor(address, sessionSecret());
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await Promise.all([app.dispose(), bare.dispose()]);
  };
  beforeEnd(close);
  return {
    address,
    hits: () => hits.splice(0),
    async cookieOf(who) {
      const [name = "", value = ""] = (await session.serialize(sessionOf(who))).split(";")[0]?.split(/=(.*)/) ?? [];
      return { name, value, url: address };
    },
    close,
  };
}
