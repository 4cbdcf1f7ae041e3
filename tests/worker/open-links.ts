import { hashLinkToken } from "#app/accounts/link-token.server.ts";

/** Gives a user an open reset link that was not mailed. */
export async function openReset(db: D1Database, userId: number, token: string): Promise<void> {
  await db
    .prepare("UPDATE users SET reset_token = ?, reset_token_expiry = ?, reset_nonce = 'of a test' WHERE id = ?")
    .bind(hashLinkToken(token), Date.now() + 3_600_000, userId)
    .run();
}

/** Gives a user an open change of the email address without an email. Returns the new address. */
export async function openEmailChange(
  db: D1Database,
  { id, email }: { id: number; email: string },
  token: string,
  newEmail = `new-${id}-${token.slice(0, 8)}@example.com`,
): Promise<string> {
  const [now, nonce] = [Date.now(), "of a test"];
  await db.batch([
    db.prepare("DELETE FROM account_links WHERE user_id = ? AND purpose = 'change' AND used_at IS NULL").bind(id),
    db
      .prepare(
        `INSERT INTO account_links (user_id, purpose, old_email, email, token, nonce, created_at, expires_at)
          VALUES (?, 'change', ?, ?, ?, ?, ?, ?)`,
      )
      .bind(id, email, newEmail, hashLinkToken(token), nonce, now, now + 3_600_000),
  ]);
  return newEmail;
}
