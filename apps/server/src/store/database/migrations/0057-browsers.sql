-- Which browsers are signed in, with the access token as well. `key`, `page`: digests of the cookie and of what its page
-- alone has. `server`: the access token that it was opened under, as the cookie's name has it. What was signed in before
-- has no second value, so it counts for nothing.
DROP TABLE sign_in;

CREATE TABLE sign_in (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  page TEXT NOT NULL,
  server TEXT NOT NULL,
  via TEXT NOT NULL CHECK (via IN ('token', 'oidc')),
  subject TEXT NOT NULL,
  name TEXT NOT NULL,
  groups TEXT NOT NULL,
  browser TEXT NOT NULL,
  began_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sign_in_of_subject ON sign_in (via, subject);
