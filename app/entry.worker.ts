import * as build from "virtual:remix/server-build";
import {
  type AppLoadContext,
  createRequestHandler,
  type RequestHandler,
  type ServerBuild,
} from "@remix-run/cloudflare";
import { accountEmails } from "#app/accounts/emails.server.ts";
import { logAdminReset } from "#app/accounts/reset.server.ts";
import { databaseEmails, warnOfFullDatabase } from "#app/admin/database-warning.server.ts";
import { continueLogCheck } from "#app/admin/log-check.server.ts";
import { renewalEmails, sweepRenewals } from "#app/certification/renewal.server.tsx";
import { openConnection } from "#app/db/session.server.ts";
import { noteChanges } from "#app/mail/changes.server.ts";
import { type Delivery, deliverOutbox, type MailConfig, sweepOutbox } from "#app/mail/deliver.server.ts";
import { newRequestMail } from "#app/mail/outbox.server.ts";
import { type MailEnv, mailSettings } from "#app/mail/settings.server.ts";
import { publishCheckpoint } from "#app/proof/publish-checkpoint.server.ts";
import { errorJson } from "#app/server/api.server.ts";
import { readClient } from "#app/server/client-address.server.ts";
import { getLogOrigin, getSigningKey, loadContext } from "#app/server/context.server.ts";
import type { Env } from "#app/server/env.ts";
import { withStandardHeaders } from "#app/server/headers.server.ts";
import {
  getRequestId,
  logError,
  logEvent,
  logRequest,
  securityEvent,
  type Visit,
  withRequestId,
} from "#app/server/logger.server.ts";
import { GO_BACK } from "#app/server/page.server.ts";
import { checkRequest, createRouteMatcher, type MatchedRoute } from "#app/server/request-checks.server.ts";
import { checkRateLimit, RATE_LIMIT_SECONDS, takeTurn } from "#app/server/request-limit.server.ts";
import { isSafe } from "#app/server/request-line.ts";
import { setEarlierSecrets } from "#app/server/secrets.server.ts";
import { settingsProblem } from "#app/server/settings.ts";
import { VERSION } from "#app/server/version.ts";
import { supervisorEmails } from "#app/supervisor-mail/emails.server.ts";
import { countBytes, runSweeps, sweepRequests } from "#app/sweeps/run-sweeps.server.ts";
import { renderFailure } from "./entry.server.tsx";
import { AppError } from "./errors.ts";

const matchRoute = createRouteMatcher(build);
const handlerOf = handlersOf(build, import.meta.env.MODE);

/** Whether the log names the version: once for each start of the runtime's process. */
let hasStarted = false;

type WorkerEnv = Env & MailEnv;

/** The advice to an operator about emails that wait, by how they are sent. */
const ADVICE = {
  mailChannels: {
    key_refused:
      "MailChannels refuses MAILCHANNELS_API_KEY or its use for this domain. All emails wait; one a minute is tried. See docs/mail.md.",
    not_reachable:
      "No route to the mail service: check the network, DNS and MAILCHANNELS_BASE_URL. The email waits and is tried again. See docs/mail.md.",
  },
  smtp: {
    key_refused:
      "The server of SMTP_URL refuses its user and password, or MAIL_FROM. All emails wait; one a minute is tried. See docs/mail.md.",
    not_reachable:
      "The server of SMTP_URL took no email: check the network, its host, port and certificate. The email waits and is tried again. See docs/mail.md.",
  },
};

