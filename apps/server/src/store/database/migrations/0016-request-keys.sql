-- Answers to requests with an Idempotency-Key, so that one that is sent again acts once, also after a restart.
-- `scope`:  method and path. `digest`: of the body.
-- `made`:   the id of what the request made, written in the transaction that made it; null: nothing, or not yet.
-- `status`: null while there is no answer: the server died after it had made something and before it answered.
-- `bytes`:  of the row, for the bound on all of them together.
CREATE TABLE request_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  at INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  made TEXT,
  status INTEGER,
  seq INTEGER,
  body TEXT,
  UNIQUE (scope, key)
) STRICT;

CREATE INDEX request_key_age ON request_key (at, bytes);
