import { type Execute, quoted } from "#app/db/client.server.ts";

/**
 * Makes the account with this email address an admin who is not locked: this is the last resort where every admin is. Returns
 * the message to print, which says what was changed, or null if there is no such account.
 */
export async function promote(execute: Execute, email: string): Promise<string | null> {
  const isThis = `email = ${quoted(email)}`;
  const [before] = await execute(`SELECT is_admin, locked_at FROM users WHERE ${isThis}`);
  if (!before) return null;
  const isLocked = before.locked_at !== null;
  if (before.is_admin && !isLocked) return `${email} is an admin already.`;
  // With the revision: what the account is just doing is decided again (app/db/commit.server.ts).
  await execute(
    `UPDATE users SET revision = revision + 1, is_admin = 1, locked_at = NULL, left_on = NULL WHERE ${isThis}`,
  );
  const unlocked = isLocked ? ` The account was locked, and is unlocked now.` : "";
  return before.is_admin
    ? `${email} is an admin already.${unlocked}`
    : `${email} is an admin now, from the next page on.${unlocked}`;
}
