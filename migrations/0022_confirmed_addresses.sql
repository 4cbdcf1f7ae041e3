-- The address of an account is confirmed by a link that is mailed to it; see docs/decisions/0071-confirming-the-address.md.

-- When a link that was mailed to the account's present address was last used; NULL before.
ALTER TABLE users ADD COLUMN email_confirmed_at INTEGER;

-- Links that confirm the address of an account. A row is deleted when its link has expired.
CREATE TABLE email_confirmations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  -- The hash of the link's token, and the nonce from which the token is derived again; see link-token.server.ts.
  token TEXT NOT NULL UNIQUE CHECK (length(token) = 64),
  nonce TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- When the address was confirmed with it; NULL before.
  used_at INTEGER
) STRICT;

-- One open link for each account.
CREATE UNIQUE INDEX email_confirmations_open ON email_confirmations (user_id) WHERE used_at IS NULL;
CREATE INDEX email_confirmations_by_user ON email_confirmations (user_id);
CREATE INDEX email_confirmations_by_expiry ON email_confirmations (expires_at);

-- Why the last email about the request was not queued; NULL if it was. An `unconfirmed` one waits until the technician has
-- confirmed their address; it is then `released`, and the timer queues it.
ALTER TABLE verification_requests ADD COLUMN email_withheld TEXT
  CHECK (email_withheld IN ('unconfirmed', 'released', 'limit', 'suppressed', 'off'));

CREATE INDEX verification_requests_withheld ON verification_requests (user_id)
  WHERE email_withheld = 'unconfirmed' AND ended_at IS NULL;
CREATE INDEX verification_requests_released ON verification_requests (email_withheld, asked_at)
  WHERE email_withheld = 'released';

-- Whatever confirms an address: the link, a reset or a change.
CREATE TRIGGER confirming_releases_emails AFTER UPDATE OF email_confirmed_at ON users
WHEN NEW.email_confirmed_at IS NOT NULL AND OLD.email_confirmed_at IS NULL
BEGIN
  UPDATE verification_requests SET email_withheld = 'released'
  WHERE user_id = NEW.id AND email_withheld = 'unconfirmed' AND ended_at IS NULL;
END;
