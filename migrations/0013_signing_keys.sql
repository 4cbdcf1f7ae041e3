-- The public keys of SIGNING_KEY; see docs/decisions/0054-signed-statement.md. The private ones are never stored here.
-- A key is added at its first use and kept for ever, because statements on paper are checked with it years later.
CREATE TABLE signing_keys (
  -- The thumbprint of the key (RFC 7638).
  kid TEXT PRIMARY KEY CHECK (length(kid) = 43),
  -- The public key, in base64url.
  x TEXT NOT NULL CHECK (length(x) = 43),
  added_at INTEGER NOT NULL,
  -- When another key was used since; NULL while it is in use.
  retired_at INTEGER
) STRICT;
