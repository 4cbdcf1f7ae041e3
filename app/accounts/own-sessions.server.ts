import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, desc, eq, gt, ne, sql } from "drizzle-orm";
import { batch, type Db, type Owner } from "#app/db/client.server.ts";
import { raiseRevisions } from "#app/db/commit.server.ts";
import { type SessionRow, sessions } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { requireUser, SESSIONS_MAX, sessionId } from "./access.server.ts";
import { browserName } from "./browser-name.ts";

/** A session as its owner sees it: with a reference instead of the token's hash. */
export type OwnSession = Pick<SessionRow, "createdAt" | "address" | "place" | "browser"> & {
  reference: string;
  /** Whether this request belongs to it. */
  isCurrent: boolean;
};

/** The owner's active sessions: the current one first, then the others, newest first. */
export function listSessions({ sessionToken, now }: AppLoadContext, owner: Owner, db: Db) {
  return db
    .select({
      reference: sql<string>`${sessions.reference}`.as("own_reference"), // every row has one
      isCurrent: sql`${sessions.id} = ${sessionId(sessionToken ?? "")}`.mapWith(Boolean).as("is_current"),
      createdAt: sessions.createdAt,
      address: sessions.address,
      place: sessions.place,
      browser: sql`${sessions.browser}`.mapWith(browserName).as("browser_name"),
    })
    .from(sessions)
    .where(and(eq(sessions.userId, owner), gt(sessions.expiresAt, now)))
    .orderBy(desc(sql`is_current`), desc(sessions.createdAt))
    .limit(SESSIONS_MAX);
}

/**
 * Ends one of the user's sessions: what it is just doing is decided again, and then refused. Returns whether it was the current one.
 * @throws {AppError} 404 if the user has no session with this reference
 */
export async function endOwnSession(context: AppLoadContext, reference: string): Promise<boolean> {
  const { db } = context;
  const { user } = await requireUser(context);
  const {
    ended: [ended],
  } = await batch(db, {
    guard: raiseRevisions(db, sql`${user.id}`),
    ended: db
      .delete(sessions)
      .where(and(eq(sessions.userId, user.id), eq(sessions.reference, reference)))
      .returning({ id: sessions.id }),
  });
  if (!ended) throw new AppError("not_found", "There is no such session. It may have ended already.");
  securityEvent(context, "sessions_ended", { sessions: 1 });
  return ended.id === sessionId(context.sessionToken ?? "");
}

/** Ends all sessions of the user except the current one, in one round trip. Returns how many there were. */
export async function endOtherSessions(context: AppLoadContext): Promise<number> {
  const { ended } = await requireUser(context, (owner, db) => ({
    guard: raiseRevisions(db, sql`${owner}`),
    ended: db
      .delete(sessions)
      .where(and(eq(sessions.userId, owner), ne(sessions.id, sessionId(context.sessionToken ?? ""))))
      .returning({ reference: sessions.reference }),
  }));
  if (ended.length > 0) securityEvent(context, "sessions_ended", { sessions: ended.length });
  return ended.length;
}
