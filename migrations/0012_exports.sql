-- Exports: forms of verified hours that anyone can check by the code on the paper.
-- See app/proof and docs/decisions/0053-export-codes.md.

CREATE TABLE exports (
  -- A random number, chosen before the row is stored, because the code is made from it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- NULL, as are all columns but the code's hash and the instants, once the account is deleted.
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  record_kind TEXT CHECK (length(record_kind) BETWEEN 1 AND 20),
  -- With the secret and the id, what the code is made of.
  nonce TEXT CHECK (length(nonce) = 32),
  -- SHA-256 of the code, by which a check finds the export.
  code_hash TEXT NOT NULL UNIQUE CHECK (length(code_hash) = 64),
  made_at INTEGER NOT NULL,
  -- The technician's day, which is the date on the form.
  made_on TEXT CHECK (made_on = date(made_on)),
  -- As printed. NULL once the export is closed.
  name TEXT CHECK (length(name) BETWEEN 1 AND 254),
  employee_number TEXT CHECK (length(employee_number) BETWEEN 1 AND 200),
  records INTEGER CHECK (records > 0),
  hundredths INTEGER CHECK (hundredths >= 0),
  -- An HMAC by the code of all that is printed: it shows a change past the app.
  seal TEXT CHECK (length(seal) = 64),
  -- A compact JWS without the code in its payload (app/proof/stored-statement.ts), or NULL without a signing key.
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
  CHECK ((name IS NULL) = (seal IS NULL))
) STRICT;

CREATE INDEX exports_by_user ON exports (user_id, made_at);
CREATE UNIQUE INDEX exports_by_submission ON exports (user_id, submission) WHERE submission IS NOT NULL;

-- The records of an export as they are printed, whatever changed since.
CREATE TABLE export_records (
  export_id INTEGER NOT NULL REFERENCES exports (id) ON DELETE CASCADE,
  -- From 1, oldest first.
  position INTEGER NOT NULL CHECK (position > 0),
  record_id INTEGER NOT NULL,
  -- The fields of its kind, as JSON.
  content TEXT NOT NULL CHECK (json_valid(content)),
  supervisor TEXT NOT NULL CHECK (length(supervisor) BETWEEN 1 AND 200),
  -- NULL where the verification is older than this was noted.
  via TEXT CHECK (via IN ('mailbox', 'link')),
  -- Of the mailbox; NULL once the supervisor is erased.
  domain TEXT CHECK (domain IS NULL OR via = 'mailbox'),
  PRIMARY KEY (export_id, position)
) STRICT, WITHOUT ROWID;

-- With an account goes all that its exports say of it. Their codes stay known, so that a check does not call them unknown.
CREATE TRIGGER exports_outlive_users BEFORE DELETE ON users
BEGIN
  DELETE FROM export_records WHERE export_id IN (SELECT id FROM exports WHERE user_id = OLD.id);
  UPDATE exports SET user_id = NULL, record_kind = NULL, nonce = NULL, made_on = NULL, name = NULL,
    employee_number = NULL, records = NULL, hundredths = NULL, seal = NULL, statement = NULL, submission = NULL,
    checks = 0, checked_at = NULL, account_deleted_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE user_id = OLD.id;
END;
