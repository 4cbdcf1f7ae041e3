import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { searchText } from "#app/db/search-text.ts";
import { ask } from "#scripts/lib/ask.ts";
import { borrowedDatabase, type Reply } from "#scripts/lib/borrowed-database.ts";
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
    .prepare("INSERT INTO users (email, password, name, employee_number, search, created_at) VALUES (?, ?, ?, ?, ?, ?)")
    .bind(email, PASSWORD_HASH, name, employeeNumber, searchText(name, email, employeeNumber), Date.now())
    .run();
}

/** Makes a user an admin, as `npm run admin` does. */
export async function storeAdmin(email: string): Promise<void> {
  await database().prepare("UPDATE users SET is_admin = 1 WHERE email = ?").bind(email).run();
}
