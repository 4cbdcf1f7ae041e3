import type { SignedIn } from "#app/accounts/accounts.server.ts";
import { SESSION_SECONDS } from "#app/accounts/sessions.server.ts";
import { credentialsSchema, registrationSchema } from "#app/accounts/user.schema.ts";
import { displayName } from "#app/accounts/user.ts";
import { connect } from "#app/db/client.server.ts";
import { parse } from "#app/http/api.server.ts";
import { type Env, originOf } from "#app/http/context.server.ts";
import { cookiesFor } from "#app/http/cookies.server.ts";
import { readForm } from "#app/http/form.server.ts";
import { admit, type Door } from "#app/http/guard.server.ts";
import { withStandardHeaders } from "#app/http/headers.server.ts";
import { logError, logEvent } from "#app/http/log.server.ts";
import { Refusal } from "#app/http/refusal.ts";
import { Failure } from "#app/ui/failure.tsx";
import { renderPage } from "#app/ui/render-page.server.tsx";
import { isSetUpToken, newSetUpToken, promoteFirstAdmin, registerFirstAdmin } from "./set-up.ts";
import { SetUpScreen, type SetUpWay } from "./set-up-screen.tsx";

const DOOR: Door = {
  id: "binary/set-up",
  handle: { access: "public", secret: true },
  methods: ["GET", "HEAD", "POST"],
  isUnknown: false,
};

/** While there is no admin, writes the set-up link to the log, once at each start. `request` is what came first. */
export async function announceSetUp(env: Env, request: Request | null): Promise<void> {
  const token = await newSetUpToken(connect(env.DB));
  if (!token) return;
  logEvent("info", "set-up", {
    link: `${addressFor(env, request)}/set-up/${token}`,
    advice: "There is no admin yet: open the link to become the first. It is new at each start and ends with its use.",
  });
}

/** A `Host` header is whatever its sender wrote; only one that leads to this very machine is repeated. */
function addressFor({ PUBLIC_ORIGIN }: Env, request: Request | null): string {
  if (PUBLIC_ORIGIN) return new URL(PUBLIC_ORIGIN).origin;
  const { hostname, origin } = new URL(request?.url ?? "http://localhost:8787");
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname) ? origin : "http://the-address-of-this-server";
}

/** Answers at the set-up link, or null where the address is none that is valid: the app then answers 404. */
export async function answerSetUp(request: Request, env: Env): Promise<Response | null> {
  const { pathname } = new URL(request.url);
  const [, token] = /^\/set-up\/([\w-]+)$/.exec(pathname) ?? [];
  if (!token || !(await isSetUpToken(connect(env.DB), token))) return null;
  const answer = await respond(request, env).catch((error) => failure(error, request));
  return withStandardHeaders(answer, request, DOOR, env);
}

async function respond(request: Request, env: Env): Promise<Response> {
  const admitted = await admit(request, DOOR, env);
  if (request.method !== "POST") return renderPage(200, "Set up", <SetUpScreen />);
  const way: SetUpWay = new URL(request.url).searchParams.get("as") === "login" ? "login" : "register";
  const form = await readForm(admitted);
  const values = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
  const now = new Date();
  const db = connect(env.DB);
  try {
    const signedIn =
      way === "register"
        ? await registerFirstAdmin(db, parse(registrationSchema, values), now)
        : await promoteFirstAdmin(db, parse(credentialsSchema, values), now);
    return await welcome(signedIn, request, env);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, errors = [] } = error;
    const message = errors.length > 0 ? null : error.message;
    const { password: _, ...kept } = values; // a password never comes back in a page
    return renderPage(status, "Set up", <SetUpScreen failed={{ way, values: kept, errors, message }} />);
  }
}

async function welcome({ user, sessionToken }: SignedIn, request: Request, env: Env): Promise<Response> {
  const { session, flash } = cookiesFor(originOf(request, env), env.SESSION_SECRET ?? "");
  const toast = { kind: "success", title: "You are the admin", text: `Welcome, ${displayName(user)}!` };
  logEvent("info", "first admin", { userId: user.id });
  const headers = new Headers({ Location: "/admin" });
  headers.append("Set-Cookie", await session.serialize(sessionToken, { maxAge: SESSION_SECONDS }));
  headers.append("Set-Cookie", await flash.serialize({ toast }));
  return new Response(null, { status: 303, headers });
}

function failure(error: unknown, request: Request): Response {
  if (error instanceof Refusal) {
    const title = "That could not be sent";
    const response = renderPage(error.status, title, <Failure title={title} text={error.message} />);
    if (error.status === 405) response.headers.set("Allow", DOOR.methods.join(", "));
    return response;
  }
  logError(error, request);
  const title = "Something went wrong";
  return renderPage(500, title, <Failure title={title} text="It is our fault. Please try again." />);
}
