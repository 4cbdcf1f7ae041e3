-- The outbox: each message is stored with the change that causes it, as its kind and the ids that it needs. No link and
-- no token is in here; they are made when the message is sent. See app/mail/outbox.server.ts.

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL
    CHECK (kind IN ('verification_requested', 'hours_verified', 'password_reset', 'password_changed')),
  -- The technician whom it is about. The other ids may come to refer to nothing: the message then ends unsent.
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  record_kind TEXT CHECK (record_kind IN ('entry', 'rope_hour')),
  record_id INTEGER,
  supervisor_id INTEGER,
  -- Which sending of a form caused it; see app/db/submission.server.ts.
  submission TEXT,
  state TEXT NOT NULL
    CHECK (state IN ('waiting', 'claimed', 'sending', 'sent', 'failed', 'unknown', 'moot')),
  -- How often it was handed to the mail service, and after how many of those nobody knows what became of it.
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  doubts INTEGER NOT NULL DEFAULT 0 CHECK (doubts BETWEEN 0 AND 2),
  -- Whose turn it is; before its first turn, the request that stored it.
  lease TEXT,
  -- When it may be taken (again); NULL once it has ended.
  due_at INTEGER,
  -- Why it failed.
  reason TEXT CHECK (reason IN ('not_set_up', 'refused', 'gave_up')),
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  CHECK ((record_kind IS NULL) = (record_id IS NULL)),
  CHECK ((due_at IS NULL) = (state IN ('sent', 'failed', 'unknown', 'moot'))),
  CHECK (due_at IS NULL OR ended_at IS NULL),
  CHECK ((reason IS NULL) = (state <> 'failed'))
) STRICT;

CREATE INDEX outbox_due ON outbox (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_by_lease ON outbox (lease) WHERE lease IS NOT NULL;
CREATE INDEX outbox_by_record ON outbox (user_id, record_kind, record_id);

-- With the secret and the id, what a reset token is made of; see app/accounts/reset-token.server.ts.
ALTER TABLE users ADD COLUMN reset_nonce TEXT CHECK ((reset_nonce IS NULL) = (reset_token IS NULL));
