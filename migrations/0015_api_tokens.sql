-- Personal API tokens; see docs/decisions/0055-api-tokens.md.
CREATE TABLE api_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  access TEXT NOT NULL CHECK (access IN ('read', 'write')),
  -- SHA-256 of the token, by which a call finds it. The token itself is shown once and stored nowhere.
  hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
  -- Which submission of a form made it; see app/db/submission.server.ts.
  submission TEXT,
  created_at INTEGER NOT NULL,
  -- To the hour.
  last_used_at INTEGER
) STRICT;

CREATE INDEX api_tokens_by_user ON api_tokens (user_id);
CREATE UNIQUE INDEX api_tokens_by_submission ON api_tokens (user_id, submission) WHERE submission IS NOT NULL;
