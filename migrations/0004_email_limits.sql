-- What the limits on emails to supervisors count; see app/verification/email-limits.server.ts.

-- Whom a message was queued for: an HMAC by SESSION_SECRET of the technician and the address. No address can be read
-- out of it. NULL in messages to technicians, in those that were not queued, and a year after the message.
ALTER TABLE outbox ADD COLUMN recipient TEXT CHECK (length(recipient) = 64);
-- Why the link that it carries has ended. After an edit another email about the record may follow within a day.
ALTER TABLE outbox ADD COLUMN link_ended TEXT
  CHECK (link_ended IN ('withdrawn', 'edited', 'deleted', 'declined', 'expired'));

-- Covers both limits of a technician: an email for a record and address, and new addresses.
CREATE INDEX outbox_by_recipient ON outbox
  (user_id, recipient, record_kind, record_id, link_ended, created_at, state, doubts) WHERE recipient IS NOT NULL;
-- For the sweep that forgets recipients.
CREATE INDEX outbox_recipient_by_time ON outbox (created_at) WHERE recipient IS NOT NULL;