/** The Worker: pages, /api and the timer. Static files are served without it. */
export default {
  async fetch(incoming, env, execution) {
    const start = Date.now();
    if (!hasStarted) logEvent("info", "started", { version: VERSION });
    hasStarted = true;
    setEarlierSecrets(env.EARLIER_SECRETS);
    const request = withRequestId(incoming);
    const route = matchRoute(new URL(request.url));
    const visit: Visit = {
      id: getRequestId(request),
      method: request.method,
      route: route.id,
      userId: null,
      conflicts: [],
    };
    const response = await respond(request, env, route, execution, visit).catch((error) =>
      withStandardHeaders(errorResponse(error, request, route), request, route, env),
    );
    if (response.status === 429) securityEvent({ visit }, "rate_limited");
    const ms = Date.now() - start;
    logRequest(visit, response.status, ms);
    const { method, conflicts } = visit;
    env.onResponse?.({ pattern: route.pattern, method, status: response.status, ms, conflicts });
    return response;
  },

  async scheduled(controller, env, execution) {
    setEarlierSecrets(env.EARLIER_SECRETS);
    // A late timer has an old `scheduledTime`, which would shorten the leases of messages.
    const now = new Date(Math.max(controller.scheduledTime, Date.now()));
    const mail = mailConfig(env);
    const { db } = openConnection(env.DB, "first-primary");
    // Before any email is sent, which it counts.
    const noted = await Promise.allSettled([env.SESSION_SECRET && noteChanges(db, now, env.SESSION_SECRET)]);
    const swept = [sweepRequests(db, now, mail), sweepRenewals(db, now, mail), warnOfFullDatabase(db, now, env, mail)];
    // Each runs to its end, whatever fails: the runtime stops all work once this function has thrown.
    const results = await Promise.allSettled([
      runSweeps(env.DB.withSession("first-primary"), now),
      publishCheckpoint(db, now, { signingKey: getSigningKey(env), logOrigin: getLogOrigin(env) }),
      ...swept,
      countBytes(db, now),
      logAdminReset({ db, now }, env),
      continueLogCheck(env.DB.withSession("first-primary"), now),
      // The emails that they have queued are sent at once. If they fail, all other emails are sent nevertheless.
      mail && Promise.allSettled(swept).then(() => sweepOutbox(mail, now, execution)),
    ]);
    const errors = [...noted, ...results].flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    for (const error of errors) logError(error); // the runtime's own line does not say what went wrong
    if (errors.length > 0) throw errors[0];
  },
} satisfies ExportedHandler<WorkerEnv>;

/** Handles a request: settings, request checks, rate limit, route, work after the response, headers and cookies. */
async function respond(
  request: Request,
  env: WorkerEnv,
  route: MatchedRoute,
  execution: Pick<ExecutionContext, "waitUntil">,
  visit: Visit,
): Promise<Response> {
  const problem = settingsProblem(env);
  if (problem || !env.SESSION_SECRET) throw new Error(problem ?? "SESSION_SECRET is missing");
  const checked = await checkRequest(request, route, env, visit);
  const { address } = readClient(request, env);
  await checkRateLimit(request, route, env, address);
  const mail = mailConfig(env);
  const context = await loadContext(request, env, env.SESSION_SECRET, newRequestMail(mail !== null), visit, route);
  context.turn = await takeTurn(context, route, address, request);
  const response = await handlerOf(route.id)(checked, context)
    .then((answer) => replaceErrorBody(answer, request, route))
    .finally(() => context.turn?.end());
  if (request.method === "HEAD" || !response.ok) context.stream?.end();
  if (mail && context.mail.hasMessages) {
    // If this fails, the next sweep sends the messages.
    context.afterwards.push(() => deliverOutbox(mail, context.mail.lease, new Date()));
  }
  for (const work of context.afterwards) execution.waitUntil(afterResponse(work, request));
  if (route.handle.access !== "public" && response.ok && !context.viewerWasChecked) {
    throw new Error(`the private route ${route.id} responded without a check of the user`);
  }
  const finished = withStandardHeaders(response, request, route, env);
  if (response.status === 401 && context.apiToken !== null) finished.headers.set("WWW-Authenticate", "Bearer");
  const retryAfter = context.retryAfter ?? (response.status === 429 ? RATE_LIMIT_SECONDS : null);
  if ((response.status === 429 || response.status === 503) && retryAfter !== null)
    finished.headers.set("Retry-After", String(retryAfter));
  if (context.flash && finished.headers.get("Content-Type")?.startsWith("text/html")) {
    finished.headers.append("Set-Cookie", await context.cookies.flash.serialize("", { maxAge: 0 }));
  }
  if (setsBookmark(request, route, context, finished)) {
    const bookmark = context.connection.writtenUpTo();
    if (bookmark) finished.headers.append("Set-Cookie", await context.cookies.bookmark.serialize(bookmark));
  }
  return finished;
}

