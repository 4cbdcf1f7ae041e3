import { randomBytes } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, notExists, sql } from "drizzle-orm";
import { Fragment, type ReactNode } from "react";
import { queryAsViewer } from "#app/accounts/access.server.ts";
import { logIn, register, type SignedIn } from "#app/accounts/accounts.server.ts";
import { signInHeaders } from "#app/accounts/sign-in.server.ts";
import {
  type Credentials,
  credentialsSchema,
  type Registration,
  registrationSchema,
} from "#app/accounts/user.schema.ts";
import { displayName } from "#app/accounts/user.ts";
import { type SetUpEnv, type SetUpItem, setUpItems } from "#app/admin/set-up-items.ts";
import { batch, connect, type Db } from "#app/db/client.server.ts";
import { raiseRevisions } from "#app/db/commit.server.ts";
import { users } from "#app/db/schema.ts";
import { AppError, type FieldError } from "#app/errors.ts";
import { Field } from "#app/forms/field.tsx";
import { readForm } from "#app/forms/read-form.server.ts";
import { findKeyRefusal, findStuck, newRequestMail } from "#app/mail/outbox.server.ts";
import { parse } from "#app/server/api.server.ts";
import { loadContext } from "#app/server/context.server.ts";
import type { Env } from "#app/server/env.ts";
import { withStandardHeaders } from "#app/server/headers.server.ts";
import { getRequestId, logError, logEvent, logRequest, type Visit, withRequestId } from "#app/server/logger.server.ts";
import { redirectTo } from "#app/server/page.server.ts";
import { checkRequest, type MatchedRoute } from "#app/server/request-checks.server.ts";
import { RATE_LIMIT_SECONDS } from "#app/server/request-limit.server.ts";
import { isSafe, isThisMachine } from "#app/server/request-line.ts";
import { isSameSecret } from "#app/server/secrets.server.ts";
import styles from "#app/styles.css?inline";
import { Failure, PublicLayout, State } from "#app/ui/page.tsx";
import { renderPage } from "#app/ui/render-page.server.tsx";
import setUpStyles from "./set-up.css?inline";

/** The token of the set-up link; it is kept in memory only. */
let current: string | null = null;

/** Makes the token of the set-up link, or returns null if there is an admin. Links of earlier starts are invalid. */
async function newSetUpToken(db: Db): Promise<string | null> {
  if (await hasAdmin(db)) return null;
  current = randomBytes(32).toString("base64url");
  return current;
}

/** Whether this is the current token and there is still no admin. */
async function isSetUpToken(db: Db, token: string): Promise<boolean> {
  if (current === null || !isSameSecret(token, current)) return false;
  if (!(await hasAdmin(db))) return true;
  current = null;
  return false;
}

async function hasAdmin(db: Db): Promise<boolean> {
  const found = await db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true)).limit(1);
  return found.length > 0;
}

/**
 * Registers an account and makes it the first admin. If another request was first, the account stays a normal one.
 * @throws {AppError} 409 if the address has an account, or there is an admin by now; 429 after too many attempts
 */
async function registerFirstAdmin(context: AppLoadContext, registration: Registration): Promise<SignedIn> {
  return promote(context.db, await register(context, registration));
}

/**
 * Makes an existing account the first admin, after checking its password.
 * @throws {AppError} 401 if email and password do not match; 409 if there is an admin by now; 429 after too many
 * failures
 */
async function promoteFirstAdmin(context: AppLoadContext, credentials: Credentials): Promise<SignedIn> {
  return promote(context.db, await logIn(context, credentials, { isSetUp: true }));
}

/** The statement contains the condition, so that only one of two concurrent requests makes an admin. */
async function promote(db: Db, { user, sessionToken }: SignedIn): Promise<SignedIn> {
  const admins = db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true));
  const { made } = await batch(db, {
    guard: raiseRevisions(db, sql`${user.id}`),
    made: db
      .update(users)
      .set({ isAdmin: true })
      .where(and(eq(users.id, user.id), notExists(admins)))
      .returning({ id: users.id }),
  });
  if (made.length === 0) throw new AppError("conflict", "There is an admin by now. Ask them to make you one.");
  current = null;
  return { user: { ...user, isAdmin: true }, sessionToken };
}

