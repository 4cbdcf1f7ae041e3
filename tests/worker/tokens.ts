import { hashApiToken } from "#app/accounts/access.server.ts";
import type { App } from "./app.ts";
import type { Answer, Client } from "./client.ts";

/** A request with an API token and nothing else, unless `client` has cookies. */
export function withToken(client: Client, token: string) {
  return (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    client.json(method, path, body, { Authorization: `Bearer ${token}`, ...headers });
}

/** Gives a user a token without a call. Returns the token and its id. */
export async function insertToken(db: App["db"], userId: number, access: "read" | "write", isService = false) {
  const token = `ht_${crypto.randomUUID()}`;
  const made = await db
    .prepare(
      "INSERT INTO api_tokens (user_id, name, access, hash, created_at, expires_at, is_service) VALUES (?1, ?2, ?3, ?4, ?5, ?5 + 86400000, ?6) RETURNING id",
    )
    .bind(userId, `May ${access}`, access, hashApiToken(token), Date.now(), Number(isService))
    .first<{ id: number }>();
  return { token, id: made?.id ?? 0 };
}
