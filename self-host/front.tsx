import files from "binary:files";
import runtime from "binary:runtime";
import { env as environment, WorkerEntrypoint } from "cloudflare:workers";
import { z } from "zod";
import { openConnection } from "#app/db/session.server.ts";
import { messageOf, refusalJson } from "#app/errors.ts";
import type { Env, SelfHost } from "#app/server/env.ts";
import { withStandardHeaders } from "#app/server/headers.server.ts";
import { Health, healthResponse, ROOM_BYTES, writeCheck } from "#app/server/health.ts";
import { logEvent } from "#app/server/logger.server.ts";
import { parseAddress } from "#app/server/network.ts";
import { isApiPath, isHostAccepted, requestUrl } from "#app/server/request-line.ts";
import { VERSION } from "#app/server/version.ts";
import { Failure } from "#app/ui/page.tsx";
import { renderPage } from "#app/ui/render-page.server.tsx";
import { Folder } from "#self-host/backups/store.ts";
import { type AroundEnv, announce, answer, sweep } from "./around-app.ts";
import { answerBackup, lastBackupDownload } from "./backup-endpoint.ts";
import { type Job, Nightly } from "./backups/nightly.ts";
import { restoreAtStart, settleMail } from "./backups/restore.ts";
import { S3 } from "./backups/s3.ts";
import { backupSettingsOf } from "./backups/settings.ts";
import { holdsWrites } from "./backups/take.ts";
import { edgeHeaders, hasBody } from "./edge-headers.ts";
import { checkSettings, problemOf } from "./readiness.ts";
import { appSettings, type Environment, isDatabaseFile, timeZoneOf } from "./settings.ts";
import { signingKeyOf } from "./signing-key.ts";
import { compressed, serveFile } from "./static-files.ts";
import type { AppTimer, Clock, Database, Preparation } from "./storage.ts";

// Otherwise zod compiles schemas with `eval`, which Workers do not allow.
z.config({ jitless: true });

// The app's log goes to standard output; the runtime's messages go to standard error.
console.error = console.log;

// Before the program listens. The runtime ends with 1 if this throws.
checkSettings(environment as object as FrontEnv); // the bindings of self-host/build/config.ts

const health = new Health();
const nightly = new Nightly();

interface FrontEnv extends Environment {
  DB: D1Database;
  DATABASE: DurableObjectNamespace<Database>;
  CLOCK: DurableObjectNamespace<Clock>;
  /** The data folder. */
  FILES: Fetcher;
}

/** One object: the runtime stores all data of this app in it. */
const databaseOf = ({ DATABASE }: FrontEnv) => DATABASE.getByName("hours-tracker");

/**
 * The entry of the executable. It does what Cloudflare does around the Worker: it finds the client's address, serves
 * static files, compresses, and answers 503 until the database is ready. The app answers all other requests.
 */
export default {
  async fetch(incoming, env, execution) {
    const request = asReceived(incoming, env);
    if (!request) return new Response("Bad Request", { status: 400, headers: { Connection: "close" } });
    const { pathname } = new URL(request.url);
    const database = databaseOf(env);
    const problem = await problemOf(() => prepare(env, execution));
    const appEnv = problem ? settingsOf(env) : await appEnvOf(env);
    if (!problem) execution.waitUntil(begin(env, appEnv, request));
    if (pathname === "/healthz") return healthResponse(request, problem ?? (await health.problem(healthCheck(env))));
    if (problem) return compressed(notReady(request, appEnv), request);

    const file = files[pathname];
    if (file && (request.method === "GET" || request.method === "HEAD")) return serveFile(file, request);
    const backup = {
      token: env.BACKUP_TOKEN,
      database,
      nightly,
      job: () => jobOf(env),
      withoutMail: <T,>(work: () => Promise<T>) => withoutMail(env, execution, work),
    };
    const response =
      (isHostAccepted(request, appEnv.PUBLIC_ORIGIN) ? await answerBackup(request, appEnv, backup) : null) ??
      (await answer(request, appEnv, execution));
    return compressed(response, request);
  },
} satisfies ExportedHandler<FrontEnv>;

/** What the storage lets the app do: the work of each minute, and a backup before a new version. */
export class Timer extends WorkerEntrypoint<FrontEnv> implements AppTimer {
  async tick(at: number): Promise<void> {
    if (await problemOf(() => prepare(this.env, this.ctx))) return;
    // Not awaited: a slow store must not delay emails.
    this.ctx.waitUntil(nightly.tick(jobOf(this.env), new Date()));
    await sweepAt(at, this.env, this.ctx);
  }

