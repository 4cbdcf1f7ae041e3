import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, sql } from "drizzle-orm";
import { batch, type Db, noteViewer, type Owner, type Queries, type Rows } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import type { Toast } from "#app/server/flash.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import { isSafe } from "#app/server/request-line.ts";
import { nextPage, signInPath } from "./next-page.ts";
import { sessionOwner } from "./sessions.server.ts";
import { requireTokenAccess, tokenOwner, tokenQueries } from "./token-access.server.ts";
import type { User } from "./user.ts";
import { userColumns } from "./user-columns.server.ts";

const OTHERS = "These hours belong to another user, who has to sign in to send them.";

/** Hours that one user typed, sent with the session of another. By the error's path a browser tells it from other 403s. */
export class OtherUserError extends AppError {
  constructor() {
    super("other_user", OTHERS, [{ path: "For-User", message: OTHERS }]);
  }
}

/**
 * Refuses hours that a browser kept for one user and sends with the session of another: between the reading of the session
 * and the sending somebody else can have signed in on the device. `For-User` is the id of the user who typed them.
 * @throws {OtherUserError} 403 for another user's id
 */
export function requireSameUser({ headers }: Pick<Request, "headers">, { id }: User): void {
  const owner = headers.get("For-User");
  if (owner !== null && owner !== String(id)) {
    throw new OtherUserError();
  }
}

/** The viewer of each request, so that the loader after an action does not look them up again. */
const viewers = new WeakMap<AppLoadContext, User | null>();

/**
 * Returns the user of the session or API token, or null, and the results of `queries`, in one round trip. Each query gets
 * the owner for its WHERE: an expression that D1 resolves to that user, or to NULL, which owns no rows.
 * @throws {AppError} as `requireTokenAccess`, for a request with a token
 */
export async function queryAsViewer<Q extends Queries>(
  context: AppLoadContext,
  queries: (owner: Owner, db: Db) => Q,
): Promise<Rows<Q> & { viewer: User | null }> {
  const { viewer, answers } = await viewerAndRows(context, queries);
  return { ...answers, viewer };
}

async function viewerAndRows<Q extends Queries>(
  context: AppLoadContext,
  queries: (owner: Owner, db: Db) => Q,
): Promise<{ viewer: User | null; answers: Rows<Q> }> {
  const { db, sessionToken, apiToken, now } = context;
  const known = hasCredentials(context) ? viewers.get(context) : null;
  context.viewerWasChecked = true;
  if (known !== undefined) {
    return { viewer: known, answers: await batch(db, queries(known?.id ?? sql<number>`NULL`, db)) };
  }
  const owner = apiToken === null ? sessionOwner(sessionToken ?? "", now) : tokenOwner(context, apiToken);
  const { token, answers, found } = await batch(db, {
    token: apiToken === null ? {} : tokenQueries(context, apiToken),
    answers: queries(owner, db),
    found: db.select(userColumns).from(users).where(eq(users.id, owner)),
  });
  if (apiToken !== null) requireTokenAccess(context, token as Rows<ReturnType<typeof tokenQueries>>); // queried above
  const [viewer = null] = found;
  viewers.set(context, viewer);
  if (viewer) noteViewer(db, viewer);
  // One account has one turn, however many sessions it has: downloads that nobody reads would take them all.
  if (viewer && context.turn) context.turn.belongTo(`account ${viewer.id}`);
  context.visit.userId = viewer?.id ?? null;
  return { viewer, answers: answers as Rows<Q> }; // TypeScript cannot resolve it for a generic Q
}

/** Whether the request has a session or a token, valid or not. */
function hasCredentials({ sessionToken, apiToken }: AppLoadContext): boolean {
  return Boolean(sessionToken) || apiToken !== null;
}

/**
 * Returns the signed-in user and the results of `queries`, in one round trip.
 * @throws {AppError} 401 under /api
 * @throws {Response} a redirect to /auth elsewhere
 */
export async function requireUser<Q extends Queries = Record<never, never>>(
  context: AppLoadContext,
  queries: (owner: Owner, db: Db) => Q = () => ({}) as Q, // no queries
): Promise<Rows<Q> & { user: User }> {
  const none = () => ({}) as Q; // nobody reads their rows: without a session it throws
  const { viewer, answers } = await viewerAndRows(context, hasCredentials(context) ? queries : none);
  if (viewer) return { ...answers, user: viewer };
  throw await unauthorized(context);
}

const SIGNED_OUT: Toast = {
  kind: "error",
  title: "Please sign in again",
  text: "Your session has ended, so this is not saved yet. Hours that this browser has kept are sent once you are signed in.",
};

/**
 * What to throw if no user is signed in: 401 under /api, elsewhere a redirect to /auth, from where a page is opened again. Who sent
 * a form with a session that has ended is told so.
 */
export async function unauthorized(context: AppLoadContext): Promise<AppError | Response> {
  if (context.isApi) return new AppError("unauthorized", "Unauthorized");
  if (isSafe(context.visit)) return redirectTo(context, signInPath(context.url.pathname));
  return redirectTo(context, signInPath(null), context.sessionToken ? { toast: SIGNED_OUT } : {});
}

/**
 * Returns the signed-in admin and the results of `queries`.
 * @throws as `requireUser`; for other users 403 under /api, elsewhere a redirect to /profile with a toast (spec section 2)
 */
export async function requireAdmin<Q extends Queries = Record<never, never>>(
  context: AppLoadContext,
  queries?: (owner: Owner, db: Db) => Q,
): Promise<Rows<Q> & { user: User }> {
  const answers = await requireUser(context, queries);
  if (answers.user.isAdmin) return answers;
  securityEvent(context, "admin_refused");
  const text = "You don't have permission to access the admin page.";
  throw context.isApi
    ? new AppError("admin_only", `Access Denied: ${text}`)
    : await redirectTo(context, "/profile", { toast: { kind: "error", title: "Access Denied", text } });
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