const STATES = {
  configured: { of: "done", words: "Configured" },
  missing: { of: "requested", words: "Not configured" },
  wrong: { of: "declined", words: "Not usable" },
} as const;

/** What is configured and what is not, and the exact settings. */
function SetUpList({ items }: { items: SetUpItem[] }) {
  const open = items.filter(({ state }) => state !== "configured").length;
  return (
    <section>
      <h2>Configuration</h2>
      <p>
        {open === 0 ? (
          "Everything is configured."
        ) : (
          <>
            <b>{`${open} of ${items.length} ${open === 1 ? "is" : "are"}`} not configured.</b> Settings are environment
            variables: set them where the program is started, and start it again.
          </>
        )}
      </p>
      <ul className="checks">
        {items.map(({ name, state, text, lines, note }) => (
          <li key={name}>
            <div className="apart">
              <h3>{name}</h3>
              <State of={STATES[state].of}>{STATES[state].words}</State>
            </div>
            <p>{text}</p>
            {lines.length > 0 && (
              <pre>
                <code>{lines.map(lineOf)}</code>
              </pre>
            )}
            {note && <p className="hint">{note}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** On a narrow screen a line breaks before its value, not within a word. */
function lineOf(line: string, index: number) {
  const [name, ...values] = line.split("=");
  return (
    <Fragment key={line}>
      {index > 0 && "\n"}
      {name}
      {values.map((value) => (
        <Fragment key={value}>
          =<wbr />
          {value}
        </Fragment>
      ))}
    </Fragment>
  );
}

/** The two ways to make the first admin: register a new account, or log in to an existing one. */
type SetUpWay = "register" | "login";

interface SetUpScreenProps {
  items: SetUpItem[];
  /** The values and errors of the last attempt. */
  failed?: { way: SetUpWay; values: Record<string, string>; errors: FieldError[]; message: string | null };
}

/** The page of the set-up link: what is not configured, and the forms for the first admin. */
function SetUpScreen({ items, failed }: SetUpScreenProps) {
  const fieldsOf = (way: SetUpWay) => (name: string) => {
    const mine = failed?.way === way ? failed : null;
    const errors = mine?.errors.filter(({ path }) => path === name).map(({ message }) => message);
    const id = `${way}-${name}`;
    return { id, name, errorId: `${id}-error`, errors, initialValue: mine?.values[name], required: false };
  };
  const alert = (way: SetUpWay) =>
    failed?.way === way &&
    failed.message && (
      <p className="alert" role="alert">
        {failed.message}
      </p>
    );
  const register = fieldsOf("register");
  const login = fieldsOf("login");
  const list = <SetUpList items={items} />;
  return (
    <PublicLayout>
      <h1>Set up Hours Tracker</h1>
      <p>
        Only the output of this program has the link to this page. The link stops working when there is an admin; an
        admin then sees the configuration at <code>/set-up</code>.
      </p>
      {!failed && list}
      <form method="post" action="?as=register" className="form" noValidate>
        <h2>Create the first admin</h2>
        <Field field={register("email")} label="Email" type="email" autoComplete="username" inputMode="email" />
        <Field field={register("password")} label="Password" type="password" autoComplete="new-password" />
        <Field field={register("name")} label="Full Name (Optional)" autoComplete="name" />
        <Field field={register("employeeNumber")} label="Employee Number (Optional)" autoComplete="off" />
        {alert("register")}
        <button type="submit">Register as Admin</button>
      </form>
      <form method="post" action="?as=login" className="form" noValidate>
        <h2>Or use an existing account</h2>
        <Field field={login("email")} label="Email" type="email" autoComplete="username" inputMode="email" />
        <Field field={login("password")} label="Password" type="password" autoComplete="current-password" />
        {alert("login")}
        <button type="submit" className="second">
          Log In as Admin
        </button>
      </form>
      {failed && list}
    </PublicLayout>
  );
}

/** The same list for a signed-in admin, at /set-up. */
function ConfigurationScreen({ items }: { items: SetUpItem[] }) {
  return (
    <PublicLayout>
      <h1>Set up Hours Tracker</h1>
      <p>
        Only admins see this page. <a href="/admin">Go to the admin page</a>
      </p>
      <SetUpList items={items} />
    </PublicLayout>
  );
}

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
  return { id: getRequestId(request), method: request.method, route: ROUTE.id, userId: null, conflicts: [] };
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
