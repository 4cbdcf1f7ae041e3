-- Targets: the hours, days or months that a technician works towards, and the indexes of their progress. A target that was
-- copied from a preset (app/certification/presets) does not refer to it, so that a changed preset changes no copy. See
-- docs/decisions/0056-progress-in-hundredths.md.

CREATE TABLE targets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  standard TEXT NOT NULL CHECK (length(standard) <= 200),
  -- Where the figures come from, and how reliable that is.
  source TEXT NOT NULL CHECK (length(source) <= 2000),
  -- Records dated before this day do not count; NULL if all do.
  since TEXT CHECK (length(since) = 10 AND since IS date(since)),
  -- Which submission of a form made it; see app/db/submission.server.ts.
  submission TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX targets_by_submission ON targets (user_id, submission);
-- The days from which a technician's targets count.
CREATE INDEX targets_by_since ON targets (user_id, since);

CREATE TABLE target_items (
  target_id INTEGER NOT NULL REFERENCES targets (id) ON DELETE CASCADE,
  -- The order in which they are shown, from 0.
  position INTEGER NOT NULL CHECK (position BETWEEN 0 AND 49),
  title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  clause TEXT NOT NULL CHECK (length(clause) <= 200),
  unit TEXT NOT NULL CHECK (unit IN ('hours', 'days', 'months')),
  record_kind TEXT NOT NULL,
  -- The codes of the NDT methods that count, in JSON; empty for kinds of records without a method.
  methods TEXT NOT NULL CHECK (json_type(methods) = 'array'),
  -- In hundredths of the unit.
  required INTEGER NOT NULL CHECK (required BETWEEN 1 AND 10000000),
  PRIMARY KEY (target_id, position),
  CHECK (unit <> 'days' OR record_kind = 'entry')
) STRICT, WITHOUT ROWID;

-- Hours by day, month and method are added up from these indexes alone. The status of a record follows from the three
-- columns between method and hours.
CREATE INDEX entries_progress ON entries (user_id, date, method, verified, requested_at, declined_at, hours);
CREATE INDEX rope_hours_progress ON rope_hours (user_id, start_date, verified, requested_at, declined_at, hours);
