import { createHash } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, gt, inArray, isNull, lte, or, sql } from "drizzle-orm";
import type { Owner, Rows } from "#app/db/client.server.ts";
import { AppError } from "#app/errors.ts";
import { countAttempt, latest, requireBelowLimit, tokenLimit } from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { isSafe } from "#app/server/request-line.ts";
import { addDays, formatDate } from "#app/ui/calendar-date.ts";
import { apiTokens, type TokenAccess } from "./api-tokens.table.ts";

/** How exactly the last use is known, in milliseconds: a write for each call would cost more than the call. */
const USED_MS = 60 * 60 * 1000;

/** The hash of a token. D1 stores only the hash, so a copy of the table cannot be used to sign in. */
export function hashApiToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The access that a token needs for this request; none if no token may do it. */
function allowedAccess({ visit, tokenUse }: AppLoadContext): TokenAccess[] {
  if (tokenUse === "none") return [];
  if (isSafe(visit)) return ["read", "write"];
  return tokenUse === "read" ? [] : ["write"];
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
export function tokenOwner(context: AppLoadContext, token: string): Owner {
  const allowed = allowedAccess(context);
  if (allowed.length === 0) return sql<number>`NULL`;
  const isCurrent = and(eq(apiTokens.hash, hashApiToken(token)), gt(apiTokens.expiresAt, context.now));
  const isAllowed = and(isCurrent, inArray(apiTokens.access, allowed));
  return sql<number>`(SELECT ${apiTokens.userId} FROM ${apiTokens} WHERE ${isAllowed})`;
}

/** The queries that find a token, note its use and count an unknown one, for the batch that reads as its user. */
export function tokenQueries(context: AppLoadContext, token: string) {
  const { db, now } = context;
  const isToken = eq(apiTokens.hash, hashApiToken(token));
  const { userId, access, expiresAt } = apiTokens;
  const found = db.select({ userId, access, expiresAt }).from(apiTokens).where(isToken);
  const isStale = or(
    isNull(apiTokens.lastUsedAt),
    lte(apiTokens.lastUsedAt, new Date(now.getTime() - USED_MS)),
    gt(apiTokens.lastUsedAt, latest(now)), // by a clock that was ahead
  );
  return {
    ...countAttempt(context, tokenLimit(context), sql`NOT EXISTS ${found}`),
    used: db
      .update(apiTokens)
      .set({ lastUsedAt: now })
      .where(and(isToken, gt(expiresAt, now), isStale)),
    found,
  };
}

/**
 * Refuses a request whose token is unknown or may not do it, by the rows of `tokenQueries`.
 * @throws {AppError} 401 for an unknown or ended token, 429 after too many of them from one network; 403 for a read token
 *   that writes, and for a call that needs a session
 */
export function requireTokenAccess(
  context: AppLoadContext,
  { full, found }: Rows<ReturnType<typeof tokenQueries>>,
): void {
  const [token] = found;
  if (!token) {
    requireBelowLimit(context, tokenLimit(context), full, "Too many unknown tokens were sent from your network.");
    throw new AppError("unauthorized", "Unauthorized");
  }
  if (token.expiresAt <= context.now) {
    const lastDay = formatDate(addDays(token.expiresAt.toISOString().slice(0, 10), -1));
    throw new AppError(
      "token_ended",
      `This token ended: its last day was ${lastDay}. Make another one on the account page.`,
    );
  }
  context.isReadOnly = token.access === "read";
  if (allowedAccess(context).includes(token.access)) return;
  context.visit.userId = token.userId;
  securityEvent(context, "token_refused");
  throw new AppError(
    allowedAccess(context).length > 0 ? "read_only_token" : "session_only",
    allowedAccess(context).length > 0
      ? "This token may only read. Make one that may write, on the account page."
      : "A token cannot do this. Sign in to the app instead.",
  );
}
