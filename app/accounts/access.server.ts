import { createHash, randomBytes } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, gt, inArray, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import { addDays, formatDate } from "#app/calendar-date.ts";
import { batch, type Db, noteViewer, type Owner, type Queries, type Rows } from "#app/db/client.server.ts";
import { type Guarded, raiseRevisions, takeStaleViewer } from "#app/db/commit.server.ts";
import { sessions, users } from "#app/db/schema.ts";
import { ACCOUNT_BYTES_MAX, UNCONFIRMED_BYTES_MAX } from "#app/db/stored-bytes.server.ts";
import { AppError } from "#app/errors.ts";
import { countAttempt, latest, requireBelowLimit, tokenLimit } from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { redirectTo } from "#app/server/page.server.ts";
import { noteAccount } from "#app/server/request-limit.server.ts";
import { isSafe } from "#app/server/request-line.ts";
import { type ApiToken, apiTokens, type TokenAccess } from "./api-tokens.table.ts";
import { nextPage, returnPath, signInPath } from "./next-page.ts";
import type { User } from "./user.ts";

const OTHERS = "These hours belong to another user, who has to sign in to send them.";

/**
 * Hours that one user typed, sent with the session of another. By the error's path a browser distinguishes it from
 * other 403s.
 */
export class OtherUserError extends AppError {
  constructor() {
    super("other_user", OTHERS, [{ path: "For-User", message: OTHERS }]);
  }
}

/**
 * Refuses hours that a browser kept for one user and sends with the session of another: between the reading of the
 * session and the sending someone else can have signed in on the device. `For-User` is the id of the user who typed
 * them.
 * @throws {OtherUserError} 403 for another user's id
 */
export function requireSameUser({ headers }: Pick<Request, "headers">, { id }: User): void {
  const owner = headers.get("For-User");
  if (owner !== null && owner !== String(id)) {
    throw new OtherUserError();
  }
}

/** The viewer of each request, so that the loader after an action does not look them up again. */
const viewers = new WeakMap<AppLoadContext, Signed | null>();

/** The viewer, if this request has looked them up: for an error page, which reads nothing. */
export function knownViewer(context: AppLoadContext): User | null {
  return viewers.get(context)?.user ?? null;
}

/** The account of the signed-in user, with the most records of each kind and the most bytes that it may hold. */
export interface OwnAccount extends Guarded {
  recordsMax: number;
  bytesMax: number;
}

/** The signed-in user, and their account for `commit`. */
interface Signed {
  user: User;
  account: OwnAccount;
}

/** The most records of each kind of an account. A deleted one counts until it is swept, so it can always be restored. */
export const ACCOUNT_RECORDS_MAX = 20_000;
const UNCONFIRMED_RECORDS_MAX = 1_000;

/**
 * Returns the user of the session or API token, or null, and the results of `queries`, in one round trip. Each query gets
 * the owner for its WHERE: an expression that D1 resolves to that user, or to NULL, which owns no rows.
 * @throws {AppError} as `requireTokenAccess`, for a request with a token
 */
export async function queryAsViewer<Q extends Queries>(
  context: AppLoadContext,
  queries: (owner: Owner, db: Db) => Q,
): Promise<Rows<Q> & { viewer: User | null; account: OwnAccount | null }> {
  const { viewer, answers } = await viewerAndRows(context, queries);
  return { ...answers, viewer: viewer?.user ?? null, account: viewer?.account ?? null };
}

async function viewerAndRows<Q extends Queries>(
  context: AppLoadContext,
  queries: (owner: Owner, db: Db) => Q,
): Promise<{ viewer: Signed | null; answers: Rows<Q> }> {
  const { db, sessionToken, apiToken, now } = context;
  if (takeStaleViewer(db)) viewers.delete(context);
  const known = hasCredentials(context) ? viewers.get(context) : null;
  context.viewerWasChecked = true;
  if (known !== undefined) {
    return { viewer: known, answers: await batch(db, queries(known?.user.id ?? sql<number>`NULL`, db)) };
  }
  const visitor = apiToken === null ? sessionOwner(sessionToken ?? "", now) : tokenOwner(context, apiToken);
  // For admins alone: another user owns no rows here, whatever the queries are.
  const isForAdmins = context.handle.access === "admin";
  const owner = isForAdmins ? sql<number>`(SELECT id FROM users WHERE id = ${visitor} AND is_admin = 1)` : visitor;
  const { token, answers, found } = await batch(db, {
    token: apiToken === null ? {} : tokenQueries(context, apiToken),
    answers: queries(owner, db),
    found: db
      .select({ ...userColumns, revision: users.revision })
      .from(users)
      .where(eq(users.id, visitor)),
  });
  const viewer = signedFrom(context, found);
  if (hasCredentials(context)) noteAccount(context, viewer?.user.id ?? null);
  if (apiToken !== null) requireTokenAccess(context, token as Rows<ReturnType<typeof tokenQueries>>); // queried above
  viewers.set(context, viewer);
  if (viewer) noteViewer(db, viewer.user);
  context.visit.userId = viewer?.user.id ?? null;
  if (isForAdmins && viewer && !viewer.user.isAdmin) throw await adminsOnly(context);
  return { viewer, answers: answers as Rows<Q> }; // TypeScript cannot resolve it for a generic Q
}

