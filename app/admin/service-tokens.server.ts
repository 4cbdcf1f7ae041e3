import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, desc, eq, sql } from "drizzle-orm";
import { requireAdmin } from "#app/accounts/access.server.ts";
import { type OwnToken, tokenColumns } from "#app/accounts/api-tokens.server.ts";
import { apiTokens } from "#app/accounts/api-tokens.table.ts";
import type { User } from "#app/accounts/user.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { ifAdmin } from "./lists.server.ts";

/*
 * Service tokens: with one a program of the company reads what is of all accounts, without the account of a person. Every admin
 * sees and ends all of them.
 */

/** The page of service tokens. */
export const SERVICE_TOKENS_PATH = "/admin/tokens";

/** A service token, and the admin who made it, with whose role it ends. */
export interface ServiceToken extends OwnToken {
  user: Pick<User, "id" | "name" | "email">;
}

const maker = (name: "id" | "name" | "email") =>
  sql`(SELECT ${sql.raw(name)} FROM ${users} WHERE id = api_tokens.user_id)`;

/** The service tokens of all admins, newest first, those of which the id is less than `before`. */
export function listServiceTokens(
  db: Db,
  viewer: Owner,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
) {
  const user = sql<string>`json_object('id', ${maker("id")}, 'name', ${maker("name")}, 'email', ${maker("email")})`;
  return db
    .select({
      ...tokenColumns,
      user: user.mapWith((json): ServiceToken["user"] => JSON.parse(json)).as("made_by"),
    })
    .from(apiTokens)
    .where(sql`api_tokens.is_service = 1 AND api_tokens.id < ${ifAdmin(viewer, before)}`)
    .orderBy(desc(apiTokens.id))
    .limit(limit);
}

/**
 * Ends a service token, of any admin, in one round trip.
 * @throws as `requireAdmin`; {AppError} 404 if there is no such token
 */
export async function endServiceToken(context: AppLoadContext, id: number): Promise<void> {
  const { ended } = await requireAdmin(context, (viewer, db) => ({
    ended: db
      .delete(apiTokens)
      .where(and(eq(apiTokens.isService, true), eq(apiTokens.id, ifAdmin(viewer, id))))
      .returning({ id: apiTokens.id }),
  }));
  if (ended.length === 0) throw new AppError("not_found", "There is no such token. It may have ended already.");
  securityEvent(context, "token_ended", { token: id });
}
