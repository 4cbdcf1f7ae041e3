-- Hours of earlier years, brought forward as one entry for each method; see docs/decisions/0057-import-and-export.md.
ALTER TABLE entries ADD COLUMN brought_forward INTEGER NOT NULL DEFAULT 0 CHECK (brought_forward IN (0, 1));

-- As before, and the new column does not change either.
DROP TRIGGER entries_verified_stays;
CREATE TRIGGER entries_verified_stays BEFORE UPDATE ON entries
WHEN (OLD.verified = 1 AND NOT (
    NEW.verified = 0 AND NEW.verified_by IS NULL AND NEW.verified_at IS NULL AND NEW.verified_via IS NULL
    AND NEW.id = OLD.id AND NEW.user_id = OLD.user_id AND NEW.date = OLD.date AND NEW.location = OLD.location
    AND NEW.method = OLD.method AND NEW.hours = OLD.hours AND NEW.brought_forward = OLD.brought_forward
    AND NEW.verification_token IS OLD.verification_token
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
