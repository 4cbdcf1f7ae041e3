-- The tables, views and triggers of the app. Until 1.0.0 this is the only migration and may be changed: a database that was
-- made from another version of it is refused (self-host/migrations.ts). After that each release adds one file.
--
-- What must never be in a row is refused here, whatever the code forgets. Every table is STRICT. Calendar dates are text,
-- YYYY-MM-DD; instants are milliseconds since 1970; hours are integer hundredths. Ids are positive: SQLite takes any integer,
-- and what reads a table in the order of its ids would not expect one below 1. A table comes after those that it refers
-- to, so that an export of the database can be imported again in its order.

-- ── Accounts ──

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  -- Trimmed and in lower case: addresses are compared without case.
  email TEXT NOT NULL UNIQUE CHECK (email = lower(trim(email)) AND length(email) BETWEEN 3 AND 254),
  -- PHC string format: $scrypt$ln=15,r=8,p=3$salt$hash
  password TEXT NOT NULL CHECK (password LIKE '$scrypt$%'),
  name TEXT CHECK (length(name) BETWEEN 2 AND 200),
  employee_number TEXT CHECK (length(employee_number) BETWEEN 1 AND 200),
  is_admin INTEGER NOT NULL DEFAULT 0 CHECK (is_admin IN (0, 1)),
  -- The hash of a reset token, never the token; its end in milliseconds since 1970.
  reset_token TEXT UNIQUE,
  reset_token_expiry INTEGER,
  -- What an admin's search looks through: SQLite's lower() knows ASCII only.
  search TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- With the secret and the id, what the reset token is made of.
  reset_nonce TEXT CHECK ((reset_nonce IS NULL) = (reset_token IS NULL)),
  -- Whether the link is mailed to the account's address, so that its use confirms the address: not if an admin passes it on.
  reset_mailed INTEGER NOT NULL DEFAULT 0 CHECK (reset_mailed IN (0, 1)),
  -- When a link that was mailed to the account's present address was last used; NULL before.
  email_confirmed_at INTEGER,
  -- Stands for the user in the hashes of their records: once it is deleted with the user, no hash can be recomputed.
  owner BLOB NOT NULL UNIQUE DEFAULT (randomblob(16)) CHECK (length(owner) = 16),
  -- Since when an admin keeps the user from signing in; NULL if they may.
  locked_at INTEGER,
  -- The last day of a user who has left: they are locked, and no email is sent on behalf of the account.
  left_on TEXT CHECK (length(left_on) = 10 AND left_on IS date(left_on)),
  -- Whether they are emailed before a certificate ends.
  renewal_emails INTEGER NOT NULL DEFAULT 1 CHECK (renewal_emails IN (0, 1)),
  -- Counts the acts that changed what another act of the account, or about its records, may have read (app/db/commit.server.ts).
  revision INTEGER NOT NULL DEFAULT 0,
  -- What the account stores (app/db/stored-bytes.server.ts).
  bytes INTEGER NOT NULL DEFAULT 0,
  -- The day, by UTC, on which the timer last counted its rows; '' before the first time.
  bytes_counted_on TEXT NOT NULL DEFAULT '',
  CHECK ((reset_token IS NULL) = (reset_token_expiry IS NULL)),
  CHECK (left_on IS NULL OR locked_at IS NOT NULL)
) STRICT;

CREATE INDEX users_admins ON users (id) WHERE is_admin = 1;
CREATE INDEX users_by_counting ON users (bytes_counted_on);
CREATE INDEX users_by_reset ON users (reset_token_expiry) WHERE reset_token_expiry IS NOT NULL;

-- The first statement of a batch inserts here the accounts whose state its act has read, with their revisions then: if one has
-- changed since, the batch stores nothing. The table never holds a row.
CREATE TABLE acts (
  user_id INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  -- What the batch stores for the account, and the most that it may then have; NULL if it is counted and never refused.
  bytes INTEGER NOT NULL,
  bytes_max INTEGER
) STRICT;

CREATE TRIGGER acts_agree BEFORE INSERT ON acts
BEGIN
  SELECT RAISE(ABORT, 'acts: the account has changed')
  WHERE (SELECT revision FROM users WHERE id = NEW.user_id) IS NOT NEW.revision;
  UPDATE users SET revision = revision + 1, bytes = max(0, bytes + NEW.bytes) WHERE id = NEW.user_id;
  SELECT RAISE(ABORT, 'acts: the account is full')
  WHERE NEW.bytes > 0 AND (SELECT bytes FROM users WHERE id = NEW.user_id) > NEW.bytes_max;
  SELECT RAISE(IGNORE);
END;

CREATE TABLE sessions (
  -- SHA-256 of the cookie's value, in hexadecimal: who reads this table can sign in as nobody.
  id TEXT PRIMARY KEY CHECK (length(id) = 64),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL CHECK (expires_at > created_at),
  -- What its owner calls it by to end it: the id is a hash of the cookie, and no page shows it.
  reference TEXT CHECK (length(reference) = 16),
  -- From where it was opened, as far as the request told.
  address TEXT CHECK (length(address) BETWEEN 1 AND 64),
  place TEXT CHECK (length(place) BETWEEN 1 AND 200),
  browser TEXT CHECK (length(browser) BETWEEN 1 AND 300)
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- Links that change the address of an account, or confirm it.
CREATE TABLE account_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  purpose TEXT NOT NULL CHECK (purpose IN ('change', 'confirmation')),
  -- The address that it was mailed to: the new one, or that of the account.
  email TEXT NOT NULL,
  -- Of a change: the address of the account before.
  old_email TEXT CHECK (old_email <> email),
  -- The hash of the link's token, and the nonce from which the token is derived again; see link-token.server.ts.
  token TEXT NOT NULL UNIQUE CHECK (length(token) = 64),
  nonce TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- When the address was changed or confirmed with it; NULL before.
  used_at INTEGER,
  CHECK ((old_email IS NULL) = (purpose = 'confirmation'))
) STRICT;

CREATE UNIQUE INDEX account_links_open ON account_links (user_id, purpose) WHERE used_at IS NULL;
CREATE INDEX account_links_by_user ON account_links (user_id);
CREATE INDEX account_links_by_expiry ON account_links (expires_at);

-- The earlier addresses of an account: nobody verifies their own hours through one of them.
CREATE TABLE earlier_addresses (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- An HMAC by SESSION_SECRET of the account and the address. No address can be read out of it.
  address TEXT NOT NULL CHECK (length(address) = 64),
  -- When the account got another address.
  created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX earlier_addresses_by_user ON earlier_addresses (user_id, address);

CREATE TABLE api_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  access TEXT NOT NULL CHECK (access IN ('read', 'write')),
  -- Whether it is a service token: it reads for an admin what is of all accounts, and nothing else.
  is_service INTEGER NOT NULL DEFAULT 0 CHECK (is_service IN (0, 1) AND (is_service = 0 OR access = 'read')),
  -- SHA-256 of the token, by which a call finds it. The token itself is shown once and stored nowhere.
  hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
  -- Which submission of a form made it; see app/db/submission.server.ts.
  submission TEXT,
  created_at INTEGER NOT NULL,
  -- To the hour.
  last_used_at INTEGER,
  -- Midnight UTC after its last day.
  expires_at INTEGER NOT NULL CHECK (expires_at > created_at)
) STRICT;

CREATE INDEX api_tokens_by_expiry ON api_tokens (expires_at);
CREATE INDEX api_tokens_by_user ON api_tokens (user_id);
CREATE UNIQUE INDEX api_tokens_by_submission ON api_tokens (user_id, submission) WHERE submission IS NOT NULL;

-- A service token ends when the user who made it is no longer an admin.
CREATE TRIGGER service_tokens_end AFTER UPDATE OF is_admin ON users WHEN NEW.is_admin = 0
BEGIN
  DELETE FROM api_tokens WHERE user_id = NEW.id AND is_service = 1;
END;

-- The attempts that a rate limit counts, one row each (app/server/attempt-limits.server.ts).
CREATE TABLE attempts (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  -- An HMAC by SESSION_SECRET of what is limited and for whom: no address can be read out of it.
  subject TEXT NOT NULL CHECK (length(subject) = 64),
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX attempts_by_subject ON attempts (subject, at);
CREATE INDEX attempts_by_time ON attempts (at);

-- ── Records ──

CREATE TABLE kinds (
  name TEXT PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 20)
) STRICT, WITHOUT ROWID;

INSERT INTO kinds (name) VALUES ('entry'), ('rope_hour'), ('training'), ('certificate');

CREATE TABLE methods (
  name TEXT PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 20)
) STRICT, WITHOUT ROWID;

INSERT INTO methods (name)
VALUES ('ET'), ('RFT'), ('MT'), ('PT'), ('RT'), ('UT_THK'), ('UTSW'), ('PMI'), ('LSI'),
  ('VT'), ('UT'), ('PAUT'), ('TOFD'), ('ACFM'), ('ECA'), ('LT'), ('AE'), ('IR'), ('GW'), ('MFL');

