import { sessionCookie } from "#app/accounts/sign-in.server.ts";
import { credentialsSchema, registrationSchema } from "#app/accounts/user.schema.ts";
import { displayName } from "#app/accounts/user.ts";
import { connect } from "#app/db/client.server.ts";
import { AppError } from "#app/errors.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { newRequestMail } from "#app/mail/outbox.server.ts";
import { parse } from "#app/server/api.server.ts";
import { loadContext } from "#app/server/context.server.ts";
import type { Env } from "#app/server/env.ts";
import { withStandardHeaders } from "#app/server/headers.server.ts";
import { logError, logEvent, logRequest, type Visit } from "#app/server/logger.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import { checkRequest, type MatchedRoute } from "#app/server/request-checks.server.ts";
import { getRequestId, withRequestId } from "#app/server/request-id.server.ts";
import { RATE_LIMIT_SECONDS } from "#app/server/request-limit.server.ts";
import { Failure } from "#app/ui/failure.tsx";
import { renderPage } from "#app/ui/render-page.server.tsx";
import { isSetUpToken, newSetUpToken, promoteFirstAdmin, registerFirstAdmin } from "./set-up.ts";
import { SetUpScreen, type SetUpWay } from "./set-up-screen.tsx";

const ROUTE: MatchedRoute = {
  id: "self-host/set-up",
  handle: { access: "public", secret: true },
  methods: ["GET", "HEAD", "POST"],
  isUnknown: false,
  isApi: false,
  kind: null,
};

/** If there is no admin, logs the set-up link, once per start. `request` is the first request. */
export async function announceSetUp(env: Env, request: Request | null): Promise<void> {
  const token = await newSetUpToken(connect(env.DB));
  if (!token) return;
  logEvent("info", "set-up", {
    link: `${addressFor(env, request)}/set-up/${token}`,
    advice: "There is no admin yet: open the link to create the first one. It changes at each start and works once.",
  });
}

/** Clients can send any `Host` header, so it is only used if it names this machine. */
function addressFor({ PUBLIC_ORIGIN }: Env, request: Request | null): string {
  if (PUBLIC_ORIGIN) return new URL(PUBLIC_ORIGIN).origin;
  const { hostname, origin } = new URL(request?.url ?? "http://localhost:8787");
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname) ? origin : "http://the-address-of-this-server";
}

/** Answers a valid set-up link; null for other URLs, which the app answers with 404. */
export async function answerSetUp(incoming: Request, env: Env): Promise<Response | null> {
  const { pathname } = new URL(incoming.url);
  const [, token] = /^\/set-up\/([\w-]+)$/.exec(pathname) ?? [];
  if (!token || !(await isSetUpToken(connect(env.DB), token))) return null;
  const start = Date.now();
  const request = withRequestId(incoming);
  const visit: Visit = { id: getRequestId(request), method: request.method, route: ROUTE.id, userId: null };
  const answer = await respond(request, env, visit).catch((error) => failure(error, request));
  logRequest(visit, answer.status, Date.now() - start);
  return withStandardHeaders(answer, request, ROUTE, env);
}

async function respond(request: Request, env: Env, visit: Visit): Promise<Response> {
  const admitted = await checkRequest(request, ROUTE, env, visit);
  if (request.method !== "POST") return renderPage(200, "Set up", <SetUpScreen />);
  const context = await loadContext(request, env, env.SESSION_SECRET ?? "", newRequestMail(false), visit);
  const way: SetUpWay = new URL(request.url).searchParams.get("as") === "login" ? "login" : "register";
  const form = await readForm(admitted);
  const values = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
  try {
    const { user, sessionToken } =
      way === "register"
        ? await registerFirstAdmin(context, parse(registrationSchema, values))
        : await promoteFirstAdmin(context, parse(credentialsSchema, values));
    logEvent("info", "first admin", { id: visit.id, user: user.id });
    const toast = { kind: "success", title: "You are the admin", text: `Welcome, ${displayName(user)}!` } as const;
    return await redirectTo(context, "/admin", { toast }, { "Set-Cookie": await sessionCookie(context, sessionToken) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { status, errors = [] } = error;
    const message = errors.length > 0 ? null : error.message;
    const { password: _, ...kept } = values; // passwords are never sent back
    const answer = renderPage(status, "Set up", <SetUpScreen failed={{ way, values: kept, errors, message }} />);
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
