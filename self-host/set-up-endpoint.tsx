import type { ReactNode } from "react";
import { queryAsViewer } from "#app/accounts/access.server.ts";
import { signInHeaders } from "#app/accounts/sign-in.server.ts";
import { credentialsSchema, registrationSchema } from "#app/accounts/user.schema.ts";
import { displayName } from "#app/accounts/user.ts";
import { connect } from "#app/db/client.server.ts";
import { AppError } from "#app/errors.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { findKeyRefusal, findStuck, newRequestMail } from "#app/mail/outbox.server.ts";
import { parse } from "#app/server/api.server.ts";
import { loadContext } from "#app/server/context.server.ts";
import type { Env } from "#app/server/env.ts";
import { withStandardHeaders } from "#app/server/headers.server.ts";
import { logError, logEvent, logRequest, type Visit } from "#app/server/logger.server.ts";
import { isSafe } from "#app/server/method.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import { checkRequest, type MatchedRoute } from "#app/server/request-checks.server.ts";
import { getRequestId, withRequestId } from "#app/server/request-id.server.ts";
import { RATE_LIMIT_SECONDS } from "#app/server/request-limit.server.ts";
import { isThisMachine } from "#app/server/target.ts";
import styles from "#app/styles.css?inline";
import { Failure } from "#app/ui/failure.tsx";
import { renderPage } from "#app/ui/render-page.server.tsx";
import setUpStyles from "./set-up.css?inline";
import { isSetUpToken, newSetUpToken, promoteFirstAdmin, registerFirstAdmin } from "./set-up.ts";
import { type SetUpEnv, type SetUpItem, setUpItems } from "./set-up-items.ts";
import { ConfigurationScreen, SetUpScreen, type SetUpWay } from "./set-up-screen.tsx";

/** The path of the page; the link has its token after it. */
const SET_UP = "/set-up";

const ROUTE: MatchedRoute = {
  id: "self-host/set-up",
  pattern: SET_UP,
  handle: { access: "public", secret: true },
  params: {},
  methods: ["GET", "HEAD", "POST"],
  isUnknown: false,
  isApi: false,
  kind: null,
};

let wasAnnounced = false;

/**
 * At the first call, logs what is not configured: without an admin with the set-up link, else with the page for admins.
 * `request` is the first request.
 */
export async function announceSetUp(env: Env & SetUpEnv, request: Request | null): Promise<void> {
  if (wasAnnounced) return;
  wasAnnounced = true; // before the await, so that only one of two concurrent calls makes a link
  const token = await newSetUpToken(connect(env.DB));
  const open = (await itemsOf(env, !token)).filter(({ state }) => state !== "configured");
  const missing = open.map(({ name }) => name);
  const address = `${addressFor(env, request)}${SET_UP}`;
  if (token) {
    logEvent("info", "set-up", {
      link: `${address}/${token}`,
      missing,
      advice:
        "There is no admin yet: open the link to create the first one and to see what is not configured. It changes at each start and works once.",
    });
  } else if (missing.length > 0) {
    logEvent("info", "not configured", { missing, advice: `An admin sees how to configure it at ${address}` });
  }
}

/** Clients can send any `Host` header, so it is only used if it names this machine. */
function addressFor({ PUBLIC_ORIGIN, LOCAL_ORIGIN }: SetUpEnv, request: Request | null): string {
  const known = PUBLIC_ORIGIN || LOCAL_ORIGIN;
  if (known) return new URL(known).origin;
  const { host, origin } = new URL(request?.url ?? "http://localhost:8787");
  return isThisMachine(host) ? origin : "http://the-address-of-this-server";
}

/**
 * Answers a valid set-up link, and /set-up for an admin; null for other requests, which the app answers like any unknown
 * path. The operator is recognised by the link, which only the log has, or by an admin's session: a client's address or
 * Host proves nothing behind a proxy on this machine.
 */
