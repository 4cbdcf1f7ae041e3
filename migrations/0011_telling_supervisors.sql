-- What supervisors are told besides requests: reminders, what was verified in their name, and how to stop all emails.

-- A notice tells an address what was verified in its name, with a link to disown it: at most one a day.
CREATE TABLE supervisor_notices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- An HMAC by SESSION_SECRET of the mailbox.
  recipient TEXT NOT NULL CHECK (length(recipient) = 64),
  -- With the secret and the id, what its link is made of.
  nonce TEXT NOT NULL DEFAULT (lower(hex(randomblob(16)))) CHECK (length(nonce) = 32),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL CHECK (expires_at > created_at)
) STRICT;

CREATE INDEX supervisor_notices_by_recipient ON supervisor_notices (recipient, created_at);

ALTER TABLE verification_answers ADD COLUMN notice_id INTEGER REFERENCES supervisor_notices (id) ON DELETE SET NULL;
CREATE INDEX verification_answers_by_notice ON verification_answers (notice_id) WHERE notice_id IS NOT NULL;
CREATE INDEX verification_answers_unnoticed ON verification_answers (at) WHERE notice_id IS NULL;

-- Addresses that asked for no more emails: an HMAC by SESSION_SECRET of the mailbox.
CREATE TABLE suppressed_addresses (
  subject TEXT PRIMARY KEY CHECK (length(subject) = 64),
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How many reminders went out, when the next one is due (NULL: none any more), and where day and night are known from: the
-- technician's time zone when they asked, and the supervisor's when they last opened a link.
ALTER TABLE verification_requests ADD COLUMN reminded INTEGER NOT NULL DEFAULT 0 CHECK (reminded BETWEEN 0 AND 3);
ALTER TABLE verification_requests ADD COLUMN remind_at INTEGER;
ALTER TABLE verification_requests ADD COLUMN time_zone TEXT CHECK (length(time_zone) BETWEEN 1 AND 64);
ALTER TABLE verification_requests ADD COLUMN supervisor_time_zone TEXT CHECK (length(supervisor_time_zone) BETWEEN 1 AND 64);
-- Links of before get their reminders too, from today on.
UPDATE verification_requests SET remind_at = (unixepoch() + 5 * 86400) * 1000
WHERE ended_at IS NULL AND supervisor_email IS NOT NULL;
CREATE INDEX verification_requests_to_remind ON verification_requests (remind_at)
  WHERE remind_at IS NOT NULL AND ended_at IS NULL AND reminders = 1;
