import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { searchText } from "#app/plain-text.ts";
import { noticeToken } from "#app/supervisor-mail/notice.server.ts";
import { ask, borrowedDatabase, type Reply } from "#scripts/lib/borrowed-database.ts";
import { PASSWORD_HASH } from "#tests/worker/password.ts";

/** The file with the path of the socket through which `npm start` lends its database (scripts/lib/holder.ts). */
export const SOCKET_FILE = join(process.env.BROWSER_TEST_DATA ?? "", "database-socket");

/** The database of the app under test. */
function database(): D1Database {
  return borrowedDatabase((question) => ask<Reply>({ socketPath: readFileSync(SOCKET_FILE, "utf8") }, question));
}

/** Whether the app under test lends its database. The executable does not. */
export function hasDatabase(): boolean {
  return existsSync(SOCKET_FILE);
}

/** Stores a user whose password is `PASSWORD`, with a hash that costs no time. */
export async function storeUser(email: string, name: string | null, employeeNumber: string | null): Promise<void> {
  await database()
    .prepare(
      "INSERT INTO users (email, password, name, employee_number, search, created_at, email_confirmed_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
    )
    .bind(email, PASSWORD_HASH, name, employeeNumber, searchText(name, email, employeeNumber), Date.now())
    .run();
}

/** Makes a user an admin, as `npm run admin` does. */
export async function storeAdmin(email: string): Promise<void> {
  await database().prepare("UPDATE users SET is_admin = 1 WHERE email = ?").bind(email).run();
}

/**
 * Stores a notice of what was verified for a technician. The timer makes one each minute. Returns the paths of its links.
 */
export async function storeNotice(email: string): Promise<{ disown: string; confirm: string }> {
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const now = Date.now();
  const notice = await database()
    .prepare(
      "INSERT INTO supervisor_notices (recipient, nonce, created_at, expires_at) VALUES (?, ?, ?, ?) RETURNING id",
    )
    .bind(nonce + nonce, nonce, now, now + 1_000_000)
    .first<{ id: number }>();
  const id = notice?.id ?? 0;
  await database()
    .prepare(
      `UPDATE verification_answers SET notice_id = ? WHERE request_id IN (
        SELECT id FROM verification_requests WHERE user_id = (SELECT id FROM users WHERE email = ?))`,
    )
    .bind(id, email)
    .run();
  const secret = readFileSync(join(process.env.BROWSER_TEST_DATA ?? "", "session-secret"), "utf8").trim();
  const pathTo = (use: "disown" | "confirm") => `/${use}/${noticeToken(secret, use, { id, nonce })}`;
  return { disown: pathTo("disown"), confirm: pathTo("confirm") };
}