-- What technicians did and supervisors confirm, of every kind. What SQL filters, sorts or sums by is a column; what is only
-- shown and hashed is in `fields`. See app/records and docs/decisions/0073-one-table-of-records.md.
CREATE TABLE records (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL REFERENCES kinds (name),
  -- A calendar date, YYYY-MM-DD, and a real one: date() moves 2026-02-30 to March. The first day of a period.
  date TEXT NOT NULL CHECK (length(date) = 10 AND date IS date(date)),
  end_date TEXT CHECK (length(end_date) = 10 AND end_date IS date(end_date)),
  location TEXT CHECK (length(location) BETWEEN 1 AND 200),
  method TEXT REFERENCES methods (name),
  -- In hundredths, so that sums need no rounding.
  hours INTEGER CHECK (hours BETWEEN 0 AND 10000000),
  -- Of a certificate: its category. Of rope hours: their purpose, if it is told.
  subtype TEXT CHECK (length(subtype) BETWEEN 1 AND 20),
  -- Of an entry: the level worked as, which stands in its details too.
  level TEXT CHECK (level IN ('Trainee', 'Level I', 'Level II', 'Level III')),
  -- Of an examination: its part, and the mark out of 100, in hundredths.
  part TEXT CHECK (length(part) BETWEEN 1 AND 20),
  score INTEGER CHECK (score BETWEEN 0 AND 10000),
  -- Of a certificate: its standard as it was typed; app/records/certificates/standards.ts says which are the same.
  standard TEXT CHECK (length(standard) BETWEEN 1 AND 200),
  -- Of a certificate: the first day on which it no longer counts, and why. It is noted after a verification too.
  revoked_on TEXT CHECK (length(revoked_on) = 10 AND revoked_on IS date(revoked_on)),
  revoked_reason TEXT CHECK (length(revoked_reason) BETWEEN 1 AND 200),
  brought_forward INTEGER NOT NULL DEFAULT 0 CHECK (brought_forward IN (0, 1)),
  verified INTEGER NOT NULL DEFAULT 0 CHECK (verified IN (0, 1)),
  verified_by TEXT CHECK (length(verified_by) BETWEEN 1 AND 200),
  verified_at INTEGER,
  verified_via TEXT CHECK (verified_via IN ('mailbox', 'link')),
  -- When the supervisor's mailbox confirmed a verification that came by the link alone.
  confirmed_at INTEGER,
  -- When a supervisor was last asked to verify it, while a request for it is open; when it was last declined, until it is
  -- edited or asked for again. With `verified` and `deleted_at` these are its status.
  requested_at INTEGER,
  declined_at INTEGER,
  -- When it was deleted: for 24 hours an admin can restore it, and so can its owner if no admin deleted it.
  deleted_at INTEGER,
  deleted_by_admin INTEGER NOT NULL DEFAULT 0 CHECK (deleted_by_admin IN (0, 1)),
  -- Which sending of a form made it; see app/db/submission.server.ts.
  submission TEXT,
  -- Those of an owner that are the same have the same one (app/records/content.server.ts); NULL: it is compared with none.
  same_key TEXT CHECK (length(same_key) = 22),
  created_at INTEGER NOT NULL,
  -- The longest texts are last: what is before them is read without them.
  fields TEXT NOT NULL DEFAULT '{}' CHECK (json_type(fields) = 'object'),
  -- What a search looks through: SQLite's lower() knows ASCII only.
  search TEXT NOT NULL,
  CHECK ((revoked_on IS NULL) = (revoked_reason IS NULL)),
  CHECK (revoked_on IS NULL OR kind = 'certificate'),
  CHECK (verified = (verified_by IS NOT NULL)),
  CHECK (verified = (verified_at IS NOT NULL)),
  CHECK (verified = (verified_via IS NOT NULL)),
  CHECK (confirmed_at IS NULL OR verified_via IS 'link'),
  CHECK (NOT verified OR coalesce(requested_at, declined_at) IS NULL),
  CHECK (deleted_at IS NULL OR requested_at IS NULL),
  -- An admin alone deletes what is verified.
  CHECK (deleted_at IS NULL OR verified <= deleted_by_admin),
  CHECK (deleted_at IS NOT NULL OR deleted_by_admin = 0)
) STRICT;

-- `deleted_at` stands before the date, so that the records that exist are one range. Lists are read in its order; totals and
-- progress are read from this index alone.
CREATE INDEX records_by_date ON records
  (user_id, kind, deleted_at, date, id, method, verified, requested_at, declined_at, brought_forward, hours, level, subtype);
CREATE INDEX records_unverified ON records (user_id, kind, deleted_at, date) WHERE verified = 0;
CREATE INDEX records_requested ON records (user_id, kind, requested_at, hours) WHERE requested_at IS NOT NULL;
CREATE INDEX records_declined ON records (user_id, deleted_at, declined_at)
  WHERE verified = 0 AND requested_at IS NULL AND declined_at IS NOT NULL;
CREATE INDEX records_by_submission ON records (user_id, submission) WHERE submission IS NOT NULL;
CREATE INDEX records_by_key ON records (user_id, same_key) WHERE same_key IS NOT NULL;
-- For the admin's lists, and for the sweep of deleted records.
CREATE INDEX records_by_kind ON records (kind, deleted_at);
CREATE INDEX records_deleted ON records (deleted_at) WHERE deleted_at IS NOT NULL;
-- What ends soonest, which lists read in its order.
CREATE INDEX records_by_end ON records
  (user_id, kind, deleted_at, end_date, id, subtype, verified, date, method, level, requested_at, declined_at, revoked_on)
  WHERE subtype IS NOT NULL;
-- The certificates by which an entry gets the level worked as.
CREATE INDEX records_held ON records (user_id, date, deleted_at, method, level, end_date, revoked_on)
  WHERE kind = 'certificate' AND subtype = 'certificate' AND verified = 1 AND method IS NOT NULL AND level <> 'Trainee';

