-- Lists that grow with the product (kinds of messages, kinds of records) are checked by the app, not by the database:
-- SQLite cannot change a CHECK, so each new word would copy the table. See docs/decisions/0048-lists-that-grow.md.
-- Nothing refers to these two tables, so they may be copied.

CREATE TABLE outbox_copy (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  -- The technician whom it is about. The other ids may come to refer to nothing: the message then ends unsent.
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  record_kind TEXT,
  record_id INTEGER,
  supervisor_id INTEGER,
  -- Which submission of a form caused it; see app/db/submission.server.ts.
  submission TEXT,
  state TEXT NOT NULL
    CHECK (state IN ('waiting', 'claimed', 'sending', 'sent', 'failed', 'unknown', 'moot')),
  -- How often it was sent to the mail service, and how many of these attempts have an unknown outcome.
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  doubts INTEGER NOT NULL DEFAULT 0 CHECK (doubts BETWEEN 0 AND 2),
  -- Who has claimed it; before the first attempt, the request that stored it.
  lease TEXT,
  -- When it may be claimed (again); NULL once it has ended.
  due_at INTEGER,
  -- Why it failed.
  reason TEXT CHECK (reason IN ('not_set_up', 'refused', 'gave_up')),
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  -- Whom a message was queued for: an HMAC by SESSION_SECRET of the technician and the address. No address can be read
  -- out of it. NULL in messages to technicians, in those that were not queued, and a year after the message.
  recipient TEXT CHECK (length(recipient) = 64),
  -- Why the link that it carries has ended. After an edit another email about the record may follow within a day.
  link_ended TEXT CHECK (link_ended IN ('withdrawn', 'edited', 'deleted', 'declined', 'expired')),
  -- The verification request that it is about.
  request_id INTEGER,
  CHECK ((due_at IS NULL) = (state IN ('sent', 'failed', 'unknown', 'moot'))),
  CHECK (due_at IS NULL OR ended_at IS NULL),
  CHECK ((reason IS NULL) = (state <> 'failed'))
) STRICT;

INSERT INTO outbox_copy SELECT *, NULL FROM outbox;
DROP TABLE outbox;
ALTER TABLE outbox_copy RENAME TO outbox;

CREATE INDEX outbox_due ON outbox (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_by_lease ON outbox (lease) WHERE lease IS NOT NULL;
CREATE INDEX outbox_by_record ON outbox (user_id, record_kind, record_id);
CREATE INDEX outbox_by_request ON outbox (request_id) WHERE request_id IS NOT NULL;
CREATE INDEX outbox_by_recipient ON outbox
  (user_id, recipient, record_kind, record_id, link_ended, created_at, state, doubts) WHERE recipient IS NOT NULL;
CREATE INDEX outbox_recipient_by_time ON outbox (created_at) WHERE recipient IS NOT NULL;

CREATE TABLE deleted_records_copy (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  record_kind TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The row as it was, in JSON.
  content TEXT NOT NULL CHECK (json_valid(content)),
  deleted_at INTEGER NOT NULL
) STRICT;

INSERT INTO deleted_records_copy SELECT * FROM deleted_records;
DROP TABLE deleted_records;
ALTER TABLE deleted_records_copy RENAME TO deleted_records;

CREATE UNIQUE INDEX deleted_records_by_record ON deleted_records (record_kind, record_id);
CREATE INDEX deleted_records_by_user ON deleted_records (user_id);
CREATE INDEX deleted_records_by_time ON deleted_records (deleted_at);
