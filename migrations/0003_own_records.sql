-- One's own account and records: sessions that say where and when, tries that are counted, records that can be taken
-- back, links that have ended, and the record of each verification.

-- By what its owner calls a session when ending it; the id is a hash of the cookie, and no page shows it.
ALTER TABLE sessions ADD COLUMN reference TEXT CHECK (length(reference) = 16);
-- From where it was opened, as far as the request told.
ALTER TABLE sessions ADD COLUMN address TEXT CHECK (length(address) BETWEEN 1 AND 64);
ALTER TABLE sessions ADD COLUMN place TEXT CHECK (length(place) BETWEEN 1 AND 200);
ALTER TABLE sessions ADD COLUMN browser TEXT CHECK (length(browser) BETWEEN 1 AND 300);
UPDATE sessions SET reference = lower(hex(randomblob(8)));

-- What a rate limit counts, one row a try; see app/http/limits.server.ts.
CREATE TABLE tries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- An HMAC by SESSION_SECRET of what is limited and for whom: no address can be read out of it.
  subject TEXT NOT NULL CHECK (length(subject) = 64),
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX tries_by_subject ON tries (subject, at);
CREATE INDEX tries_by_time ON tries (at);

-- Records that their owner deleted, for as long as the deletion can be undone.
CREATE TABLE deleted_records (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  record_kind TEXT NOT NULL CHECK (record_kind IN ('entry', 'rope_hour')),
  record_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The row as it was, in JSON.
  content TEXT NOT NULL CHECK (json_valid(content)),
  deleted_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX deleted_records_by_record ON deleted_records (record_kind, record_id);
CREATE INDEX deleted_records_by_user ON deleted_records (user_id);
CREATE INDEX deleted_records_by_time ON deleted_records (deleted_at);

-- Links that lead nowhere any more, so that whoever opens one is told why.
CREATE TABLE ended_links (
  token TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  record_kind TEXT NOT NULL CHECK (record_kind IN ('entry', 'rope_hour')),
  record_id INTEGER NOT NULL,
  cause TEXT NOT NULL CHECK (cause IN ('withdrawn', 'edited', 'deleted')),
  ended_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX ended_links_by_user ON ended_links (user_id);

-- What happened on the way to each verification, one line an event, in a chain of hashes for each record. It refers to
-- nobody's account and outlives it; see app/verification/log.server.ts.
CREATE TABLE verification_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  record_kind TEXT NOT NULL CHECK (record_kind IN ('entry', 'rope_hour')),
  record_id INTEGER NOT NULL,
  -- 1, 2, 3, … within the record.
  number INTEGER NOT NULL CHECK (number >= 1),
  event TEXT NOT NULL CHECK (event IN ('requested', 'mailed', 'opened', 'verified', 'withdrawn')),
  at INTEGER NOT NULL,
  -- Of the request that did it, as far as it told; nothing for what the timer did.
  address TEXT CHECK (length(address) BETWEEN 1 AND 64),
  browser TEXT CHECK (length(browser) BETWEEN 1 AND 300),
  -- Who was asked, as saved then, in JSON.
  supervisor TEXT CHECK (json_valid(supervisor)),
  -- What the supervisor typed.
  name TEXT CHECK (length(name) BETWEEN 1 AND 200),
  -- Why a request was withdrawn.
  cause TEXT CHECK (cause IN ('withdrawn', 'edited', 'deleted')),
  -- SHA-256, in hexadecimal: of the record at that moment, of the line before (zeros for the first), of this line.
  record_hash TEXT NOT NULL CHECK (length(record_hash) = 64),
  previous TEXT NOT NULL CHECK (length(previous) = 64),
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  CHECK ((name IS NOT NULL) = (event = 'verified')),
  CHECK ((cause IS NOT NULL) = (event = 'withdrawn'))
) STRICT;

CREATE UNIQUE INDEX verification_log_by_record ON verification_log (record_kind, record_id, number);

CREATE TRIGGER verification_log_follows BEFORE INSERT ON verification_log
WHEN NEW.id IN (SELECT id FROM verification_log)
  OR NEW.number <> 1 + coalesce((SELECT max(number) FROM verification_log
    WHERE record_kind = NEW.record_kind AND record_id = NEW.record_id), 0)
  OR NEW.previous <> coalesce((SELECT hash FROM verification_log
    WHERE record_kind = NEW.record_kind AND record_id = NEW.record_id AND number = NEW.number - 1),
    '0000000000000000000000000000000000000000000000000000000000000000')
BEGIN
  SELECT RAISE(ABORT, 'a line of the verification log follows the last one');
END;

CREATE TRIGGER verification_log_is_not_changed BEFORE UPDATE ON verification_log
BEGIN
  SELECT RAISE(ABORT, 'the verification log is only added to');
END;

CREATE TRIGGER verification_log_is_not_deleted BEFORE DELETE ON verification_log
BEGIN
  SELECT RAISE(ABORT, 'the verification log is only added to');
END;
