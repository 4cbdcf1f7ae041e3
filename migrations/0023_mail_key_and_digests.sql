-- When the mail service last refused our key at an attempt to send a message, if that was its last attempt. As long as such a
-- message waits, one message a minute is tried (app/mail/deliver.server.ts).
ALTER TABLE outbox ADD COLUMN key_refused_at INTEGER;

CREATE INDEX outbox_key_refused ON outbox (key_refused_at) WHERE key_refused_at IS NOT NULL AND due_at IS NOT NULL;

-- What was disowned is in the digest, too (app/verification/digest.server.ts).
UPDATE outbox SET kind = 'hours_verified' WHERE kind = 'hours_disowned';