-- When the owner of a certificate is next told that it ends: 90, 30 and 7 days before (app/certification/renewal.server.tsx).
CREATE TABLE renewals (
  record_id INTEGER PRIMARY KEY CHECK (record_id > 0) REFERENCES records (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  ends_on TEXT NOT NULL CHECK (length(ends_on) = 10),
  -- NULL once they were told 7 days before.
  due_on TEXT CHECK (length(due_on) = 10)
) STRICT;

CREATE INDEX renewals_due ON renewals (due_on, user_id) WHERE due_on IS NOT NULL;
CREATE INDEX renewals_by_user ON renewals (user_id);

-- Who logs a certificate with less than 90 days left is told on the next day, once for all that they log together.
CREATE TRIGGER renewals_of_new_certificates AFTER INSERT ON records
WHEN NEW.kind = 'certificate' AND NEW.revoked_on IS NULL AND NEW.end_date > date(NEW.created_at / 1000, 'unixepoch')
BEGIN
  INSERT INTO renewals (record_id, user_id, ends_on, due_on)
  VALUES (NEW.id, NEW.user_id, NEW.end_date,
    max(date(NEW.end_date, '-90 days'), date(NEW.created_at / 1000, 'unixepoch', '+1 day')));
END;

-- Another end is told of as that of a new certificate; one that was revoked is not renewed.
CREATE TRIGGER renewals_of_changed_certificates AFTER UPDATE OF end_date, revoked_on ON records
WHEN NEW.kind = 'certificate' AND (NEW.end_date, NEW.revoked_on) IS NOT (OLD.end_date, OLD.revoked_on)
BEGIN
  DELETE FROM renewals WHERE record_id = NEW.id;
  INSERT INTO renewals (record_id, user_id, ends_on, due_on)
  SELECT NEW.id, NEW.user_id, NEW.end_date, max(date(NEW.end_date, '-90 days'), date('now', '+1 day'))
  WHERE NEW.end_date > date('now') AND NEW.revoked_on IS NULL;
END;

-- What a record of each kind has (app/records/all-kinds.ts).
CREATE TRIGGER entry_is_complete BEFORE INSERT ON records
WHEN NEW.kind = 'entry' AND NOT (NEW.location IS NOT NULL AND NEW.method IS NOT NULL AND NEW.end_date IS NULL
  AND coalesce(NEW.hours, 0) >= 10 AND coalesce(NEW.subtype, NEW.part, NEW.score, NEW.standard) IS NULL
  AND NEW.level IS NEW.fields ->> '$.details.workedAs')
BEGIN
  SELECT RAISE(ABORT, 'an entry has a date, a location, a method and at least 0.1 hours');
END;

CREATE TRIGGER entry_stays_complete BEFORE UPDATE ON records
WHEN NEW.kind = 'entry' AND NOT (NEW.location IS NOT NULL AND NEW.method IS NOT NULL AND NEW.end_date IS NULL
  AND coalesce(NEW.hours, 0) >= 10 AND coalesce(NEW.subtype, NEW.part, NEW.score, NEW.standard) IS NULL
  AND NEW.level IS NEW.fields ->> '$.details.workedAs')
BEGIN
  SELECT RAISE(ABORT, 'an entry has a date, a location, a method and at least 0.1 hours');
END;

CREATE TRIGGER rope_hour_is_complete BEFORE INSERT ON records
WHEN NEW.kind = 'rope_hour' AND NOT (NEW.location IS NOT NULL AND NEW.method IS NULL AND NEW.hours IS NOT NULL
  AND NEW.brought_forward = 0 AND coalesce(NEW.end_date >= NEW.date, 0)
  AND coalesce(length(NEW.fields ->> 'skills') BETWEEN 1 AND 2000, 0)
  AND coalesce(NEW.subtype, 'work') IN ('work', 'training') AND coalesce(NEW.level, NEW.part, NEW.score, NEW.standard) IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'rope hours have a period, a location, skills and hours');
END;

CREATE TRIGGER rope_hour_stays_complete BEFORE UPDATE ON records
WHEN NEW.kind = 'rope_hour' AND NOT (NEW.location IS NOT NULL AND NEW.method IS NULL AND NEW.hours IS NOT NULL
  AND NEW.brought_forward = 0 AND coalesce(NEW.end_date >= NEW.date, 0)
  AND coalesce(length(NEW.fields ->> 'skills') BETWEEN 1 AND 2000, 0)
  AND coalesce(NEW.subtype, 'work') IN ('work', 'training') AND coalesce(NEW.level, NEW.part, NEW.score, NEW.standard) IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'rope hours have a period, a location, skills and hours');
END;

CREATE TRIGGER training_is_complete BEFORE INSERT ON records
WHEN NEW.kind = 'training' AND NOT (NEW.location IS NULL AND coalesce(NEW.end_date >= NEW.date, 0)
  AND coalesce(NEW.hours, 0) >= 10 AND NEW.brought_forward = 0 AND coalesce(NEW.subtype, NEW.part, NEW.score, NEW.standard) IS NULL
  AND coalesce(length(NEW.fields ->> 'course') BETWEEN 1 AND 200, 0)
  AND coalesce(length(NEW.fields ->> 'organization') BETWEEN 1 AND 200, 0))
BEGIN
  SELECT RAISE(ABORT, 'training has a period, a course, an organization and at least 0.1 hours');
END;

CREATE TRIGGER training_stays_complete BEFORE UPDATE ON records
WHEN NEW.kind = 'training' AND NOT (NEW.location IS NULL AND coalesce(NEW.end_date >= NEW.date, 0)
  AND coalesce(NEW.hours, 0) >= 10 AND NEW.brought_forward = 0 AND coalesce(NEW.subtype, NEW.part, NEW.score, NEW.standard) IS NULL
  AND coalesce(length(NEW.fields ->> 'course') BETWEEN 1 AND 200, 0)
  AND coalesce(length(NEW.fields ->> 'organization') BETWEEN 1 AND 200, 0))
BEGIN
  SELECT RAISE(ABORT, 'training has a period, a course, an organization and at least 0.1 hours');
END;

CREATE TRIGGER certificate_is_complete BEFORE INSERT ON records
WHEN NEW.kind = 'certificate' AND NOT (NEW.location IS NULL AND NEW.hours IS NULL AND NEW.brought_forward = 0
  AND coalesce(NEW.end_date >= NEW.date, 1) AND coalesce(length(NEW.fields ->> 'title') BETWEEN 1 AND 200, 0)
  AND coalesce(NEW.subtype IN ('certificate', 'examination', 'near_vision', 'colour_vision', 'other'), 0)
  AND (NEW.subtype IN ('certificate', 'examination') OR coalesce(NEW.method, NEW.level) IS NULL)
  AND (NEW.subtype = 'examination' OR coalesce(NEW.part, NEW.score) IS NULL)
  AND (NEW.subtype = 'certificate' OR NEW.revoked_on IS NULL))
BEGIN
  SELECT RAISE(ABORT, 'a certificate has a category, a title and the day of issue, and only what its category has');
END;

CREATE TRIGGER certificate_stays_complete BEFORE UPDATE ON records
WHEN NEW.kind = 'certificate' AND NOT (NEW.location IS NULL AND NEW.hours IS NULL AND NEW.brought_forward = 0
  AND coalesce(NEW.end_date >= NEW.date, 1) AND coalesce(length(NEW.fields ->> 'title') BETWEEN 1 AND 200, 0)
  AND coalesce(NEW.subtype IN ('certificate', 'examination', 'near_vision', 'colour_vision', 'other'), 0)
  AND (NEW.subtype IN ('certificate', 'examination') OR coalesce(NEW.method, NEW.level) IS NULL)
  AND (NEW.subtype = 'examination' OR coalesce(NEW.part, NEW.score) IS NULL)
  AND (NEW.subtype = 'certificate' OR NEW.revoked_on IS NULL))
BEGIN
  SELECT RAISE(ABORT, 'a certificate has a category, a title and the day of issue, and only what its category has');
END;

-- A verified record never changes again, with five exceptions. It is disowned: then the columns of the verification are
-- cleared (and the verifier's name leaves the search text), after the event in its audit log. A verification by the link
-- is confirmed from the mailbox: then one column is filled in, once, after the event in its audit log. An admin
-- deletes it, or restores it: then no other column changes. And a certificate is revoked, or that is taken back, after the event
-- in its audit log. Removing the row stays possible: a user's deletion cascades. REPLACE deletes the row in its way without
-- asking, so a write that would take a verified record's id is refused as well.
CREATE TRIGGER verified_stays BEFORE UPDATE ON records
WHEN (OLD.verified = 1 AND NOT (
    ((NEW.verified = 0 AND NEW.verified_by IS NULL AND NEW.verified_at IS NULL AND NEW.verified_via IS NULL
        AND NEW.confirmed_at IS NULL
        AND NEW.deleted_at IS OLD.deleted_at
        AND (SELECT event FROM verification_log WHERE record_id = OLD.id ORDER BY number DESC LIMIT 1) IS 'disowned')
      OR (NEW.verified = 1 AND NEW.verified_by IS OLD.verified_by AND NEW.verified_at IS OLD.verified_at
        AND NEW.verified_via IS OLD.verified_via AND NEW.search IS OLD.search
        AND ((NEW.deleted_at IS OLD.deleted_at
            AND OLD.verified_via IS 'link' AND OLD.confirmed_at IS NULL AND NEW.confirmed_at IS NOT NULL
            AND (SELECT event FROM verification_log WHERE record_id = OLD.id ORDER BY number DESC LIMIT 1) IS 'confirmed')
          OR (NEW.confirmed_at IS OLD.confirmed_at AND (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL))
          OR (NEW.confirmed_at IS OLD.confirmed_at AND NEW.deleted_at IS OLD.deleted_at
            AND NOT (NEW.revoked_on IS OLD.revoked_on AND NEW.revoked_reason IS OLD.revoked_reason)
            AND (SELECT event FROM verification_log WHERE record_id = OLD.id ORDER BY number DESC LIMIT 1) IS 'revoked'))))
    AND NEW.id IS OLD.id AND NEW.user_id IS OLD.user_id AND NEW.kind IS OLD.kind AND NEW.date IS OLD.date
    AND NEW.end_date IS OLD.end_date AND NEW.location IS OLD.location AND NEW.method IS OLD.method
    AND NEW.hours IS OLD.hours AND NEW.subtype IS OLD.subtype AND NEW.level IS OLD.level AND NEW.part IS OLD.part
    AND NEW.score IS OLD.score AND NEW.standard IS OLD.standard AND NEW.brought_forward IS OLD.brought_forward AND NEW.fields IS OLD.fields
    AND NEW.requested_at IS OLD.requested_at AND NEW.declined_at IS OLD.declined_at
    AND NEW.submission IS OLD.submission AND NEW.same_key IS OLD.same_key AND NEW.created_at IS OLD.created_at))
  OR EXISTS (SELECT 1 FROM records WHERE verified = 1 AND id <> OLD.id AND id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'a verified record never changes');
END;

CREATE TRIGGER verified_is_not_replaced BEFORE INSERT ON records
WHEN EXISTS (SELECT 1 FROM records WHERE verified = 1 AND id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'a verified record never changes');
END;

-- The tables of spec section 3, for people who query the database by SQL. The app does not read them.
CREATE VIEW entries AS
SELECT id, user_id, date, location, method, hours / 100.0 AS hours, verified, verified_by,
  (SELECT token FROM verification_requests WHERE own_record_id = records.id) AS verification_token, verified_at,
  verified_via, confirmed_at, requested_at, declined_at, brought_forward, created_at
FROM records WHERE kind = 'entry' AND deleted_at IS NULL;

CREATE VIEW rope_hours AS
SELECT id, user_id, date AS start_date, end_date, location, fields ->> 'skills' AS skills, hours / 100.0 AS hours, verified,
  verified_by, (SELECT token FROM verification_requests WHERE own_record_id = records.id) AS verification_token,
  verified_at, verified_via, confirmed_at, requested_at, declined_at, created_at
FROM records WHERE kind = 'rope_hour' AND deleted_at IS NULL;

-- ── The audit log ──

-- What happened on the way to each verification, one row an event, in a chain of hashes for each record. It refers to no
-- account and to no record, and outlives them (app/audit-log). Its ids have no gap: no row is deleted, and an insert that is
-- rolled back uses none, because `sqlite_sequence` is rolled back with it.
CREATE TABLE verification_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  record_id INTEGER NOT NULL CHECK (record_id > 0),
  -- 1, 2, 3, … within the record.
  number INTEGER NOT NULL CHECK (number >= 1),
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Why a request ended.
  cause TEXT,
  -- How the supervisor came: through the mailbox, or by the link alone.
  via TEXT,
  -- SHA-256: of the record at that moment, of the salt and the facts about the technician and about the supervisor (NULL
  -- without such facts), of the event before (zeros for the first), of this event.
  record_hash BLOB NOT NULL CHECK (length(record_hash) = 32),
  technician_hash BLOB CHECK (length(technician_hash) = 32),
  supervisor_hash BLOB CHECK (length(supervisor_hash) = 32),
  previous BLOB NOT NULL CHECK (length(previous) = 32),
  hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE UNIQUE INDEX verification_log_by_record ON verification_log (record_id, number);
-- The last request and all answers of a record, without a look at its edits, of which there can be thousands.
CREATE INDEX verification_log_by_event ON verification_log (record_id, event, number) WHERE event <> 'edited';

CREATE TRIGGER verification_log_follows BEFORE INSERT ON verification_log
WHEN NEW.id IN (SELECT id FROM verification_log)
  OR NEW.number <> 1 + coalesce((SELECT max(number) FROM verification_log WHERE record_id = NEW.record_id), 0)
  OR NEW.previous <> coalesce((SELECT hash FROM verification_log
    WHERE record_id = NEW.record_id AND number = NEW.number - 1), zeroblob(32))
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

-- The personal facts of events, a row for those about the technician and one for those about the supervisor, so that erasing
-- one leaves the other. Events of one owner that were appended together share the rows of equal facts. Rows are added and
-- deleted, never changed. Both go with the account of the record's owner.
CREATE TABLE event_facts (
  -- SHA-256 of the salt and the facts: the technician_hash or supervisor_hash of their events.
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  about TEXT NOT NULL CHECK (about IN ('technician', 'supervisor')),
  -- The owner of the records.
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The ids of their first and last event in verification_log, by which the events are found; others may be between them.
  first_event INTEGER NOT NULL,
  last_event INTEGER NOT NULL CHECK (last_event >= first_event),
  -- Random, so that nobody can guess erased facts from their hash.
  salt BLOB NOT NULL CHECK (length(salt) = 16),
  -- JSON: app/audit-log/event-facts.ts lists what it can hold.
  facts TEXT NOT NULL CHECK (json_valid(facts))
) STRICT, WITHOUT ROWID;

CREATE INDEX event_facts_by_user ON event_facts (user_id, last_event);
-- By these a supervisor's facts are found to erase them: the address that was asked or verified through, and their account.
CREATE INDEX event_facts_by_address ON event_facts (coalesce(facts ->> '$.supervisor.email', facts ->> '$.mailbox'))
  WHERE coalesce(facts ->> '$.supervisor.email', facts ->> '$.mailbox') IS NOT NULL;
-- By this the last verification from a mailbox is found, which fills in the form of the next one.
CREATE INDEX event_facts_by_mailbox ON event_facts (facts ->> '$.mailbox', first_event)
  WHERE facts ->> '$.name' IS NOT NULL AND facts ->> '$.reason' IS NULL;
CREATE INDEX event_facts_by_account ON event_facts (facts ->> '$.accountId') WHERE facts ->> '$.accountId' IS NOT NULL;

CREATE TRIGGER event_facts_are_not_changed BEFORE UPDATE ON event_facts
BEGIN
  SELECT RAISE(ABORT, 'the facts of an event are only added and deleted');
END;

CREATE TRIGGER event_facts_are_not_replaced BEFORE INSERT ON event_facts
WHEN EXISTS (SELECT 1 FROM event_facts WHERE hash = NEW.hash)
BEGIN
  SELECT RAISE(ABORT, 'the facts of an event are only added and deleted');
END;

-- How many events of the log an account made on its last day with any: one row, so that the quota of a day costs one row to
-- read (docs/decisions/0075-quotas.md). The statement that counts sets `events` to NULL above the quota.
CREATE TABLE event_counts (
  user_id INTEGER PRIMARY KEY CHECK (user_id > 0) REFERENCES users (id) ON DELETE CASCADE,
  -- In days since 1970, UTC.
  day INTEGER NOT NULL,
  events INTEGER NOT NULL CHECK (events > 0)
) STRICT;

-- The Merkle tree over the hashes of all events, one row (docs/decisions/0061-checkpoints.md).
CREATE TABLE log_tree (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  -- Which log it is: a new database on the same host is another one. It stands in the first line of checkpoints.
  id BLOB NOT NULL CHECK (length(id) = 16),
  -- How many events are in it, and the id of the last of them.
  size INTEGER NOT NULL CHECK (size >= 0),
  last_event INTEGER NOT NULL CHECK (last_event >= size),
  -- The hashes of its complete subtrees, from the first events on, in hexadecimal: one for each 1 in the binary `size`.
  roots TEXT NOT NULL CHECK (length(roots) % 64 = 0 AND (roots = '') = (size = 0))
) STRICT;

INSERT INTO log_tree (only, id, size, last_event, roots) VALUES (1, randomblob(16), 0, 0, '');

CREATE TRIGGER log_tree_grows BEFORE UPDATE ON log_tree
WHEN NEW.id IS NOT OLD.id OR NEW.size <= OLD.size OR NEW.last_event < OLD.last_event + NEW.size - OLD.size
BEGIN
  SELECT RAISE(ABORT, 'the tree of the audit log only grows');
END;

CREATE TRIGGER log_tree_is_not_deleted BEFORE DELETE ON log_tree
BEGIN
  SELECT RAISE(ABORT, 'the tree of the audit log only grows');
END;

CREATE TRIGGER log_tree_is_not_replaced BEFORE INSERT ON log_tree
WHEN EXISTS (SELECT 1 FROM log_tree)
BEGIN
  SELECT RAISE(ABORT, 'the tree of the audit log only grows');
END;

-- Checkpoints: what the audit log was on each day. Rows are added and never changed or deleted.
CREATE TABLE checkpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  size INTEGER NOT NULL CHECK (size >= 0),
  -- The root hash of the tree at that size, in base64.
  root TEXT NOT NULL CHECK (length(root) = 44),
  at INTEGER NOT NULL,
  -- The signed checkpoint as /checkpoint shows it. It contains size and root.
  note TEXT NOT NULL CHECK (instr(note, char(10) || size || char(10) || root || char(10)) > 0)
) STRICT;

CREATE INDEX checkpoints_by_time ON checkpoints (at);

CREATE TRIGGER checkpoints_follow BEFORE INSERT ON checkpoints
WHEN NEW.id IN (SELECT id FROM checkpoints) OR NEW.size <> (SELECT size FROM log_tree)
BEGIN
  SELECT RAISE(ABORT, 'a checkpoint is of the tree as it is');
END;

CREATE TRIGGER checkpoints_are_not_changed BEFORE UPDATE ON checkpoints
BEGIN
  SELECT RAISE(ABORT, 'checkpoints are only added');
END;

CREATE TRIGGER checkpoints_are_not_deleted BEFORE DELETE ON checkpoints
BEGIN
  SELECT RAISE(ABORT, 'checkpoints are only added');
END;

-- ── Verification ──

CREATE TABLE supervisors (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  email TEXT NOT NULL CHECK (email = lower(trim(email)) AND length(email) BETWEEN 3 AND 254),
  -- The mailbox that the address reaches (app/plain-text.ts): a technician has one supervisor for each.
  mailbox TEXT NOT NULL CHECK (length(mailbox) BETWEEN 2 AND 254),
  -- Who confirms hours has these three. Who confirms training and certificates alone has a role, such as instructor.
  phone TEXT CHECK (length(phone) BETWEEN 1 AND 200),
  certification_level TEXT CHECK (certification_level IN ('Level I', 'Level II', 'Level III')),
  company TEXT CHECK (length(company) BETWEEN 1 AND 200),
  role TEXT CHECK (length(role) BETWEEN 1 AND 200),
  -- Which sending of a form made the row; see app/db/submission.server.ts.
  submission TEXT,
  created_at INTEGER NOT NULL,
  CHECK (role IS NOT NULL OR (phone IS NOT NULL AND certification_level IS NOT NULL AND company IS NOT NULL))
) STRICT;

CREATE INDEX supervisors_by_user ON supervisors (user_id);
CREATE INDEX supervisors_by_email ON supervisors (email);
CREATE UNIQUE INDEX supervisors_by_mailbox ON supervisors (user_id, mailbox);

CREATE TABLE verification_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The link's token.
  token TEXT NOT NULL UNIQUE CHECK (length(token) = 36),
  -- The record whose own request this is: the spec's dialog makes one for a record and renews it while it is open, so that its
  -- link stays the same. NULL for other requests, and once it has ended without a verification of the record.
  own_record_id INTEGER,
  -- The supervisor in the technician's list; it may come to refer to nothing. Name and address are as they were when asked;
  -- NULL once they are erased.
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
  requested_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL CHECK (expires_at > requested_at),
  opened_at INTEGER,
  -- When the last item was decided or ended.
  ended_at INTEGER,
  -- How many reminders went out, when the next one is due (NULL: none any more), and where day and night are known from: the
  -- technician's time zone when they asked, and the supervisor's when they last opened a link.
  reminded INTEGER NOT NULL DEFAULT 0 CHECK (reminded BETWEEN 0 AND 3),
  remind_at INTEGER,
  time_zone TEXT CHECK (length(time_zone) BETWEEN 1 AND 64),
  supervisor_time_zone TEXT CHECK (length(supervisor_time_zone) BETWEEN 1 AND 64),
  -- Why the last email about the request was not queued; NULL if it was. An `unconfirmed` one waits until the technician has
  -- confirmed their address; it is then `released`.
  email_withheld TEXT CHECK (email_withheld IN ('joined', 'unconfirmed', 'released', 'limit', 'suppressed', 'unknown_technician', 'off')),
  -- When the timer queues that email, if it then may: of one that is `joined`, `released`, over a `limit`, or `suppressed`; else NULL.
  mail_at INTEGER,
  -- The request whose email asks for this one too; NULL if it has an email of its own. It may come to refer to nothing.
  mailed_with INTEGER
) STRICT;