export async function answerSetUp(incoming: Request, env: Env & SetUpEnv): Promise<Response | null> {
  const { pathname } = new URL(incoming.url);
  if (pathname === SET_UP) return answerAdmin(incoming, env);
  const [, token] = /^\/set-up\/([\w-]+)$/.exec(pathname) ?? [];
  if (!token || !(await isSetUpToken(connect(env.DB), token))) return null;
  return answered(incoming, env, (request, visit) => respond(request, env, visit));
}

async function answerAdmin(incoming: Request, env: Env & SetUpEnv): Promise<Response | null> {
  if (!isSafe(incoming)) return null;
  const visit: Visit = { ...visitOf(incoming), id: "none" };
  const context = await loadContext(incoming, env, env.SESSION_SECRET ?? "", newRequestMail(false), visit, ROUTE);
  if (!context.sessionToken || !(await queryAsViewer(context, () => ({}))).viewer?.isAdmin) return null;
  return answered(incoming, env, async () => rendered(200, <ConfigurationScreen items={await itemsOf(env, true)} />));
}

async function itemsOf(env: Env & SetUpEnv, hasAdmin: boolean): Promise<SetUpItem[]> {
  const db = connect(env.DB);
  const [keyRefusal, stuck] = await Promise.all([findKeyRefusal(db), findStuck(db, new Date())]);
  return setUpItems(env, { hasAdmin, keyRefusal, stuck });
}

function visitOf(request: Request): Visit {
  return { id: getRequestId(request), method: request.method, route: ROUTE.id, userId: null };
}

/** Answers, logs, and adds the headers of every response. */
async function answered(
  incoming: Request,
  env: Env,
  work: (request: Request, visit: Visit) => Promise<Response>,
): Promise<Response> {
  const start = Date.now();
  const request = withRequestId(incoming);
  const visit = visitOf(request);
  const answer = await work(request, visit).catch((error) => failure(error, request));
  logRequest(visit, answer.status, Date.now() - start);
  return withStandardHeaders(answer, request, ROUTE, env);
}

function rendered(status: number, screen: ReactNode): Response {
  return renderPage(status, "Set up", screen, null, styles + setUpStyles);
}

async function respond(request: Request, env: Env & SetUpEnv, visit: Visit): Promise<Response> {
  const admitted = await checkRequest(request, ROUTE, env, visit);
  const items = await itemsOf(env, false);
  if (request.method !== "POST") return rendered(200, <SetUpScreen items={items} />);
  const context = await loadContext(request, env, env.SESSION_SECRET ?? "", newRequestMail(false), visit);
  const way: SetUpWay = new URL(request.url).searchParams.get("as") === "login" ? "login" : "register";
  const form = await readForm(admitted);
  const values = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
  try {
    const signedIn =
      way === "register"
        ? await registerFirstAdmin(context, parse(registrationSchema, values))
        : await promoteFirstAdmin(context, parse(credentialsSchema, values));
    const { user } = signedIn;
    logEvent("info", "first admin", { id: visit.id, user: user.id });
    const toast = { kind: "success", title: "You are the admin", text: `Welcome, ${displayName(user)}!` } as const;
    return await redirectTo(context, "/admin", { toast }, await signInHeaders(context, signedIn));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { status, errors = [] } = error;
    const message = errors.length > 0 ? null : error.message;
    const { password: _, ...kept } = values; // passwords are never sent back
    const answer = rendered(status, <SetUpScreen items={items} failed={{ way, values: kept, errors, message }} />);
    if (status === 429) answer.headers.set("Retry-After", String(context.retryAfter ?? RATE_LIMIT_SECONDS));
    return answer;
  }
}

function failure(error: unknown, request: Request): Response {
  const isRefusal = error instanceof AppError;
  if (!isRefusal) logError(error, request);
  const title = isRefusal ? "That could not be sent" : "Something went wrong";
  const text = isRefusal ? error.message : "It is our fault, and what you saved is safe. Please try again.";
  const reference = isRefusal ? null : getRequestId(request);
  const answer = renderPage(isRefusal ? error.status : 500, title, <Failure title={title} text={text} />, reference);
  if (answer.status === 405) answer.headers.set("Allow", ROUTE.methods.join(", "));
  return answer;
}
