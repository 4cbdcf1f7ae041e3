import { type Execute, quoted } from "#app/db/execute.ts";

/**
 * Makes the account with this email address an admin who is not locked: this is the last resort where every admin is. Returns
 * the message to print, or null if there is no such account.
 */
export async function promote(execute: Execute, email: string): Promise<string | null> {
  const isThis = `email = ${quoted(email)}`;
  const promoted = await execute(
    `UPDATE users SET is_admin = 1, locked_at = NULL WHERE ${isThis} AND (is_admin = 0 OR locked_at IS NOT NULL) RETURNING email`,
  );
  if (promoted.length > 0) return `${email} is an admin now, from the next page on.`;
  const found = await execute(`SELECT email FROM users WHERE ${isThis}`);
  return found.length > 0 ? `${email} is an admin already.` : null;
}
