import { createHash, randomBytes } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, type SQL, sql } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { sessions, users } from "#app/db/schema.ts";

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

/**
 * A new session: its token for the cookie, and the statement that stores it, with the client's address, place and
 * browser. The condition `who` selects the user; if it selects none, or a locked one, no session is stored.
 */
export function newSession({ db, now, client }: AppLoadContext, who: SQL) {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = now.getTime() + SESSION_SECONDS * 1000;
  const insert = db
    .insert(sessions)
    .select(sql`SELECT ${sessionId(token)}, ${users.id}, ${now.getTime()}, ${expiresAt}, ${randomBytes(8).toString("hex")},
      ${client.address}, ${client.place}, ${client.browser} FROM ${users} WHERE ${who} AND locked_at IS NULL`);
  return { token, insert };
}

/** The statement that deletes a session. Returns its user's id, or no row. */
export function endSession(db: Db, token: string) {
  return db
    .delete(sessions)
    .where(eq(sessions.id, sessionId(token)))
    .returning({ userId: sessions.userId });
}
