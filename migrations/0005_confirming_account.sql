-- The account that was signed in when a record was confirmed, if there was one; see app/verification/log.server.ts. It
-- refers to no row: the log outlives accounts, and ids are never given again. Lines from before have none.
ALTER TABLE verification_log ADD COLUMN account_id INTEGER CHECK (account_id IS NULL OR (account_id >= 1 AND event = 'verified'));
