-- Files and pasted text that technicians import; see app/transfer and docs/decisions/0057-import-and-export.md.
CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('entry', 'rope_hour')),
  -- What was uploaded; empty once it is imported.
  content TEXT NOT NULL CHECK (length(content) <= 1572864),
  -- What each column means: a JSON list of fields and nulls.
  mapping TEXT NOT NULL CHECK (json_type(mapping) = 'array'),
  -- The order of day, month and year as the technician chose it; NULL as long as the dates themselves tell.
  date_order TEXT CHECK (date_order IN ('ymd', 'dmy', 'mdy')),
  -- The rows to leave out as the technician chose them: a JSON list; NULL for all duplicates.
  skip TEXT CHECK (json_type(skip) = 'array'),
  -- Which of the records were in the log already: their positions, each followed by a comma.
  duplicates TEXT NOT NULL DEFAULT '',
  -- Counts the changes: a change applies only to the version that was read.
  version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0),
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
