-- A message that is not sent any more is `cancelled`, as in the API; the word was `moot`. SQLite cannot change a CHECK, so the
-- table is copied. Nothing refers to it.

CREATE TABLE outbox_copy (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  -- The technician whom it is about.
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Which submission of a form caused it; see app/db/submission.server.ts.
  submission TEXT,
  state TEXT NOT NULL
    CHECK (state IN ('waiting', 'claimed', 'sending', 'sent', 'failed', 'unknown', 'cancelled')),
  -- How often it was sent to the mail service, and how many of these attempts have an unknown outcome.
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  doubts INTEGER NOT NULL DEFAULT 0 CHECK (doubts BETWEEN 0 AND 2),
  -- The sweep that has claimed it; before the first attempt, the request that stored it.
  lease TEXT,
  -- When it may be claimed (again); NULL once it has ended.
  due_at INTEGER,
  -- Why it failed.
  reason TEXT CHECK (reason IN ('not_set_up', 'refused', 'gave_up')),
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  -- The recipient, as an HMAC by SESSION_SECRET of the technician and the address. No address can be read out of it. NULL in
  -- messages to technicians and in those that were not queued.
  recipient TEXT CHECK (length(recipient) = 64),
  -- The verification request that it is about. It may come to refer to nothing: the message is then cancelled.
  request_id INTEGER,
  CHECK ((due_at IS NULL) = (state IN ('sent', 'failed', 'unknown', 'cancelled'))),
  CHECK (due_at IS NULL OR ended_at IS NULL),
  CHECK ((reason IS NULL) = (state <> 'failed'))
) STRICT;

-- Its counter too, or the id of the last message would be given again if that message was deleted. DROP TABLE removes the
-- counter of the old table, RENAME renames that of the copy.
INSERT INTO sqlite_sequence (name, seq) SELECT 'outbox_copy', seq FROM sqlite_sequence WHERE name = 'outbox';
INSERT INTO outbox_copy
SELECT id, kind, user_id, submission, iif(state = 'moot', 'cancelled', state), attempts, doubts, lease, due_at, reason,
  created_at, ended_at, recipient, request_id
FROM outbox;
DROP TABLE outbox;
ALTER TABLE outbox_copy RENAME TO outbox;

CREATE INDEX outbox_due ON outbox (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_by_lease ON outbox (lease) WHERE lease IS NOT NULL;
CREATE INDEX outbox_by_user ON outbox (user_id, kind, created_at);
CREATE INDEX outbox_by_request ON outbox (request_id) WHERE request_id IS NOT NULL;
-- Covers the limits of a technician: an email for a record and address, and new addresses.
CREATE INDEX outbox_by_recipient ON outbox (user_id, recipient, request_id, created_at, state, doubts)
  WHERE recipient IS NOT NULL;
CREATE INDEX outbox_by_end ON outbox (ended_at) WHERE ended_at IS NOT NULL;
