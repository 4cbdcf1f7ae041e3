import app from "binary:app";
import files from "binary:files";
import { WorkerEntrypoint } from "cloudflare:workers";
import { z } from "zod";
import { type Env, isApiPath } from "#app/http/context.server.ts";
import { withStandardHeaders } from "#app/http/headers.server.ts";
import type { MailEnv } from "#app/mail/settings.server.ts";
import { Failure } from "#app/ui/failure.tsx";
import { renderPage } from "#app/ui/render-page.server.tsx";
import { answerBackup } from "./backup-door.ts";
import { peerAddress } from "./client-address.ts";
import { problemOf } from "./readiness.ts";
import { announceSetUp, answerSetUp } from "./set-up-door.tsx";
import { appSettings, type Environment, timeZoneOf } from "./settings.ts";
import { compressed, serveFile } from "./static-files.ts";
import type { Clock, Database } from "./storage.ts";
import { enter } from "./turnstile.ts";

// Zod would otherwise compile schemas with `eval`, which no Worker allows.
z.config({ jitless: true });

// The app's log is one stream, on standard output; what the runtime itself has to say is on standard error.
console.error = console.log;

/** The bindings of the single file. */
export interface FrontEnv extends Environment {
  DB: D1Database;
  DATABASE: DurableObjectNamespace<Database>;
  CLOCK: DurableObjectNamespace<Clock>;
}

/**
 * The front door of the single file: what Cloudflare does around the Worker. It says which address a client has, serves
 * the static files, compresses, and lets nothing through before the database is ready. Everything else is the app's.
 */
export default {
  async fetch(request, env, execution) {
    const { pathname } = new URL(request.url);
    const database = env.DATABASE.getByName("hours-tracker");
    const appEnv = appEnvOf(env);
    const problem = await problemOf(env, database);
    if (!problem) execution.waitUntil(begin(env, appEnv, request));
    if (pathname === "/healthz") return health(problem, appEnv);
    if (problem) return compressed(notReady(request, appEnv), request);

    const file = files[pathname];
    if (file && (request.method === "GET" || request.method === "HEAD")) return serveFile(file, request);
    const received = asReceived(request, env);
    const leave = await enter(received);
    try {
      const answer =
        (await answerBackup(received, env.BACKUP_TOKEN, database)) ??
        (await answerSetUp(received, appEnv)) ??
        (await app.fetch(received, appEnv, execution));
      return compressed(answer, request);
    } finally {
      leave();
    }
  },
} satisfies ExportedHandler<FrontEnv>;

/** What the clock calls. */
export class Timer extends WorkerEntrypoint<FrontEnv> {
  async tick(at: number): Promise<void> {
    if (await problemOf(this.env, this.env.DATABASE.getByName("hours-tracker"))) return;
    const appEnv = appEnvOf(this.env);
    await announceSetUp(appEnv, null);
    await app.scheduled({ scheduledTime: at, cron: "* * * * *", noRetry() {} }, appEnv, this.ctx);
  }
}

function appEnvOf(env: FrontEnv): Env & MailEnv {
  return { ...appSettings(env), DB: env.DB };
}

let hasBegun = false;

/** What the first request sets going. */
async function begin(env: FrontEnv, appEnv: Env, request: Request): Promise<void> {
  if (hasBegun) return;
  hasBegun = true;
  await Promise.all([env.CLOCK.getByName("clock").start(), announceSetUp(appEnv, request)]);
}

/**
 * The request as Cloudflare's edge would hand it on: with the address of who is at the other end, and nothing that a
 * client says of that itself.
 */
function asReceived(request: Request, env: FrontEnv): Request<unknown, IncomingRequestCfProperties> {
  const headers = new Headers(request.headers);
  for (const [name] of request.headers) if (name.startsWith("cf-")) headers.delete(name);
  headers.set("CF-Connecting-IP", peerAddress(request.cf));
  const received = new Request(request, { headers, cf: { timezone: timeZoneOf(env) } });
  return received as Request<unknown, IncomingRequestCfProperties>; // of those, the app reads the time zone
}

/** For what watches over the program: 200 while the app answers and its database does. */
async function health(problem: string | null, { DB }: Env): Promise<Response> {
  const isWell =
    !problem &&
    (await DB.prepare("SELECT 1")
      .first()
      .then(Boolean, () => false));
  return Response.json(
    { status: isWell ? "ok" : "not ready" },
    { status: isWell ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}

/** What is wrong stands in the log: it is nothing for whoever comes by. */
function notReady(request: Request, env: Env): Response {
  const title = "Hours Tracker is not ready";
  const text = "Nothing is lost. Who runs this server finds in its log what to do. Please try again later.";
  const answer = isApiPath(new URL(request.url).pathname)
    ? Response.json({ message: `${title}. ${text}` }, { status: 503 })
    : renderPage(503, title, <Failure title={title} text={text} />);
  answer.headers.set("Retry-After", "60");
  answer.headers.set("Cache-Control", "no-store");
  const door = { id: "binary/not-ready", handle: {}, methods: [], isUnknown: false };
  const { PUBLIC_ORIGIN } = env;
  return withStandardHeaders(
    answer,
    request,
    door,
    PUBLIC_ORIGIN && URL.canParse(PUBLIC_ORIGIN) ? env : { DB: env.DB },
  );
}