/**
 * Whether the response sets the D1 bookmark: after an unsafe request of a user who is signed in, or has just signed in.
 * Visitors do not need it: they read from the primary. It could also reveal whether an email address has an account.
 */
function setsBookmark(
  request: Request,
  { handle }: MatchedRoute,
  { cookies, apiToken }: AppLoadContext,
  { headers }: Response,
) {
  if (isSafe(request) || apiToken !== null) return false;
  return (
    handle.access !== "public" || headers.getSetCookie().some((line) => line.startsWith(`${cookies.session.name}=`))
  );
}

/** The mail configuration, or null if mail is not configured. */
function mailConfig(env: WorkerEnv): MailConfig | null {
  const settings = mailSettings(env);
  if (!settings || !env.SESSION_SECRET) return null;
  return {
    db: openConnection(env.DB, "first-primary").db,
    settings,
    secret: env.SESSION_SECRET,
    composers: { ...supervisorEmails, ...renewalEmails, ...accountEmails, ...databaseEmails },
    report: (delivery) => logDelivery(delivery, settings.smtp ? ADVICE.smtp : ADVICE.mailChannels),
  };
}

/** Logs an attempt to send that did not succeed. The operator must mend a refused key and an error of the app. */
function logDelivery(delivery: Delivery, advices: (typeof ADVICE)["smtp"]): void {
  const { outcome } = delivery;
  if (outcome === "sent") return;
  const isOurs = outcome === "key_refused" || outcome === "not_composed" || outcome === "not_reachable";
  const advice = (outcome === "key_refused" || outcome === "not_reachable") && { advice: advices[outcome] };
  logEvent(isOurs ? "error" : "warn", "mail", { ...delivery, ...advice });
}

async function afterResponse(work: () => Promise<unknown>, request: Request): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  await work().catch((error) => logError(error, request));
}

function errorResponse(error: unknown, request: Request, route: MatchedRoute): Response {
  const response = route.isApi ? errorJson(error, request) : errorPage(error, request);
  if (response.status === 405) response.headers.set("Allow", route.methods.join(", "));
  if (response.status === 429) response.headers.set("Retry-After", String(RATE_LIMIT_SECONDS));
  return response;
}

function errorPage(error: unknown, request: Request): Response {
  if (error instanceof AppError) {
    if (error.status === 421) return renderFailure(421, "This address is not set up", error.message);
    return renderFailure(error.status, "That could not be sent", `${error.message} ${GO_BACK}`);
  }
  logError(error, request);
  return failurePage(request);
}

function failurePage(request: Request): Response {
  return renderFailure(
    500,
    "Something went wrong",
    "It is our fault, and what you saved is safe. Please try again.",
    getRequestId(request),
  );
}

/** Replaces an error without a page, which Remix returns for a page route without a component, with an error page. */
async function replaceErrorBody(response: Response, request: Request, { isApi }: MatchedRoute): Promise<Response> {
  const { status, headers } = response;
  const isPage = headers.get("Content-Type")?.startsWith("text/html");
  if (status < 400 || isPage || isApi) return response;
  if (status >= 500) return failurePage(request);
  const refusal = (await response.json().catch(() => ({}))) as { message?: string }; // from `page()`
  return renderFailure(status, "That is not possible", refusal.message ?? "Go back and try again.");
}

/**
 * Returns Remix's handler of a route by its id, made on the first request for that route. It has only the root and that
 * route: the request checks have matched the URL, and Remix would match it against all routes, three times a request.
 */
function handlersOf(build: ServerBuild, mode: string): (id: string) => RequestHandler {
  const nested = Object.values(build.routes).find((route) => route && ![undefined, "root"].includes(route.parentId));
  if (nested) throw new Error(`${nested.id} has a parent route, which its handler would not know`);
  const handlers = new Map<string, RequestHandler>();
  return (id) => {
    const handler = handlers.get(id) ?? createRequestHandler(buildWith(build, id), mode);
    handlers.set(id, handler);
    return handler;
  };
}

function buildWith(build: ServerBuild, id: string): ServerBuild {
  const only = <Route>(routes: Record<string, Route>) =>
    Object.fromEntries(Object.entries(routes).filter(([name]) => name === id || name === "root"));
  return { ...build, routes: only(build.routes), assets: { ...build.assets, routes: only(build.assets.routes) } };
}
