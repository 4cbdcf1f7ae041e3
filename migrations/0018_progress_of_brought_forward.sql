-- The index that hours are added up from, with the column of migration 0017: hours that were brought forward were not
-- worked on the day of their record, so progress treats them in its own way.
DROP INDEX entries_progress;
CREATE INDEX entries_progress
  ON entries (user_id, date, method, verified, requested_at, declined_at, brought_forward, hours);