function signedFrom({ mail }: AppLoadContext, [row]: (User & Guarded)[]): Signed | null {
  if (!row) return null;
  const { revision, ...user } = row;
  const isConfirmed = user.emailConfirmedAt !== null || !mail.isConfigured; // without mail there is nothing to confirm
  const limits = isConfirmed
    ? { recordsMax: ACCOUNT_RECORDS_MAX, bytesMax: ACCOUNT_BYTES_MAX }
    : { recordsMax: UNCONFIRMED_RECORDS_MAX, bytesMax: UNCONFIRMED_BYTES_MAX };
  return { user, account: { id: user.id, revision, ...limits } };
}

/** Whether the request has a session or a token, valid or not. */
function hasCredentials({ sessionToken, apiToken }: AppLoadContext): boolean {
  return Boolean(sessionToken) || apiToken !== null;
}

/**
 * Returns the signed-in user, their account for `commit` and the results of `queries`, in one round trip. On a route for
 * admins (`RouteHandle.access`) it refuses other users as `requireAdmin` does.
 * @throws {AppError} 401 under /api
 * @throws {Response} a redirect to /auth elsewhere
 */
export async function requireUser<Q extends Queries = Record<never, never>>(
  context: AppLoadContext,
  queries: (owner: Owner, db: Db) => Q = () => ({}) as Q, // no queries
): Promise<Rows<Q> & Signed> {
  const none = () => ({}) as Q; // their rows are never read: without a session it throws
  const { viewer, answers } = await viewerAndRows(context, hasCredentials(context) ? queries : none);
  if (viewer) return { ...answers, ...viewer };
  throw await unauthorized(context);
}

/** The forms of which the browser keeps what was typed, where it has a script, and sends it after the next log-in. */
const KEPT_FORMS = /^\/(profile\/entries|rope-hours\/new)(\/|$)/;

/**
 * Returns the error to throw if no user is signed in: 401 under /api, elsewhere a redirect to /auth, from where a page
 * is opened again. A visitor who sent a form gets the message that it was not saved, also without a session: its cookie
 * ends with it.
 */
export async function unauthorized(context: AppLoadContext): Promise<AppError | Response> {
  if (context.isApi) return new AppError("unauthorized", "Unauthorized");
  if (isSafe(context.visit)) return redirectTo(context, signInPath(returnPath(context.url)));
  return redirectTo(context, signInPath(null), {
    notSaved: KEPT_FORMS.test(context.url.pathname) ? "hours" : "form",
  });
}

/**
 * Returns the signed-in admin and the results of `queries`.
 * @throws as `requireUser`; for other users 403 under /api, elsewhere a redirect to /profile with a toast (spec section 2)
 */
export async function requireAdmin<Q extends Queries = Record<never, never>>(
  context: AppLoadContext,
  queries?: (owner: Owner, db: Db) => Q,
): Promise<Rows<Q> & Signed> {
  const answers = await requireUser(context, queries);
  if (answers.user.isAdmin) return answers;
  throw await adminsOnly(context);
}

/** Returns the error for a signed-in user who is not an admin. */
async function adminsOnly(context: AppLoadContext): Promise<AppError | Response> {
  securityEvent(context, "admin_refused");
  const text = "You don't have permission to access the admin page.";
  return context.isApi
    ? new AppError("admin_only", `Access Denied: ${text}`)
    : redirectTo(context, "/profile", { toast: { kind: "error", title: "Access Denied", text } });
}