CREATE UNIQUE INDEX verification_requests_own ON verification_requests (own_record_id) WHERE own_record_id IS NOT NULL;
CREATE INDEX verification_requests_by_user ON verification_requests (user_id, created_at);
CREATE INDEX verification_requests_open ON verification_requests (user_id, created_at) WHERE ended_at IS NULL;
CREATE INDEX verification_requests_by_expiry ON verification_requests (expires_at) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX verification_requests_by_submission ON verification_requests (user_id, submission)
  WHERE submission IS NOT NULL;
CREATE INDEX verification_requests_to_remind ON verification_requests (remind_at)
  WHERE remind_at IS NOT NULL AND ended_at IS NULL AND reminders = 1;
CREATE INDEX verification_requests_to_strip ON verification_requests (ended_at)
  WHERE ended_at IS NOT NULL AND nonce <> '00000000000000000000000000000000';
CREATE INDEX verification_requests_by_supervisor ON verification_requests (supervisor_email, ended_at, requested_at);
CREATE INDEX verification_requests_withheld ON verification_requests (user_id)
  WHERE email_withheld = 'unconfirmed' AND ended_at IS NULL;
CREATE INDEX verification_requests_to_mail ON verification_requests (mail_at)
  WHERE mail_at IS NOT NULL AND ended_at IS NULL;
