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

-- Claims in trackers that an execution which has not started yet may have made: the row is there before the tracker is
-- asked, and goes when the execution starts, when somebody else has the bead, or when the tracker has the bead's own
-- status back.
-- `at`:       when the tracker was asked last.
-- `released`: 1 once it is to be given back: the bead's status is queued for the tracker.
CREATE TABLE tracker_claim (
  execution TEXT PRIMARY KEY,
  project TEXT NOT NULL,
  bead TEXT NOT NULL,
  at INTEGER NOT NULL,
  released INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX tracker_claim_bead ON tracker_claim (project, bead);

CREATE TRIGGER tracker_claim_started AFTER UPDATE OF started_at ON execution WHEN NEW.started_at IS NOT NULL
BEGIN
  DELETE FROM tracker_claim WHERE execution = NEW.id;
END;

CREATE TRIGGER tracker_claim_released AFTER DELETE ON tracker_change WHEN OLD.kind = 'status'
BEGIN
  DELETE FROM tracker_claim WHERE project = OLD.project AND bead = OLD.bead AND released = 1;
END;

CREATE TRIGGER tracker_claim_gone AFTER DELETE ON bead
BEGIN
  DELETE FROM tracker_claim WHERE project = OLD.project AND bead = OLD.id;
END;
