-- Changes of an account's email address; see docs/decisions/0050-changing-the-email-address.md.

-- Requested changes. A row is deleted when its link has expired; a used one a day later, when the email to the old
-- address has been sent.
CREATE TABLE email_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  old_email TEXT NOT NULL,
  new_email TEXT NOT NULL CHECK (new_email <> old_email),
  -- The hash of the link's token, and the nonce from which the token is derived again; see link-token.server.ts.
  token TEXT NOT NULL UNIQUE CHECK (length(token) = 64),
  nonce TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- When the address was changed; NULL before.
  used_at INTEGER
) STRICT;

-- One open change for each account.
CREATE UNIQUE INDEX email_changes_open ON email_changes (user_id) WHERE used_at IS NULL;
CREATE INDEX email_changes_by_user ON email_changes (user_id);
CREATE INDEX email_changes_by_expiry ON email_changes (expires_at);

-- The addresses that an account had before: none of them may be that of its supervisor.
CREATE TABLE earlier_addresses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- An HMAC by SESSION_SECRET of the account and the address. No address can be read out of it.
  address TEXT NOT NULL CHECK (length(address) = 64),
  -- When the account got another address.
  created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX earlier_addresses_by_user ON earlier_addresses (user_id, address);