CREATE INDEX verification_requests_mailed_with ON verification_requests (mailed_with)
  WHERE mailed_with IS NOT NULL AND ended_at IS NULL;

CREATE TRIGGER confirming_releases_emails AFTER UPDATE OF email_confirmed_at ON users
WHEN NEW.email_confirmed_at IS NOT NULL AND OLD.email_confirmed_at IS NULL
BEGIN
  UPDATE verification_requests SET email_withheld = 'released', mail_at = requested_at
  WHERE user_id = NEW.id AND email_withheld = 'unconfirmed' AND ended_at IS NULL;
END;

-- A notice tells an address what was verified in its name, with a link to disown it: at most one a day.
CREATE TABLE supervisor_notices (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  -- An HMAC by SESSION_SECRET of the mailbox.
  recipient TEXT NOT NULL CHECK (length(recipient) = 64),
  -- With the secret and the id, what its link is made of.
  nonce TEXT NOT NULL DEFAULT (lower(hex(randomblob(16)))) CHECK (length(nonce) = 32),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL CHECK (expires_at > created_at)
) STRICT;

CREATE INDEX supervisor_notices_by_recipient ON supervisor_notices (recipient, created_at);
CREATE INDEX supervisor_notices_by_expiry ON supervisor_notices (expires_at);
CREATE UNIQUE INDEX supervisor_notices_by_nonce ON supervisor_notices (nonce);

-- Addresses that asked for no more emails: an HMAC by SESSION_SECRET of the mailbox.
CREATE TABLE suppressed_addresses (
  subject TEXT PRIMARY KEY CHECK (length(subject) = 64),
  at INTEGER NOT NULL,
  -- When the one notice was queued that still goes out, of what was verified in its name; NULL before.
  noticed_at INTEGER
) STRICT, WITHOUT ROWID;

-- Supervisors who said that they do not know a technician: no email that the account causes goes to the mailbox again.
CREATE TABLE unknown_technicians (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- An HMAC by SESSION_SECRET of the mailbox, in all spellings of its address.
  mailbox TEXT NOT NULL CHECK (length(mailbox) = 64),
  at INTEGER NOT NULL,
  PRIMARY KEY (user_id, mailbox)
) STRICT, WITHOUT ROWID;

-- One submission of a supervisor's answers.
CREATE TABLE verification_answers (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  request_id INTEGER NOT NULL REFERENCES verification_requests (id) ON DELETE CASCADE,
  -- The name that the supervisor typed; NULL once it is erased.
  name TEXT CHECK (length(name) BETWEEN 1 AND 200),
  via TEXT NOT NULL CHECK (via IN ('mailbox', 'link')),
  at INTEGER NOT NULL,
  notice_id INTEGER REFERENCES supervisor_notices (id) ON DELETE SET NULL,
  -- Whether its address had asked for no more emails when it was to be told: no notice tells it.
  suppressed INTEGER NOT NULL DEFAULT 0 CHECK (suppressed IN (0, 1) AND (suppressed = 0 OR notice_id IS NULL))
) STRICT;

CREATE INDEX verification_answers_by_request ON verification_answers (request_id);
CREATE INDEX verification_answers_by_notice ON verification_answers (notice_id) WHERE notice_id IS NOT NULL;
CREATE INDEX verification_answers_unnoticed ON verification_answers (at) WHERE notice_id IS NULL AND suppressed = 0;