/**
 * Redirects signed-in users away from pages for signed-out visitors. Only on GET: a user who has signed in in another tab
 * still sees the answer to a form.
 * @throws {Response} a redirect to the page in `?next=`, or to the user's home page
 */
export async function requireAnonymous(context: AppLoadContext): Promise<void> {
  if (!context.sessionToken || !isSafe(context.visit)) return;
  const { viewer } = await queryAsViewer(context, () => ({}));
  if (viewer) throw await redirectTo(context, nextPage(context.url) ?? homePath(viewer));
}

/** The first page after signing in. */
export function homePath({ isAdmin }: User): string {
  return isAdmin ? "/admin" : "/profile";
}

/** The refusal of who has the password or an open link of an account that an admin has locked. Others get the answer of every account. */
export function lockedAccount(): AppError {
  return new AppError("locked", "An admin has locked this account. Ask the person who runs this installation.");
}

/** How long a session lasts from sign-in, in seconds: 30 days. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

/** The hash of a session's token. D1 stores only the hash, so a copy of the table cannot be used to sign in. */
export function sessionId(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The id of the session's user as an SQL expression, so that one batch can select the user and their rows. */
export function sessionOwner(token: string, now: Date): Owner {
  return sql<number>`(SELECT ${sessions.userId} FROM ${sessions} WHERE ${sessions.id} = ${sessionId(token)} AND ${sessions.expiresAt} > ${now.getTime()})`;
}

/** How many sessions an account has at most. */
export const SESSIONS_MAX = 100;

/**
 * A new session: its token for the cookie, and the statements that store it, with the client's address, place and browser,
 * and then end the browser's previous session and the oldest ones over `SESSIONS_MAX`. The condition `who` selects the user;
 * if it selects none, or a locked one, they change nothing.
 */
export function newSession({ db, now, client, sessionToken: previous }: AppLoadContext, who: SQL) {
  const token = randomBytes(32).toString("base64url");
  const id = sessionId(token);
  const expiresAt = now.getTime() + SESSION_SECONDS * 1000;
  const owner = sql`(SELECT user_id FROM ${sessions} WHERE id = ${id})`;
  // The new one stays, also if a clock that was ahead has stored others.
  const oldest = sql`SELECT id FROM ${sessions} WHERE user_id = ${owner}
    ORDER BY id = ${id} DESC, created_at DESC LIMIT -1 OFFSET ${SESSIONS_MAX}`;
  const before = sql`SELECT ${sessionId(previous ?? "")} WHERE ${owner} IS NOT NULL`;
  const ended = sql`id IN (SELECT id FROM (${oldest}) UNION ALL ${before})`;
  const statements = {
    stored: db
      .insert(sessions)
      .select(sql`SELECT ${id}, ${users.id}, ${now.getTime()}, ${expiresAt}, ${randomBytes(8).toString("hex")},
        ${client.address}, ${client.place}, ${client.browser} FROM ${users} WHERE ${who} AND locked_at IS NULL`)
      .returning({ id: sessions.id }),
    // An act of a session that ends here is decided again, and then refused.
    raised: raiseRevisions(db, sql`SELECT user_id FROM ${sessions} WHERE ${ended}`),
    ended: db.delete(sessions).where(ended),
  };
  return { token, statements };
}

/** The statement that deletes a session. Returns its user's id, or no row. */
export function endSession(db: Db, token: string) {
  return db
    .delete(sessions)
    .where(eq(sessions.id, sessionId(token)))
    .returning({ userId: sessions.userId });
}

/** The columns of `User`. The password hash is read only where it is checked. */
export const userColumns = {
  id: users.id,
  email: users.email,
  name: users.name,
  employeeNumber: users.employeeNumber,
  isAdmin: users.isAdmin,
  createdAt: users.createdAt,
  emailConfirmedAt: users.emailConfirmedAt,
};

/** How exactly the last use is known, in milliseconds: a write for each call would cost more than the call. */
const USED_MS = 60 * 60 * 1000;

/** The hash of a token. D1 stores only the hash, so a copy of the table cannot be used to sign in. */
export function hashApiToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The access that a personal token needs for this request; none if no such token may do it. */
function allowedAccess({ visit, handle }: AppLoadContext): TokenAccess[] {
  if (handle.token === "none") return [];
  if (isSafe(visit)) return ["read", "write"];
  return handle.token === "read" ? [] : ["write"];
}

/** Whether a token of a kind may do this request. */
function mayUse(context: AppLoadContext, { access, isService }: Pick<ApiToken, "access" | "isService">): boolean {
  if (isService) return isSafe(context.visit) && context.handle.service === true;
  return allowedAccess(context).includes(access);
}

/**
 * A secret that lets its holder change or see something (the token of a link, the code of an export), as the viewer may
 * have it: null for a read token, whose holder could verify with the one and see an export after the token has ended with
 * the other.
 */
export function secretFor({ isReadOnly }: Pick<AppLoadContext, "isReadOnly">, secret: string | null): string | null {
  return isReadOnly ? null : secret;
}

/** The id of the token's user as an SQL expression: NULL, which owns no rows, if the token has ended or may not do this. */
function tokenOwner(context: AppLoadContext, token: string): Owner {
  const { access, isService } = apiTokens;
  const isCurrent = and(eq(apiTokens.hash, hashApiToken(token)), gt(apiTokens.expiresAt, context.now));
  const isPersonal = and(eq(isService, false), inArray(access, allowedAccess(context)));
  const isAllowed = mayUse(context, { access: "read", isService: true })
    ? or(eq(isService, true), isPersonal)
    : isPersonal;
  return sql<number>`(SELECT ${apiTokens.userId} FROM ${apiTokens} WHERE ${and(isCurrent, isAllowed)})`;
}

/** The queries that find a token, note its use and count an unknown one, for the batch that reads as its user. */
function tokenQueries(context: AppLoadContext, token: string) {
  const { db, now } = context;
  const isToken = eq(apiTokens.hash, hashApiToken(token));
  const { id, userId, access, isService, lastUsedAt, expiresAt } = apiTokens;
  const found = db.select({ id, userId, access, isService, lastUsedAt, expiresAt }).from(apiTokens).where(isToken);
  const isStale = or(
    isNull(lastUsedAt),
    lte(lastUsedAt, new Date(now.getTime() - USED_MS)),
    and(eq(isService, true), lt(lastUsedAt, new Date(dayOf(now)))), // so that the first use of a day is noted
    gt(lastUsedAt, latest(now)), // by a clock that was ahead
  );
  return {
    ...countAttempt(context, tokenLimit(context), sql`NOT EXISTS ${found}`),
    found, // before this use is noted
    used: db
      .update(apiTokens)
      .set({ lastUsedAt: now })
      .where(and(isToken, gt(expiresAt, now), isStale)),
  };
}

/** The day of an instant, in UTC. */
const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/**
 * Refuses a request whose token is unknown or may not do it, by the rows of `tokenQueries`. The first use of a service token on a
 * day is logged.
 * @throws {AppError} 401 for an unknown or ended token, 429 after too many of them from one network; 403 for a read token
 *   that writes, for a call that needs a session, and for one that no service token may make
 */
function requireTokenAccess(context: AppLoadContext, { full, found }: Rows<ReturnType<typeof tokenQueries>>): void {
  const [token] = found;
  if (!token) {
    requireBelowLimit(context, tokenLimit(context), full, "Too many unknown tokens were sent from your network.");
    throw new AppError("unauthorized", "Unauthorized");
  }
  if (token.expiresAt <= context.now) {
    const lastDay = formatDate(addDays(token.expiresAt.toISOString().slice(0, 10), -1));
    throw new AppError(
      "token_ended",
      token.isService
        ? `This token ended: its last day was ${lastDay}. An admin makes another one at /admin/tokens.`
        : `This token ended: its last day was ${lastDay}. Make another one on the account page.`,
    );
  }
  context.isReadOnly = token.access === "read";
  context.visit.userId = token.userId;
  const isFirstOfDay = token.lastUsedAt === null || dayOf(token.lastUsedAt) !== dayOf(context.now);
  if (token.isService && isFirstOfDay) securityEvent(context, "service_token_used", { token: token.id });
  if (mayUse(context, token)) return;
  securityEvent(context, "token_refused");
  if (token.isService) {
    const why = "A service token reads the lists of admins, all events and one user's data, and nothing else.";
    throw new AppError("service_token", `${why} Use a token of your own for this call.`);
  }
  throw new AppError(
    allowedAccess(context).length > 0 ? "read_only_token" : "session_only",
    allowedAccess(context).length > 0
      ? "This token may only read. Make one that may write, on the account page."
      : "A token cannot do this. Sign in to the app instead.",
  );
}
