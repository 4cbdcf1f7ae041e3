-- The personal facts of the audit log move to a table that can be erased; each new event contains only a salted hash of
-- them. See docs/decisions/0049-erasable-facts.md.

-- Rows are added and deleted, never changed. A row goes with the account of the record's owner.
CREATE TABLE event_facts (
  -- The event's id in verification_log. No foreign key, so that the log can be copied by a later migration.
  event_id INTEGER PRIMARY KEY,
  -- The owner of the record.
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- 16 random bytes in base64url; NULL for an event from before this migration.
  salt TEXT CHECK (length(salt) = 22),
  -- JSON: app/audit-log/event-facts.ts lists what it can hold.
  facts TEXT NOT NULL CHECK (json_valid(facts))
) STRICT;

CREATE INDEX event_facts_by_user ON event_facts (user_id);

-- The facts of records whose owner is not known any more are not copied, and so erased.
INSERT INTO event_facts
WITH owners AS MATERIALIZED (
  SELECT kind, id, max(user_id) AS user_id FROM (
    SELECT 'entry' AS kind, id, user_id FROM entries
    UNION ALL SELECT 'rope_hour', id, user_id FROM rope_hours
    UNION ALL SELECT record_kind, record_id, user_id FROM deleted_records
    UNION ALL SELECT record_kind, record_id, user_id FROM ended_links
  ) GROUP BY kind, id
)
SELECT log.id, owners.user_id, NULL, json_object(
  'address', log.address, 'browser', log.browser, 'supervisor', json(log.supervisor), 'name', log.name,
  'accountId', log.account_id)
FROM verification_log AS log JOIN owners ON owners.kind = log.record_kind AND owners.id = log.record_id;

-- Nothing refers to the log, so it may be copied. The app checks the words of `event`, `cause` and `via`.
CREATE TABLE verification_log_copy (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  record_kind TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  -- 1, 2, 3, … within the record.
  number INTEGER NOT NULL CHECK (number >= 1),
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Why a request ended.
  cause TEXT,
  -- How the supervisor came: through the mailbox, or by the link alone.
  via TEXT,
  -- SHA-256, in hexadecimal: of the record at that moment, of the salt and the facts (NULL for an event from before this
  -- migration, whose own hash covers its facts), of the event before (zeros for the first), of this event.
  record_hash TEXT NOT NULL CHECK (length(record_hash) = 64),
  facts_hash TEXT CHECK (length(facts_hash) = 64),
  previous TEXT NOT NULL CHECK (length(previous) = 64),
  hash TEXT NOT NULL CHECK (length(hash) = 64)
) STRICT;

INSERT INTO verification_log_copy
SELECT id, record_kind, record_id, number, event, at, cause, NULL, record_hash, NULL, previous, hash FROM verification_log;
-- The counter says how many events were ever written, also if the last ones are missing.
DELETE FROM sqlite_sequence WHERE name = 'verification_log_copy';
INSERT INTO sqlite_sequence (name, seq)
SELECT 'verification_log_copy', seq FROM sqlite_sequence WHERE name = 'verification_log';
DROP TABLE verification_log;
ALTER TABLE verification_log_copy RENAME TO verification_log;

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

CREATE TRIGGER verification_log_commits BEFORE INSERT ON verification_log
WHEN NEW.facts_hash IS NULL
BEGIN
  SELECT RAISE(ABORT, 'an event of the verification log has a hash of its facts');
END;

CREATE TRIGGER verification_log_is_not_changed BEFORE UPDATE ON verification_log
BEGIN
  SELECT RAISE(ABORT, 'the verification log is only added to');
END;

CREATE TRIGGER verification_log_is_not_deleted BEFORE DELETE ON verification_log
BEGIN
  SELECT RAISE(ABORT, 'the verification log is only added to');
END;

CREATE TRIGGER event_facts_are_not_changed BEFORE UPDATE ON event_facts
BEGIN
  SELECT RAISE(ABORT, 'the facts of an event are only added and deleted');
END;

CREATE TRIGGER event_facts_are_not_replaced BEFORE INSERT ON event_facts
WHEN NEW.event_id IN (SELECT event_id FROM event_facts)
BEGIN
  SELECT RAISE(ABORT, 'the facts of an event are only added and deleted');
END;