  async backUp(): Promise<string | null> {
    try {
      await nightly.takeBefore(VERSION, jobOf(this.env), new Date());
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }
}

async function sweepAt(at: number, env: FrontEnv, execution: ExecutionContext): Promise<void> {
  await sweep({ scheduledTime: at, cron: "* * * * *", noRetry() {} }, await appEnvOf(env), execution);
}

/** The folders of the database of `npm start`, and of ours. scripts/lib/settings.ts refuses the other way round. */
const [OF_NPM_START, OWN] = ["http://data/v3/", "http://data/database/"];

/** What may be in a data folder before its first start: what the runtime makes, what a restore needs, and what a file system has. */
const MAY_BE_THERE = ["clock", "database", "lock", "backups", "signing-key", "lost+found"];

/** What a data folder without a database of ours has of another program, in words; null if it is ours, or has nothing. */
async function foundOfOthers({ FILES }: FrontEnv): Promise<string | null> {
  const namesIn = async (folder: string) => {
    const answer = await FILES.fetch(folder);
    const entries = answer.ok ? await answer.json<{ name: string }[]>() : [];
    return entries.map(({ name }) => name);
  };
  if ((await namesIn(OWN)).some(isDatabaseFile)) return null;
  if ((await namesIn(OF_NPM_START)).length > 0) return "is that of npm start, which the executable cannot use";
  const other = (await namesIn("http://data/")).find((name) => !MAY_BE_THERE.includes(name));
  return other === undefined ? null : `has files of others, such as ${other}, and no data of this program`;
}

const WRONG_FOLDER = {
  migrated: [],
  reason: "The data folder is that of another program.",
  advice:
    "Start it with a folder of its own, such as -ddata=./hours-data. Nothing of this one was changed. Its folders clock, database and lock can be deleted where they are new: the runtime has made them.",
};

async function prepare(env: FrontEnv, execution: ExecutionContext): Promise<Preparation> {
  const found = await foundOfOthers(env);
  if (found) return { ...WRONG_FOLDER, problem: `the data folder ${found}` };
  const database = databaseOf(env);
  const preparation = await database.prepare();
  if (preparation.problem) return preparation;
  const restored = await withoutMail(env, execution, () =>
    restoreAtStart({ database, job: jobOf(env) }, env.RESTORE_FROM),
  );
  return { ...preparation, ...restored };
}

/** While emails are held after a restore, its code. At first, until it is known, they are held. */
let mailHold: string | null = "unknown";

/** Does work that may restore the database, while no email is sent. */
async function withoutMail<T>(env: FrontEnv, execution: ExecutionContext, work: () => Promise<T>): Promise<T> {
  mailHold ??= "unknown";
  const result = await work();
  mailHold = await settleMail({
    database: databaseOf(env),
    db: openConnection(env.DB, "first-primary").db,
    choice: env.MAIL_AFTER_RESTORE,
    queueDue: () => sweepAt(Date.now(), env, execution).catch(() => {}), // the app logs the error
  });
  if (mailHold && env.MAIL_AFTER_RESTORE) {
    logEvent("warn", "mail held", { problem: "The code in MAIL_AFTER_RESTORE is not the one of this restore." });
  }
  return result;
}

function jobOf(env: FrontEnv): Job {
  const { at, key, s3 } = backupSettingsOf(env);
  return {
    at,
    key,
    zone: timeZoneOf(env),
    folder: new Folder(env.FILES),
    s3: s3 && new S3(s3),
    snapshot: () => databaseOf(env).snapshot(),
  };
}

/** While a backup is written, writes wait although nothing is wrong: then a read is enough. */
function healthCheck({ DB, FILES }: FrontEnv): () => Promise<boolean> {
  const read = () =>
    DB.prepare("SELECT 1")
      .run()
      .then(
        () => true,
        () => false,
      );
  const answers = holdsWrites() ? read : writeCheck(DB);
  return async () => (await answers()) && hasRoom(FILES);
}

/** Beside the database's files, which are what grows. */
const ROOM = "http://data/database/healthz-room";

/** Whether a file of `ROOM_BYTES` can be written. It is removed before the system writes it to the disk, so it wears no disk. */
async function hasRoom(files: Fetcher): Promise<boolean> {
  try {
    await files.fetch(ROOM, { method: "PUT", body: new Uint8Array(ROOM_BYTES) });
    // The runtime answers 204 to a file for which there was no room.
    const { headers } = await files.fetch(ROOM, { method: "HEAD" });
    return headers.get("Content-Length") === String(ROOM_BYTES);
  } catch {
    return false;
  } finally {
    await files.fetch(ROOM, { method: "DELETE" }).catch(() => {});
  }
}

/** What the app gets once the database is ready. */
async function appEnvOf(env: FrontEnv): Promise<AroundEnv> {
  return { ...settingsOf(env), SIGNING_KEY: await signingKeyOf(env) };
}

function settingsOf(env: FrontEnv): AroundEnv {
  const { METRICS_TOKEN } = env;
  return {
    ...appSettings(env),
    ...(mailHold && { MAIL_HELD: "1", restoreCode: mailHold }),
    DB: env.DB,
    isHealthy: () => health.isHealthy(healthCheck(env)),
    selfHost: selfHostOf(env),
    backups: { last: () => lastBackups(env), failedAttempts: () => nightly.failedAttempts() },
    ...(METRICS_TOKEN && { METRICS_TOKEN }),
  };
}

function selfHostOf(env: FrontEnv): SelfHost {
  const { at, key, s3 } = backupSettingsOf(env);
  const failures = Math.max(0, ...Object.values(nightly.failedAttempts()));
  return {
    backups: () => nightly.recentBackups(new Folder(env.FILES)),
    plan: { at, isCopied: s3 !== null, isEncrypted: key !== null, failures },
    runtime,
  };
}

async function lastBackups({ FILES }: FrontEnv) {
  return { download: lastBackupDownload(), ...(await nightly.lastBackups(new Folder(FILES))) };
}

/** How long a begin holds, in milliseconds. */
const BEGIN_MS = 60_000;
let begun: number | null = null;

/**
 * On the first request, logs the set-up link and lets the timer run at once, for `RESET_ADMIN` and emails that wait. Then checks
 * once a minute, and when the system's clock was set, that the timer still runs.
 */
async function begin(env: FrontEnv, appEnv: AroundEnv, request: Request): Promise<void> {
  if (begun !== null && Math.abs(Date.now() - begun) < BEGIN_MS) return;
  const isFirst = begun === null;
  begun = Date.now();
  await Promise.all([env.CLOCK.getByName("clock").start(isFirst), announce(appEnv, request)]);
}

/**
 * The request as Cloudflare's edge would pass it on: with an absolute URL and the client's address. Null for one that
 * the edge would refuse: its target is not a path, or it states its length twice, so that a proxy may have read another
 * request.
 */
function asReceived(incoming: Request, env: FrontEnv): Request<unknown, IncomingRequestCfProperties> | null {
  const { method, headers, body, signal } = incoming;
  const url = requestUrl(incoming.url, headers.get("Host"));
  if (!url || (headers.has("Content-Length") && headers.has("Transfer-Encoding"))) return null;
  const { clientIp } = (incoming.cf ?? {}) as { clientIp?: string }; // set by workerd if no edge fills `cf`
  const passedOn = edgeHeaders(headers, parseAddress(clientIp));
  const cf = { timezone: timeZoneOf(env) };
  const received = new Request(url, { method, headers: passedOn, body: hasBody(method) ? body : null, signal, cf });
  return received as Request<unknown, IncomingRequestCfProperties>; // of these properties the app reads the time zone
}

/** The answer while the app cannot run. The reason is only in the log. */
function notReady(request: Request, env: Env): Response {
  const title = "Hours Tracker is not ready";
  const text = "Nothing is lost. The operator of this server finds the reason in its log. Please try again later.";
  const isApi = isApiPath(new URL(request.url).pathname);
  const answer = isApi
    ? refusalJson({ message: `${title}. ${text}`, code: "unavailable" })
    : renderPage(503, title, <Failure title={title} text={text} />);
  answer.headers.set("Retry-After", "60");
  answer.headers.set("Cache-Control", "no-store");
  const route = {
    id: "self-host/not-ready",
    pattern: "/*",
    handle: {},
    params: {},
    methods: [],
    isUnknown: false,
    isApi,
    kind: null,
  };
  return withStandardHeaders(answer, request, route, env);
}
