import { createHash, randomBytes } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, lte, type SQL, sql } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { sessions, users } from "#app/db/schema.ts";

/** How long a session lasts from sign-in, in seconds: 30 days. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

/** D1 keeps only this of a session's token: who reads the table can sign in as nobody. */
export function sessionId(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Whose session this is, as an expression, so that one batch can ask for the person and for what is theirs. */
export function sessionOwner(token: string, now: Date): Owner {
  return sql<number>`(SELECT ${sessions.userId} FROM ${sessions} WHERE ${sessions.id} = ${sessionId(token)} AND ${sessions.expiresAt} > ${now.getTime()})`;
}

/**
 * A new session for the user that `who` selects: its token for the cookie, and the statement that stores it, with from
 * where it is opened; it stores nothing where `who` selects nobody.
 */
export function newSession({ db, now, client }: AppLoadContext, who: SQL) {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = now.getTime() + SESSION_SECONDS * 1000;
  const insert = db
    .insert(sessions)
    .select(sql`SELECT ${sessionId(token)}, ${users.id}, ${now.getTime()}, ${expiresAt}, ${randomBytes(8).toString("hex")},
      ${client.address}, ${client.place}, ${client.browser} FROM ${users} WHERE ${who}`);
  return { token, insert };
}

/** Ends a session. Answers whose it was; nothing where there is none. */
export function endSession(db: Db, token: string) {
  return db
    .delete(sessions)
    .where(eq(sessions.id, sessionId(token)))
    .returning({ userId: sessions.userId });
}

/** Forgets sessions that are over. */
export async function sweepSessions(db: Db, now: Date): Promise<void> {
  await db.delete(sessions).where(lte(sessions.expiresAt, now));
}
