-- A verification request asks one supervisor to verify 1 to 100 records of one technician through one link.
-- See app/verification/link.server.ts and docs/decisions/0051-one-request-for-many-records.md.

CREATE TABLE verification_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The link's token. If it is also a record's verification_token, this is the request of the spec's dialog for that record.
  token TEXT NOT NULL UNIQUE CHECK (length(token) = 36),
  -- The supervisor in the technician's list; it may come to refer to nothing. Name and address are as they were when asked;
  -- NULL where they are not known (a request from before the audit log) or erased.
  supervisor_id INTEGER,
  supervisor_name TEXT CHECK (length(supervisor_name) BETWEEN 1 AND 200),
  supervisor_email TEXT CHECK (supervisor_email = lower(trim(supervisor_email)) AND length(supervisor_email) BETWEEN 3 AND 254),
  -- With the secret, the token and the address, what the secret of the mailed link is made of; new when readdressed.
  nonce TEXT NOT NULL DEFAULT (lower(hex(randomblob(16)))) CHECK (length(nonce) = 32),
  -- Whether reminders go out by themselves.
  reminders INTEGER NOT NULL DEFAULT 1 CHECK (reminders IN (0, 1)),
  -- Which submission of a form made it; see app/db/submission.server.ts.
  submission TEXT,
  created_at INTEGER NOT NULL,
  -- When it was last renewed, and when it expires.
  asked_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL CHECK (expires_at > asked_at),
  opened_at INTEGER,
  -- When the last item was decided or ended.
  ended_at INTEGER
) STRICT;

CREATE INDEX verification_requests_by_user ON verification_requests (user_id, created_at);
CREATE INDEX verification_requests_open ON verification_requests (user_id, created_at) WHERE ended_at IS NULL;
CREATE INDEX verification_requests_by_expiry ON verification_requests (expires_at) WHERE ended_at IS NULL;
CREATE INDEX verification_requests_by_supervisor ON verification_requests (supervisor_email) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX verification_requests_by_submission ON verification_requests (user_id, submission)
  WHERE submission IS NOT NULL;

-- One submission of a supervisor's answers: of all that are sent at once, one row is stored.
CREATE TABLE verification_answers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  request_id INTEGER NOT NULL REFERENCES verification_requests (id) ON DELETE CASCADE,
  -- Made for each attempt to store it, so that the statements beside it know whether it was stored.
  key TEXT NOT NULL UNIQUE CHECK (length(key) = 36),
  -- The name that the supervisor typed; NULL once it is erased.
  name TEXT CHECK (length(name) BETWEEN 1 AND 200),
  via TEXT NOT NULL CHECK (via IN ('mailbox', 'link')),
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX verification_answers_by_request ON verification_answers (request_id);