-- The records of a request, and what became of each.
CREATE TABLE verification_items (
  request_id INTEGER NOT NULL REFERENCES verification_requests (id) ON DELETE CASCADE,
  record_id INTEGER NOT NULL REFERENCES records (id) ON DELETE CASCADE,
  -- The order in which they were asked for.
  position INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'verified', 'declined', 'ended')),
  -- Why it ended (app/db/enumerations.ts, LINK_ENDS).
  cause TEXT,
  -- Why it was declined.
  reason TEXT CHECK (length(reason) BETWEEN 1 AND 500),
  decided_at INTEGER,
  -- Whether the record was edited after it was asked for: another email about it may then follow within a day.
  edited INTEGER NOT NULL DEFAULT 0 CHECK (edited IN (0, 1)),
  -- The answer that decided it.
  answer_id INTEGER REFERENCES verification_answers (id) ON DELETE SET NULL,
  PRIMARY KEY (request_id, record_id),
  CHECK ((state = 'waiting') = (decided_at IS NULL)),
  CHECK ((state = 'ended') = (cause IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX verification_items_by_record ON verification_items (record_id, state);
CREATE INDEX verification_items_by_answer ON verification_items (answer_id) WHERE answer_id IS NOT NULL;

-- A document of this category is its owner's alone.
CREATE TRIGGER other_is_not_asked BEFORE INSERT ON verification_items
WHEN (SELECT subtype FROM records WHERE id = NEW.record_id) IS 'other'
BEGIN
  SELECT RAISE(ABORT, 'a certificate of the category other is sent to no supervisor');
END;

CREATE TRIGGER verification_requests_end AFTER UPDATE OF state ON verification_items
WHEN NEW.state <> 'waiting' AND NOT EXISTS (
  SELECT 1 FROM verification_items WHERE request_id = NEW.request_id AND state = 'waiting')
BEGIN
  UPDATE verification_requests SET ended_at = NEW.decided_at WHERE id = NEW.request_id AND ended_at IS NULL;
END;

-- An unverified record follows its items. (What verifies a record sets these columns itself.)
CREATE TRIGGER records_are_requested AFTER INSERT ON verification_items WHEN NEW.state = 'waiting'
BEGIN
  UPDATE records SET declined_at = NULL,
    requested_at = (SELECT requested_at FROM verification_requests WHERE id = NEW.request_id)
  WHERE id = NEW.record_id AND verified = 0;
END;

CREATE TRIGGER records_are_decided AFTER UPDATE OF state ON verification_items
BEGIN
  UPDATE records SET
    requested_at = (SELECT max(requested_at) FROM verification_requests WHERE id IN (
      SELECT request_id FROM verification_items WHERE record_id = NEW.record_id AND state = 'waiting')),
    declined_at = iif(NEW.state = 'declined', NEW.decided_at, declined_at)
  WHERE id = NEW.record_id AND verified = 0;
END;

-- A request that has ended is an unverified record's own request no more: the next one has another link.
CREATE TRIGGER own_requests_end AFTER UPDATE OF state ON verification_items
BEGIN
  UPDATE verification_requests SET own_record_id = NULL
  WHERE own_record_id = NEW.record_id
    AND NOT EXISTS (SELECT 1 FROM verification_items AS item WHERE item.request_id = verification_requests.id
      AND item.state = 'waiting')
    AND NOT EXISTS (SELECT 1 FROM records WHERE records.id = NEW.record_id AND verified = 1);
END;

-- What happened to a request, other than the decisions, which are in the audit logs of its records.
CREATE TABLE request_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  request_id INTEGER NOT NULL REFERENCES verification_requests (id) ON DELETE CASCADE,
  -- asked, mailed, opened, reminded
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Of the HTTP request that caused it; NULL for what the timer did, and once it is erased.
  address TEXT CHECK (length(address) BETWEEN 1 AND 64),
  browser TEXT CHECK (length(browser) BETWEEN 1 AND 300)
) STRICT;

CREATE INDEX request_events_by_request ON request_events (request_id, id);

-- ── Proof ──

-- The public keys of signed statements and checkpoints.
CREATE TABLE signing_keys (
  -- The thumbprint of the key (RFC 7638).
  kid TEXT PRIMARY KEY CHECK (length(kid) = 43),
  -- The public key, in base64url.
  x TEXT NOT NULL CHECK (length(x) = 43),
  added_at INTEGER NOT NULL,
  -- When another key was used since; NULL while it is in use.
  retired_at INTEGER
) STRICT;

CREATE INDEX signing_keys_by_retirement ON signing_keys (retired_at);

-- Exports: forms of verified hours that anyone can check by the code on the paper (app/proof).
CREATE TABLE exports (
  -- A random number, chosen before the row is stored, because the code is made from it.
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  -- NULL, as are all columns but the code's hash and the instants, once the account is deleted.
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  -- The name of its form (app/pdf/forms.ts).
  form TEXT CHECK (length(form) BETWEEN 1 AND 40),
  -- With the secret and the id, what the code is made of.
  nonce TEXT CHECK (length(nonce) = 32),
  -- SHA-256 of the code, by which a check finds the export.
  code_hash TEXT NOT NULL UNIQUE CHECK (length(code_hash) = 64),
  made_at INTEGER NOT NULL,
  -- The technician's day, which is the date on the form.
  made_on TEXT CHECK (made_on = date(made_on)),
  -- Which of the verified records it has: dated from and to a day, and whether those that one supervisor verified. NULL for all.
  from_day TEXT CHECK (from_day = date(from_day)),
  to_day TEXT CHECK (to_day = date(to_day)),
  of_one_supervisor INTEGER NOT NULL DEFAULT 0 CHECK (of_one_supervisor IN (0, 1)),
  -- The names that this supervisor typed on them, as printed.
  supervisor TEXT CHECK (length(supervisor) BETWEEN 1 AND 700),
  -- As printed. NULL once the export is closed.
  name TEXT CHECK (length(name) BETWEEN 1 AND 254),
  employee_number TEXT CHECK (length(employee_number) BETWEEN 1 AND 200),
  records INTEGER CHECK (records > 0),
  hundredths INTEGER CHECK (hundredths >= 0),
  -- How many verified records the form has no column for, and their hours in hundredths. NULL if it has all.
  left_out INTEGER CHECK (left_out > 0),
  left_out_hundredths INTEGER CHECK (left_out_hundredths >= 0),
  -- The domains of the mailboxes that verified its records, a JSON list to which the records refer; null for an erased one.
  domains TEXT CHECK (json_type(domains) = 'array'),
  -- An HMAC by the code of all that is printed: it shows a change past the app.
  seal TEXT CHECK (length(seal) = 64),
  -- A compact JWS without the code in its payload (app/proof/statement.server.ts), or NULL without a signing key.
  statement TEXT CHECK (length(statement) BETWEEN 1 AND 4000),
  -- Which submission of a form made it; see app/db/submission.server.ts.
  submission TEXT,
  checks INTEGER NOT NULL DEFAULT 0 CHECK (checks >= 0),
  checked_at INTEGER,
  closed_at INTEGER,
  account_deleted_at INTEGER,
  CHECK ((user_id IS NULL) = (account_deleted_at IS NOT NULL)),
  -- What a check shows is there exactly while it can be shown.
  CHECK ((seal IS NULL) = (closed_at IS NOT NULL OR account_deleted_at IS NOT NULL)),
  CHECK ((name IS NULL) = (seal IS NULL)),
  CHECK (supervisor IS NULL OR of_one_supervisor = 1),
  CHECK (seal IS NOT NULL OR coalesce(domains, supervisor) IS NULL)
) STRICT;

CREATE INDEX exports_by_user ON exports (user_id, made_at);
CREATE UNIQUE INDEX exports_by_submission ON exports (user_id, submission) WHERE submission IS NOT NULL;

-- The records of an export. A record that is as it was printed is printed from `records` itself; before it changes or goes,
-- triggers copy it here. A closed export keeps the ids: a check still says how many of the records were disowned.
CREATE TABLE export_records (
  export_id INTEGER NOT NULL REFERENCES exports (id) ON DELETE CASCADE,
  record_id INTEGER NOT NULL CHECK (record_id > 0),
  -- From 1, in the order of the form.
  position INTEGER NOT NULL CHECK (position > 0),
  -- That of the mailbox, by its place in `domains` of the export; NULL by link, and once the supervisor is erased.
  domain INTEGER CHECK (domain >= 0),
  -- The technician as the supervisor saw them, {"name", "employeeNumber"}; NULL if that is whom the export names.
  verified_for TEXT CHECK (json_type(verified_for) = 'object'),
  -- The hours of all OJT entries of the technician on this date, if they are 16 or more.
  day_hundredths INTEGER CHECK (day_hundredths >= 1600),
  -- Of a certificate: the verified work in its method until the export was made, in a sentence.
  continuity TEXT CHECK (length(continuity) BETWEEN 1 AND 200),
  -- The record as it was printed, as `printed_records` has it; NULL while the record itself is that.
  content TEXT CHECK (json_type(content) = 'object'),
  PRIMARY KEY (export_id, record_id)
) STRICT, WITHOUT ROWID;

-- The records with what a form prints of each.
CREATE VIEW record_contents AS
SELECT id, user_id, kind, date, method, verified, deleted_at,
  json_object('kind', kind, 'date', date, 'endDate', end_date, 'location', location, 'method', method, 'hours', hours,
    'subtype', subtype, 'level', level, 'part', part, 'score', score, 'standard', standard,
    'revokedOn', revoked_on, 'revokedReason', revoked_reason, 'broughtForward', brought_forward,
    'fields', json(fields), 'supervisor', verified_by, 'via', verified_via,
    'confirmedAt', confirmed_at, 'createdAt', created_at, 'verifiedAt', verified_at,
    -- How the link began that was answered, for the ID of the verification.
    'link', (SELECT substr(token, 1, 5) FROM verification_items AS item
      JOIN verification_answers AS answer ON answer.id = answer_id
      JOIN verification_requests AS request ON request.id = item.request_id
      WHERE record_id = records.id AND answer.at = verified_at)) AS content
FROM records;

-- The facts of each verification and confirmation that a form prints; no copy, so that they are erased with the facts of the event.
CREATE VIEW stated_facts AS
SELECT id, record_id, number, event, at, json_object(
    'supervisor', json((SELECT json_remove(facts, '$.address', '$.browser') FROM event_facts WHERE hash = supervisor_hash)),
    'technician', json((SELECT facts FROM event_facts WHERE hash = technician_hash)),
    -- By the index without edits, what the technician had entered about the supervisor: where every request about the record had gone to one address, because
    -- only then is it certain who answered.
    'entered', json(CASE WHEN (SELECT count(DISTINCT coalesce(facts ->> '$.supervisor.email', asked.supervisor_hash))
        FROM verification_log AS asked LEFT JOIN event_facts ON event_facts.hash = asked.supervisor_hash
        WHERE asked.record_id = log.record_id AND asked.event = 'requested' AND asked.event <> 'edited' AND asked.number < log.number) = 1
      THEN (SELECT json_object('level', facts ->> '$.supervisor.certificationLevel', 'company', facts ->> '$.supervisor.company')
        FROM verification_log AS asked JOIN event_facts ON event_facts.hash = asked.supervisor_hash
        WHERE asked.record_id = log.record_id AND asked.event = 'requested' AND asked.event <> 'edited' AND asked.number < log.number
        ORDER BY asked.number DESC LIMIT 1) END)) AS stated
FROM verification_log AS log WHERE event IN ('verified', 'confirmed');

-- The records of exports that are not closed, as they are printed.
CREATE VIEW printed_records AS
SELECT export_id, record_id, position, domain, verified_for, day_hundredths, continuity,
  (SELECT stated FROM stated_facts AS facts
    WHERE facts.record_id = export_records.record_id AND facts.event = 'verified'
      AND facts.at <= (SELECT made_at FROM exports WHERE exports.id = export_id)
    ORDER BY facts.number DESC LIMIT 1) AS stated,
  coalesce(content, (SELECT content FROM record_contents WHERE record_contents.id = record_id)) AS content
FROM export_records;

CREATE TRIGGER printed_records_outlive_changes BEFORE UPDATE ON records WHEN OLD.verified = 1
BEGIN
  UPDATE export_records SET content = (SELECT content FROM printed_records AS printed
    WHERE printed.export_id = export_records.export_id AND printed.record_id = OLD.id)
  WHERE record_id = OLD.id AND content IS NULL
    AND export_id IN (SELECT id FROM exports WHERE user_id = OLD.user_id AND closed_at IS NULL);
END;

CREATE TRIGGER printed_records_outlive_records BEFORE DELETE ON records WHEN OLD.verified = 1
BEGIN
  UPDATE export_records SET content = (SELECT content FROM printed_records AS printed
    WHERE printed.export_id = export_records.export_id AND printed.record_id = OLD.id)
  WHERE record_id = OLD.id AND content IS NULL
    AND export_id IN (SELECT id FROM exports WHERE user_id = OLD.user_id AND closed_at IS NULL);
END;

CREATE TRIGGER exports_outlive_users BEFORE DELETE ON users
BEGIN
  DELETE FROM export_records WHERE export_id IN (SELECT id FROM exports WHERE user_id = OLD.id);
  UPDATE exports SET user_id = NULL, form = NULL, nonce = NULL, made_on = NULL, from_day = NULL, to_day = NULL,
    of_one_supervisor = 0, supervisor = NULL, name = NULL,
    employee_number = NULL, records = NULL, hundredths = NULL, left_out = NULL, left_out_hundredths = NULL, domains = NULL,
    seal = NULL, statement = NULL, submission = NULL,
    checks = 0, checked_at = NULL, account_deleted_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE user_id = OLD.id;
END;

-- ── Progress, import, mail and the timer ──

CREATE TABLE targets (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  standard TEXT NOT NULL CHECK (length(standard) <= 200),
  edition TEXT NOT NULL DEFAULT '' CHECK (length(edition) <= 200),
  -- Where the figures come from, and how reliable that is.
  source TEXT NOT NULL CHECK (length(source) <= 2000),
  -- Records dated before this day do not count; NULL if all do.
  since TEXT CHECK (length(since) = 10 AND since IS date(since)),
  -- Which submission of a form made it; see app/db/submission.server.ts.
  submission TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX targets_by_submission ON targets (user_id, submission);
CREATE INDEX targets_by_since ON targets (user_id, since);

CREATE TABLE target_items (
  target_id INTEGER NOT NULL REFERENCES targets (id) ON DELETE CASCADE,
  -- The order in which they are shown, from 0.
  position INTEGER NOT NULL CHECK (position BETWEEN 0 AND 49),
  title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  clause TEXT NOT NULL CHECK (length(clause) <= 200),
  unit TEXT NOT NULL CHECK (unit IN ('hours', 'days', 'months', 'elapsedMonths', 'valid', 'score', 'average')),
  record_kind TEXT NOT NULL REFERENCES kinds (name),
  -- The codes of the NDT methods that count, in JSON; empty for records without a method.
  methods TEXT NOT NULL CHECK (json_type(methods) = 'array'),
  -- In hundredths of the unit.
  required INTEGER NOT NULL CHECK (required BETWEEN 1 AND 10000000),
  -- What else a record must be to count; NULL if it need not. The category is a subtype of its kind.
  category TEXT CHECK (length(category) BETWEEN 1 AND 20),
  part TEXT CHECK (length(part) BETWEEN 1 AND 20),
  level TEXT CHECK (level IN ('Trainee', 'Level I', 'Level II', 'Level III')),
  within_years INTEGER CHECK (within_years BETWEEN 1 AND 20),
  worked_as TEXT CHECK (worked_as IN ('Trainee', 'Level I', 'Level II', 'Level III')),
  standard TEXT CHECK (length(standard) BETWEEN 1 AND 200),
  PRIMARY KEY (target_id, position),
  CHECK (unit <> 'days' OR record_kind IN ('entry', 'training')),
  CHECK ((unit IN ('elapsedMonths', 'valid', 'score', 'average')) = (record_kind = 'certificate')),
  CHECK ((unit = 'score') = (part IS NOT NULL)),
  CHECK (worked_as IS NULL OR record_kind = 'entry'),
  CHECK (standard IS NULL OR record_kind = 'certificate')
) STRICT, WITHOUT ROWID;

CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL REFERENCES kinds (name),
  -- What was uploaded, empty once it is imported: a text, or in base64 the bytes of a workbook (which has no encoding) and of a
  -- text whose encoding is a guess, so that another sheet or encoding can be chosen.
  content TEXT NOT NULL CHECK (length(content) <= 1572864),
  encoding TEXT DEFAULT 'utf-8' CHECK (encoding IN ('utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'windows-1251', 'shift_jis', 'macintosh')),
  sheet TEXT CHECK (length(sheet) BETWEEN 1 AND 100),
  -- What each column means: a JSON list of fields and nulls.
  mapping TEXT NOT NULL CHECK (json_type(mapping) = 'array'),
  -- The order of day, month and year as the technician chose it; NULL as long as the dates themselves tell.
  date_order TEXT CHECK (date_order IN ('ymd', 'dmy', 'mdy')),
  -- What the numbers of hours count, the hours of a day, and the time zone of instants, as the technician chose them.
  hours_unit TEXT CHECK (hours_unit IN ('hours', 'minutes', 'days', 'fraction', 'clock')),
  hours_per_day REAL CHECK (hours_per_day > 0 AND hours_per_day <= 24),
  time_zone TEXT CHECK (length(time_zone) BETWEEN 1 AND 100),
  -- What words for methods mean that the app does not know: a JSON object of methods, and of lists of two.
  methods TEXT NOT NULL DEFAULT '{}' CHECK (json_type(methods) = 'object'),
  -- Whose rows are imported, of a file of several people.
  person TEXT CHECK (length(person) BETWEEN 1 AND 1000),
  -- The rows to leave out as the technician chose them: a JSON list; NULL for all duplicates.
  skip TEXT CHECK (json_type(skip) = 'array'),
  -- Which of the records were in the log already: their positions, each followed by a comma.
  duplicates TEXT NOT NULL DEFAULT '',
  -- The hours of the file's dates that the log had already, in hundredths: a JSON object by date.
  days TEXT NOT NULL DEFAULT '{}' CHECK (json_type(days) = 'object'),
  created_at INTEGER NOT NULL,
  -- When it was imported, how many records that created, and how many were left out.
  applied_at INTEGER,
  created INTEGER CHECK (created >= 0),
  skipped INTEGER CHECK (skipped >= 0),
  CHECK ((applied_at IS NULL) = (content <> '')),
  CHECK ((applied_at IS NULL) = (created IS NULL)),
  CHECK ((applied_at IS NULL) = (skipped IS NULL))
) STRICT;

CREATE INDEX imports_by_user ON imports (user_id, created_at);
CREATE INDEX imports_by_time ON imports (created_at);
CREATE INDEX imports_unused ON imports (created_at) WHERE applied_at IS NULL;

-- Emails to send, and their state (app/mail/outbox.server.ts).
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
  kind TEXT NOT NULL,
  -- The technician whom it is about.
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Which submission of a form caused it; see app/db/submission.server.ts.
  submission TEXT,
  state TEXT NOT NULL
    CHECK (state IN ('waiting', 'claimed', 'sending', 'sent', 'failed', 'unknown', 'cancelled')),
  -- How often it was sent to the mail service, and how many of these attempts have an unknown outcome.
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  unknown_outcomes INTEGER NOT NULL DEFAULT 0 CHECK (unknown_outcomes BETWEEN 0 AND 2),
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
  -- When the mail service last refused our key at an attempt to send it, if that was its last attempt.
  key_refused_at INTEGER,
  CHECK ((due_at IS NULL) = (state IN ('sent', 'failed', 'unknown', 'cancelled'))),
  CHECK (due_at IS NULL OR ended_at IS NULL),
  CHECK ((reason IS NULL) = (state <> 'failed'))
) STRICT;

CREATE INDEX outbox_due ON outbox (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_by_lease ON outbox (lease) WHERE lease IS NOT NULL;
CREATE INDEX outbox_by_user ON outbox (user_id, kind, created_at);
CREATE INDEX outbox_by_request ON outbox (request_id) WHERE request_id IS NOT NULL;
CREATE INDEX outbox_by_recipient ON outbox (user_id, recipient, request_id, created_at, state, unknown_outcomes, kind)
  WHERE recipient IS NOT NULL;
CREATE INDEX outbox_by_end ON outbox (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX outbox_failed ON outbox (ended_at) WHERE state IN ('failed', 'unknown');
CREATE INDEX outbox_key_refused ON outbox (key_refused_at) WHERE key_refused_at IS NOT NULL AND due_at IS NOT NULL;

-- Requests that were to go out with an email that is cancelled, or deleted with its account, before it is sent wait for the next one.
CREATE TRIGGER cancelling_leaves_joined_requests AFTER UPDATE OF state ON outbox
WHEN NEW.state = 'cancelled' AND NEW.kind = 'verification_requested'
BEGIN
  UPDATE verification_requests SET email_withheld = 'joined', mail_at = NEW.ended_at, mailed_with = NULL
  WHERE mailed_with = NEW.request_id AND ended_at IS NULL;
END;

CREATE TRIGGER deleting_leaves_joined_requests AFTER DELETE ON outbox
WHEN OLD.due_at IS NOT NULL AND OLD.kind = 'verification_requested'
BEGIN
  UPDATE verification_requests SET email_withheld = 'joined', mail_at = OLD.created_at, mailed_with = NULL
  WHERE mailed_with = OLD.request_id AND ended_at IS NULL;
END;

-- Addresses that a technician has caused emails to, from messages that are not in the outbox any more.
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

-- The last new version, new SESSION_SECRET and restore from a backup (app/mail/changes.server.ts).
CREATE TABLE mail_changes (
  kind TEXT PRIMARY KEY CHECK (kind IN ('version', 'secret', 'restore')),
  -- The version, a mark of the secret, or the code of the restore.
  value TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- How many emails waited then; NULL at the first start, when nothing has changed.
  waiting INTEGER CHECK (waiting >= 0),
  -- How many of them ended unsent; NULL while emails are held after a restore.
  ended INTEGER CHECK (ended >= 0)
) STRICT, WITHOUT ROWID;

-- The check of the audit log, which the timer does in steps (app/admin/log-check.server.ts). One row.
CREATE TABLE log_checks (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  -- Counts the steps of all checks, so that of two that are done at once one counts.
  step INTEGER NOT NULL,
  -- How far the check has come that is going on, as JSON; NULL if none is.
  progress TEXT,
  started_at INTEGER NOT NULL,
  -- The last check that was completed: when, how many events it has read, how many faults it found, and the first of them as
  -- JSON. NULL before the first.
  at INTEGER,
  events INTEGER CHECK (events >= 0),
  faults INTEGER CHECK (faults >= 0),
  found TEXT
) STRICT;

-- The admin for whom RESET_ADMIN has made a link (app/accounts/reset.server.ts): there is no other while the setting stays.
CREATE TABLE admin_resets (
  user_id INTEGER PRIMARY KEY CHECK (user_id > 0) REFERENCES users (id) ON DELETE CASCADE,
  made_at INTEGER NOT NULL
) STRICT;

-- ── Events ──

-- What happened to the records and requests of each account, for programs that follow it (app/events). Triggers write the
-- rows, so they are in the transaction of the change, whatever makes it; see docs/decisions/0078-events.md.
CREATE TABLE events (
  -- The time in microseconds since 1970, and more than every id before it: writes are one after the other, so nobody who has
  -- seen an id can be missing one below it, and after a backup was restored no id is given out again.
  id INTEGER PRIMARY KEY CHECK (id > 0),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('record.created', 'record.edited', 'record.deleted', 'record.restored',
    'record.verified', 'record.declined', 'record.disowned', 'request.created', 'request.opened', 'request.answered',
    'request.withdrawn', 'request.expired', 'certificate.expiring')),
  -- What it happened to. The record or the request may be gone since.
  record_kind TEXT REFERENCES kinds (name),
  record_id INTEGER,
  request_id INTEGER,
  CHECK ((record_id IS NULL) = (record_kind IS NULL)),
  CHECK (coalesce(record_id, request_id) IS NOT NULL)
) STRICT;

CREATE INDEX events_by_user ON events (user_id);

-- An event is written with the id 0, and this alone gives it its id. It is no trigger of a view: D1's export writes triggers
-- before views, and could not be imported.
CREATE TRIGGER events_follow BEFORE INSERT ON events WHEN NEW.id = 0
BEGIN
  INSERT INTO events (id, user_id, type, record_kind, record_id, request_id)
  VALUES (max(1 + coalesce((SELECT max(id) FROM events), 0), CAST(unixepoch('subsec') * 1000000 AS INTEGER)),
    NEW.user_id, NEW.type, NEW.record_kind, NEW.record_id, NEW.request_id);
  SELECT RAISE(IGNORE);
END;

CREATE TRIGGER events_of_new_records AFTER INSERT ON records
BEGIN
  INSERT INTO events (id, user_id, type, record_kind, record_id)
  VALUES (0, NEW.user_id, 'record.created', NEW.kind, NEW.id);
END;

CREATE TRIGGER events_of_changed_records AFTER UPDATE OF date, end_date, location, method, hours, brought_forward, fields,
  subtype, level, part, score, standard, revoked_on, revoked_reason, verified, deleted_at ON records
BEGIN
  INSERT INTO events (id, user_id, type, record_kind, record_id)
  SELECT 0, NEW.user_id, type, NEW.kind, NEW.id FROM (SELECT CASE
      WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL THEN 'record.deleted'
      WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL THEN 'record.restored'
      WHEN OLD.verified < NEW.verified THEN 'record.verified'
      WHEN OLD.verified > NEW.verified THEN 'record.disowned'
      WHEN (OLD.date, OLD.end_date, OLD.location, OLD.method, OLD.hours, OLD.brought_forward, OLD.fields,
        OLD.subtype, OLD.level, OLD.part, OLD.score, OLD.standard, OLD.revoked_on, OLD.revoked_reason) IS NOT
        (NEW.date, NEW.end_date, NEW.location, NEW.method, NEW.hours, NEW.brought_forward, NEW.fields,
        NEW.subtype, NEW.level, NEW.part, NEW.score, NEW.standard, NEW.revoked_on, NEW.revoked_reason) THEN 'record.edited'
    END AS type)
  WHERE type IS NOT NULL;
END;

-- What was deleted first was told then; a deleted account has no events.
CREATE TRIGGER events_of_removed_records AFTER DELETE ON records
WHEN OLD.deleted_at IS NULL AND EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id)
BEGIN
  INSERT INTO events (id, user_id, type, record_kind, record_id)
  VALUES (0, OLD.user_id, 'record.deleted', OLD.kind, OLD.id);
END;

CREATE TRIGGER events_of_declined_records AFTER UPDATE OF state ON verification_items
WHEN OLD.state <> 'declined' AND NEW.state = 'declined'
BEGIN
  INSERT INTO events (id, user_id, type, record_kind, record_id, request_id)
  SELECT 0, user_id, 'record.declined', kind, id, NEW.request_id FROM records WHERE id = NEW.record_id;
END;

CREATE TRIGGER events_of_new_requests AFTER INSERT ON verification_requests
BEGIN
  INSERT INTO events (id, user_id, type, request_id) VALUES (0, NEW.user_id, 'request.created', NEW.id);
END;

CREATE TRIGGER events_of_opened_requests AFTER UPDATE OF opened_at ON verification_requests
WHEN OLD.opened_at IS NULL AND NEW.opened_at IS NOT NULL
BEGIN
  INSERT INTO events (id, user_id, type, request_id) VALUES (0, NEW.user_id, 'request.opened', NEW.id);
END;

CREATE TRIGGER events_of_answers AFTER INSERT ON verification_answers
BEGIN
  INSERT INTO events (id, user_id, type, request_id)
  SELECT 0, user_id, 'request.answered', id FROM verification_requests WHERE id = NEW.request_id;
END;

-- As the audit log, `withdrawn` says of every end without an answer that it was not the time: its records were edited,
-- deleted or decided elsewhere. A request without records can only expire.
CREATE TRIGGER events_of_ended_requests AFTER UPDATE OF ended_at ON verification_requests
WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM verification_items
  WHERE request_id = NEW.id AND state IN ('verified', 'declined') AND decided_at = NEW.ended_at)
BEGIN
  INSERT INTO events (id, user_id, type, request_id)
  SELECT 0, NEW.user_id, iif(coalesce((SELECT cause FROM verification_items
    WHERE request_id = NEW.id AND state = 'ended' AND decided_at = NEW.ended_at LIMIT 1), 'expired') = 'expired',
    'request.expired', 'request.withdrawn'), NEW.id;
END;
