-- The tables of spec section 3. The rows' types are in app/db/schema.ts; a test holds the two together.
-- What must never be in a row is refused here, whatever the code above forgets.

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
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
  CHECK ((reset_token IS NULL) = (reset_token_expiry IS NULL))
) STRICT;

CREATE TABLE sessions (
  -- SHA-256 of the cookie's value, in hexadecimal: who reads this table can sign in as nobody.
  id TEXT PRIMARY KEY CHECK (length(id) = 64),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL CHECK (expires_at > created_at)
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE supervisors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  email TEXT NOT NULL CHECK (email = lower(trim(email)) AND length(email) BETWEEN 3 AND 254),
  phone TEXT NOT NULL CHECK (length(phone) BETWEEN 1 AND 200),
  certification_level TEXT NOT NULL CHECK (certification_level IN ('Level I', 'Level II', 'Level III')),
  company TEXT NOT NULL CHECK (length(company) BETWEEN 1 AND 200),
  -- Which sending of a form made the row; see app/db/submission.server.ts.
  submission TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX supervisors_by_user ON supervisors (user_id);

CREATE TABLE entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- A calendar date, YYYY-MM-DD, and a real one: date() moves 2026-02-30 to March.
  date TEXT NOT NULL CHECK (length(date) = 10 AND date IS date(date)),
  location TEXT NOT NULL CHECK (length(location) BETWEEN 1 AND 200),
  method TEXT NOT NULL CHECK (method IN ('ET', 'RFT', 'MT', 'PT', 'RT', 'UT_THK', 'UTSW', 'PMI', 'LSI')),
  hours REAL NOT NULL CHECK (hours >= 0.1 AND hours <= 100000),
  verified INTEGER NOT NULL DEFAULT 0 CHECK (verified IN (0, 1)),
  verified_by TEXT CHECK (length(verified_by) BETWEEN 1 AND 200),
  verification_token TEXT UNIQUE CHECK (length(verification_token) = 36),
  verified_at INTEGER,
  search TEXT NOT NULL,
  submission TEXT,
  created_at INTEGER NOT NULL,
  CHECK (verified = (verified_by IS NOT NULL)),
  CHECK (verified = (verified_at IS NOT NULL))
) STRICT;

CREATE INDEX entries_by_date ON entries (user_id, date);
-- Totals are read from this index alone.
CREATE INDEX entries_totals ON entries (user_id, method, verified, hours);
CREATE INDEX entries_by_submission ON entries (user_id, submission) WHERE submission IS NOT NULL;

CREATE TABLE rope_hours (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  start_date TEXT NOT NULL CHECK (length(start_date) = 10 AND start_date IS date(start_date)),
  end_date TEXT NOT NULL CHECK (length(end_date) = 10 AND end_date IS date(end_date)),
  location TEXT NOT NULL CHECK (length(location) BETWEEN 1 AND 200),
  skills TEXT NOT NULL CHECK (length(skills) BETWEEN 1 AND 2000),
  hours REAL NOT NULL CHECK (hours >= 0 AND hours <= 100000),
  verified INTEGER NOT NULL DEFAULT 0 CHECK (verified IN (0, 1)),
  verified_by TEXT CHECK (length(verified_by) BETWEEN 1 AND 200),
  verification_token TEXT UNIQUE CHECK (length(verification_token) = 36),
  verified_at INTEGER,
  search TEXT NOT NULL,
  submission TEXT,
  created_at INTEGER NOT NULL,
  CHECK (end_date > start_date),
  CHECK (verified = (verified_by IS NOT NULL)),
  CHECK (verified = (verified_at IS NOT NULL))
) STRICT;

CREATE INDEX rope_hours_by_date ON rope_hours (user_id, start_date);
CREATE INDEX rope_hours_totals ON rope_hours (user_id, verified, hours);
CREATE INDEX rope_hours_by_submission ON rope_hours (user_id, submission) WHERE submission IS NOT NULL;

-- A verified record never changes again. Deleting stays possible: an admin may, and a user's deletion cascades.
-- REPLACE deletes the row in its way without asking, so a write that would take a verified record's id or token is
-- refused as well.

CREATE TRIGGER entries_verified_stays BEFORE UPDATE ON entries
WHEN OLD.verified = 1 OR EXISTS (
  SELECT 1 FROM entries WHERE verified = 1 AND id <> OLD.id
  AND (id = NEW.id OR verification_token = NEW.verification_token))
BEGIN
  SELECT RAISE(ABORT, 'a verified record never changes');
END;

CREATE TRIGGER entries_verified_is_not_replaced BEFORE INSERT ON entries
WHEN EXISTS (
  SELECT 1 FROM entries WHERE verified = 1 AND (id = NEW.id OR verification_token = NEW.verification_token))
BEGIN
  SELECT RAISE(ABORT, 'a verified record never changes');
END;

CREATE TRIGGER rope_hours_verified_stays BEFORE UPDATE ON rope_hours
WHEN OLD.verified = 1 OR EXISTS (
  SELECT 1 FROM rope_hours WHERE verified = 1 AND id <> OLD.id
  AND (id = NEW.id OR verification_token = NEW.verification_token))
BEGIN
  SELECT RAISE(ABORT, 'a verified record never changes');
END;

CREATE TRIGGER rope_hours_verified_is_not_replaced BEFORE INSERT ON rope_hours
WHEN EXISTS (
  SELECT 1 FROM rope_hours WHERE verified = 1 AND (id = NEW.id OR verification_token = NEW.verification_token))
BEGIN
  SELECT RAISE(ABORT, 'a verified record never changes');
END;
