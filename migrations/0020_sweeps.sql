-- What the sweeps of app/sweeps need, so that no table grows without bound and no sweep reads a row that it keeps.
-- See docs/decisions/0064-sweeps-and-scale.md.

-- The addresses that a technician has caused emails to, which are then not new to them for a year. The messages
-- themselves are deleted 30 days after their end.
CREATE TABLE known_recipients (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- As in the outbox: an HMAC by SESSION_SECRET of the technician and the address.
  recipient TEXT NOT NULL CHECK (length(recipient) = 64),
  -- When the last message was queued that is not in the outbox any more.
  last_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, recipient)
) STRICT, WITHOUT ROWID;

CREATE INDEX known_recipients_by_time ON known_recipients (last_at);

-- The last run of all sweeps, and how many rows it removed. One row.
CREATE TABLE sweep_runs (
  name TEXT PRIMARY KEY CHECK (name = 'all'),
  at INTEGER NOT NULL,
  removed INTEGER NOT NULL CHECK (removed >= 0)
) STRICT, WITHOUT ROWID;

-- Messages that ended before this was noted are swept too.
UPDATE outbox SET ended_at = created_at WHERE due_at IS NULL AND ended_at IS NULL;
CREATE INDEX outbox_by_end ON outbox (ended_at) WHERE ended_at IS NOT NULL;
-- Was for forgetting recipients after a year.
DROP INDEX outbox_recipient_by_time;

CREATE INDEX users_by_reset ON users (reset_token_expiry) WHERE reset_token_expiry IS NOT NULL;
CREATE INDEX imports_unused ON imports (created_at) WHERE applied_at IS NULL;
CREATE INDEX supervisor_notices_by_expiry ON supervisor_notices (expires_at);
-- A notice was looked for in the whole table at each attempt to send it.
CREATE UNIQUE INDEX supervisor_notices_by_nonce ON supervisor_notices (nonce);
-- Requests that have ended and still have what only an open one needs. A nonce of zeros has been swept.
CREATE INDEX verification_requests_to_strip ON verification_requests (ended_at)
  WHERE ended_at IS NOT NULL AND nonce <> '00000000000000000000000000000000';

-- Also for requests that have ended: what a notice tells of is looked for by the address, in all of them.
DROP INDEX verification_requests_by_supervisor;
CREATE INDEX verification_requests_by_supervisor ON verification_requests (supervisor_email, ended_at);
