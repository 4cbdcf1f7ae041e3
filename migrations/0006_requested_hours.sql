-- The hours that wait for a supervisor are added up from these indexes alone.
CREATE INDEX entries_requested ON entries (user_id, verified, verification_token, hours)
  WHERE verified = 0 AND verification_token IS NOT NULL;
CREATE INDEX rope_hours_requested ON rope_hours (user_id, verified, verification_token, hours)
  WHERE verified = 0 AND verification_token IS NOT NULL;
