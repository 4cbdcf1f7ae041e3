-- Checkpoints: what the audit log was on each day, so that a log that was rewritten can be found later.
-- See app/audit-log/compact-range.server.ts and docs/decisions/0061-checkpoints.md.

-- The Merkle tree over the hashes of all events, one row.
CREATE TABLE log_tree (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  -- How many events are in it, and the id of the last of them.
  size INTEGER NOT NULL CHECK (size >= 0),
  last_event INTEGER NOT NULL CHECK (last_event >= size),
  -- The hashes of its complete subtrees, from the first events on, in hexadecimal: one for each 1 in the binary `size`.
  roots TEXT NOT NULL CHECK (length(roots) % 64 = 0 AND (roots = '') = (size = 0))
) STRICT;

INSERT INTO log_tree VALUES (1, 0, 0, '');

CREATE TRIGGER log_tree_grows BEFORE UPDATE ON log_tree
WHEN NEW.size <= OLD.size OR NEW.last_event < OLD.last_event + NEW.size - OLD.size
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

-- Rows are added and never changed or deleted.
CREATE TABLE checkpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  size INTEGER NOT NULL CHECK (size >= 0),
  -- The root hash of the tree at that size, in base64.
  root TEXT NOT NULL CHECK (length(root) = 44),
  at INTEGER NOT NULL,
  -- The signed checkpoint as /checkpoint shows it. It contains size and root.
  note TEXT NOT NULL CHECK (instr(note, char(10) || size || char(10) || root || char(10)) > 0)
) STRICT;

CREATE INDEX checkpoints_by_time ON checkpoints (at);

-- For the timer, which retires the keys that are no longer used.
CREATE INDEX signing_keys_by_retirement ON signing_keys (retired_at);

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