CREATE TABLE verification_items (
  request_id INTEGER NOT NULL REFERENCES verification_requests (id) ON DELETE CASCADE,
  record_kind TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  -- The order in which they were asked for.
  position INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'verified', 'declined', 'ended')),
  -- Why it ended: withdrawn, edited, deleted, expired, disowned, or elsewhere (decided through another request).
  cause TEXT,
  -- Why it was declined.
  reason TEXT CHECK (length(reason) BETWEEN 1 AND 500),
  decided_at INTEGER,
  -- Whether the record was edited after it was asked for: another email about it may then follow within a day.
  edited INTEGER NOT NULL DEFAULT 0 CHECK (edited IN (0, 1)),
  -- The answer that decided it.
  answer_id INTEGER REFERENCES verification_answers (id) ON DELETE SET NULL,
  PRIMARY KEY (request_id, record_kind, record_id),
  CHECK ((state = 'waiting') = (decided_at IS NULL)),
  CHECK ((state = 'ended') = (cause IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX verification_items_by_record ON verification_items (record_kind, record_id, state);
CREATE INDEX verification_items_by_answer ON verification_items (answer_id) WHERE answer_id IS NOT NULL;

-- What happened to a request, other than the decisions, which are in the audit logs of its records.
CREATE TABLE request_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  request_id INTEGER NOT NULL REFERENCES verification_requests (id) ON DELETE CASCADE,
  -- asked, mailed, opened
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Of the HTTP request that caused it; NULL for what the timer did, and once it is erased.
  address TEXT CHECK (length(address) BETWEEN 1 AND 64),
  browser TEXT CHECK (length(browser) BETWEEN 1 AND 300)
) STRICT;

CREATE INDEX request_events_by_request ON request_events (request_id, id);

-- When a supervisor was last asked to verify a record, while a request for it is open; when it was last declined, until it
-- is edited or asked for again; and how it was verified: through the mailbox of the supervisor, or by a link that anyone
-- may have sent. With `verified` these are a record's status.
ALTER TABLE entries ADD COLUMN requested_at INTEGER;
ALTER TABLE entries ADD COLUMN declined_at INTEGER;
ALTER TABLE entries ADD COLUMN verified_via TEXT
  CHECK (verified_via IS NULL OR (verified_via IN ('mailbox', 'link') AND verified = 1));
ALTER TABLE rope_hours ADD COLUMN requested_at INTEGER;
ALTER TABLE rope_hours ADD COLUMN declined_at INTEGER;
ALTER TABLE rope_hours ADD COLUMN verified_via TEXT
  CHECK (verified_via IS NULL OR (verified_via IN ('mailbox', 'link') AND verified = 1));

-- Every link of before becomes a request of one record. Open ones expire 90 days from now.
INSERT INTO verification_requests (user_id, token, supervisor_name, supervisor_email, created_at, asked_at, expires_at, ended_at)
SELECT record.user_id, record.verification_token,
  (SELECT facts ->> '$.supervisor.name' FROM verification_log AS log JOIN event_facts ON event_id = log.id
    WHERE log.record_kind = record.kind AND log.record_id = record.id AND event = 'requested' ORDER BY number DESC LIMIT 1),
  (SELECT facts ->> '$.supervisor.email' FROM verification_log AS log JOIN event_facts ON event_id = log.id
    WHERE log.record_kind = record.kind AND log.record_id = record.id AND event = 'requested' ORDER BY number DESC LIMIT 1),
  coalesce((SELECT min(at) FROM verification_log AS log WHERE log.record_kind = record.kind AND log.record_id = record.id
    AND event = 'requested' AND number > coalesce((SELECT max(number) FROM verification_log AS ended
      WHERE ended.record_kind = record.kind AND ended.record_id = record.id AND event = 'withdrawn'), 0)), record.created_at),
  coalesce((SELECT max(at) FROM verification_log AS log WHERE log.record_kind = record.kind AND log.record_id = record.id
    AND event = 'requested'), record.created_at),
  max((unixepoch() + 90 * 86400) * 1000, coalesce(record.verified_at, 0) + 1), record.verified_at
FROM (
  SELECT 'entry' AS kind, id, user_id, verification_token, verified_at, created_at FROM entries
  UNION ALL SELECT 'rope_hour', id, user_id, verification_token, verified_at, created_at FROM rope_hours
) AS record
WHERE verification_token IS NOT NULL ORDER BY 5;

INSERT INTO verification_items (request_id, record_kind, record_id, position, state, decided_at)
SELECT request.id, 'entry', record.id, 0, iif(verified, 'verified', 'waiting'), verified_at
FROM entries AS record JOIN verification_requests AS request ON request.token = record.verification_token;

INSERT INTO verification_items (request_id, record_kind, record_id, position, state, decided_at)
SELECT request.id, 'rope_hour', record.id, 0, iif(verified, 'verified', 'waiting'), verified_at
FROM rope_hours AS record JOIN verification_requests AS request ON request.token = record.verification_token;

INSERT OR IGNORE INTO verification_requests (user_id, token, created_at, asked_at, expires_at, ended_at)
SELECT user_id, token, ended_at - 1, ended_at - 1, ended_at, ended_at FROM ended_links;

INSERT INTO verification_items (request_id, record_kind, record_id, position, state, cause, decided_at, edited)
SELECT request.id, record_kind, record_id, 0, 'ended', cause, link.ended_at, cause = 'edited'
FROM ended_links AS link JOIN verification_requests AS request ON request.token = link.token;

DROP TABLE ended_links;

-- Messages refer to requests instead of records and supervisors: to that of the record's link, or to one that has ended
-- if theirs has.
UPDATE outbox SET request_id = coalesce(
  (SELECT max(request_id) FROM verification_items AS item
    WHERE item.record_kind = outbox.record_kind AND item.record_id = outbox.record_id
    AND (item.state = 'ended') = (link_ended IS NOT NULL)),
  (SELECT max(request_id) FROM verification_items AS item
    WHERE item.record_kind = outbox.record_kind AND item.record_id = outbox.record_id))
WHERE record_kind IS NOT NULL;
DROP INDEX outbox_by_record;
DROP INDEX outbox_by_recipient;
ALTER TABLE outbox DROP COLUMN record_kind;
ALTER TABLE outbox DROP COLUMN record_id;
ALTER TABLE outbox DROP COLUMN supervisor_id;
ALTER TABLE outbox DROP COLUMN link_ended;
CREATE INDEX outbox_by_user ON outbox (user_id, kind, created_at);
-- Covers the limits of a technician: an email for a record and address, and new addresses.
CREATE INDEX outbox_by_recipient ON outbox (user_id, recipient, request_id, created_at, state, doubts)
  WHERE recipient IS NOT NULL;

UPDATE entries SET requested_at = (
  SELECT asked_at FROM verification_requests WHERE token = entries.verification_token)
WHERE verified = 0 AND verification_token IS NOT NULL;
UPDATE rope_hours SET requested_at = (
  SELECT asked_at FROM verification_requests WHERE token = rope_hours.verification_token)
WHERE verified = 0 AND verification_token IS NOT NULL;

-- The hours that wait for a supervisor are added up from these indexes alone.
DROP INDEX entries_requested;
DROP INDEX rope_hours_requested;
CREATE INDEX entries_requested ON entries (user_id, requested_at, hours) WHERE requested_at IS NOT NULL;
CREATE INDEX rope_hours_requested ON rope_hours (user_id, requested_at, hours) WHERE requested_at IS NOT NULL;
-- For the records that can be asked for.
CREATE INDEX entries_unverified ON entries (user_id, date) WHERE verified = 0;
CREATE INDEX rope_hours_unverified ON rope_hours (user_id, start_date) WHERE verified = 0;

-- A request has ended once nothing in it waits.
CREATE TRIGGER verification_requests_end AFTER UPDATE OF state ON verification_items
WHEN NEW.state <> 'waiting' AND NOT EXISTS (
  SELECT 1 FROM verification_items WHERE request_id = NEW.request_id AND state = 'waiting')
BEGIN
  UPDATE verification_requests SET ended_at = NEW.decided_at WHERE id = NEW.request_id AND ended_at IS NULL;
END;

-- An unverified record follows its items, and loses the token of a request that ends. (What verifies a record sets these
-- columns itself.)
CREATE TRIGGER entries_are_requested AFTER INSERT ON verification_items WHEN NEW.record_kind = 'entry'
BEGIN
  UPDATE entries SET declined_at = NULL,
    requested_at = (SELECT asked_at FROM verification_requests WHERE id = NEW.request_id)
  WHERE id = NEW.record_id AND verified = 0 AND NEW.state = 'waiting';
END;

CREATE TRIGGER entries_are_decided AFTER UPDATE OF state ON verification_items WHEN NEW.record_kind = 'entry'
BEGIN
  UPDATE entries SET
    requested_at = (SELECT max(asked_at) FROM verification_requests WHERE id IN (SELECT request_id FROM verification_items
      WHERE record_kind = NEW.record_kind AND record_id = NEW.record_id AND state = 'waiting')),
    declined_at = iif(NEW.state = 'declined', NEW.decided_at, declined_at),
    verification_token = iif(verification_token = (SELECT token FROM verification_requests WHERE id = NEW.request_id),
      NULL, verification_token)
  WHERE id = NEW.record_id AND verified = 0;
END;

CREATE TRIGGER rope_hours_are_requested AFTER INSERT ON verification_items WHEN NEW.record_kind = 'rope_hour'
BEGIN
  UPDATE rope_hours SET declined_at = NULL,
    requested_at = (SELECT asked_at FROM verification_requests WHERE id = NEW.request_id)
  WHERE id = NEW.record_id AND verified = 0 AND NEW.state = 'waiting';
END;

CREATE TRIGGER rope_hours_are_decided AFTER UPDATE OF state ON verification_items WHEN NEW.record_kind = 'rope_hour'
BEGIN
  UPDATE rope_hours SET
    requested_at = (SELECT max(asked_at) FROM verification_requests WHERE id IN (SELECT request_id FROM verification_items
      WHERE record_kind = NEW.record_kind AND record_id = NEW.record_id AND state = 'waiting')),
    declined_at = iif(NEW.state = 'declined', NEW.decided_at, declined_at),
    verification_token = iif(verification_token = (SELECT token FROM verification_requests WHERE id = NEW.request_id),
      NULL, verification_token)
  WHERE id = NEW.record_id AND verified = 0;
END;

-- A verified record never changes again, with one exception: it is disowned. Then the columns of the verification are
-- cleared (and the verifier's name leaves the search text), after the event in its audit log.
DROP TRIGGER entries_verified_stays;
CREATE TRIGGER entries_verified_stays BEFORE UPDATE ON entries
WHEN (OLD.verified = 1 AND NOT (
    NEW.verified = 0 AND NEW.verified_by IS NULL AND NEW.verified_at IS NULL AND NEW.verified_via IS NULL
    AND NEW.id = OLD.id AND NEW.user_id = OLD.user_id AND NEW.date = OLD.date AND NEW.location = OLD.location
    AND NEW.method = OLD.method AND NEW.hours = OLD.hours AND NEW.verification_token IS OLD.verification_token
    AND NEW.submission IS OLD.submission AND NEW.created_at = OLD.created_at
    AND NEW.requested_at IS OLD.requested_at AND NEW.declined_at IS OLD.declined_at
    AND (SELECT event FROM verification_log WHERE record_kind = 'entry' AND record_id = OLD.id
      ORDER BY number DESC LIMIT 1) IS 'disowned'))
  OR EXISTS (
    SELECT 1 FROM entries WHERE verified = 1 AND id <> OLD.id
    AND (id = NEW.id OR verification_token = NEW.verification_token))
BEGIN
  SELECT RAISE(ABORT, 'a verified record never changes');
END;

DROP TRIGGER rope_hours_verified_stays;
CREATE TRIGGER rope_hours_verified_stays BEFORE UPDATE ON rope_hours
WHEN (OLD.verified = 1 AND NOT (
    NEW.verified = 0 AND NEW.verified_by IS NULL AND NEW.verified_at IS NULL AND NEW.verified_via IS NULL
    AND NEW.id = OLD.id AND NEW.user_id = OLD.user_id AND NEW.start_date = OLD.start_date
    AND NEW.end_date = OLD.end_date AND NEW.location = OLD.location AND NEW.skills = OLD.skills
    AND NEW.hours = OLD.hours AND NEW.verification_token IS OLD.verification_token
    AND NEW.submission IS OLD.submission AND NEW.created_at = OLD.created_at
    AND NEW.requested_at IS OLD.requested_at AND NEW.declined_at IS OLD.declined_at
    AND (SELECT event FROM verification_log WHERE record_kind = 'rope_hour' AND record_id = OLD.id
      ORDER BY number DESC LIMIT 1) IS 'disowned'))
  OR EXISTS (
    SELECT 1 FROM rope_hours WHERE verified = 1 AND id <> OLD.id
    AND (id = NEW.id OR verification_token = NEW.verification_token))
BEGIN
  SELECT RAISE(ABORT, 'a verified record never changes');
END;
