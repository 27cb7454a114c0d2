-- Who is signed in by a provider. `key`: a digest of what their browser has. `number`: in the order in which they came.
CREATE TABLE sign_in (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  subject TEXT NOT NULL,
  name TEXT NOT NULL,
  groups TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sign_in_of_subject ON sign_in (subject);
