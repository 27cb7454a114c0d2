-- Everything that an execution's ends need: the run policy and its counters, verification step by step, what waits for
-- the remote, follow-up beads, and how far a record is in its container's own log.

-- `retry`: the policy as JSON. `flags`: JSON array. `pending_push`: JSON, null when nothing waits for the remote.
-- `stop_reason`: why it is stopped, as JSON, written before the first signal: an exit code says nothing about it.
ALTER TABLE execution ADD COLUMN retry TEXT NOT NULL
  DEFAULT '{"retryCount":0,"retryDelay":1000,"retryBackoff":"exponential","retryOn":[],"retryMaxTime":null}';
ALTER TABLE execution ADD COLUMN retry_attempt INTEGER NOT NULL DEFAULT 0 CHECK (retry_attempt >= 0);
ALTER TABLE execution ADD COLUMN retry_at INTEGER;
ALTER TABLE execution ADD COLUMN max_sessions INTEGER NOT NULL DEFAULT 10 CHECK (max_sessions >= 1);
ALTER TABLE execution ADD COLUMN flags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE execution ADD COLUMN pending_push TEXT;
ALTER TABLE execution ADD COLUMN elapsed_ms INTEGER NOT NULL DEFAULT 0 CHECK (elapsed_ms >= 0);
ALTER TABLE execution ADD COLUMN stop_reason TEXT;

ALTER TABLE bead ADD COLUMN base_branch TEXT;

-- `record_time`, `record_frames`: the time stamp of the last frame of the container's log that is in the record, and
-- how many frames with that stamp are: the engine's log is read on from there after a restart.
ALTER TABLE session ADD COLUMN record_time TEXT;
ALTER TABLE session ADD COLUMN record_frames INTEGER NOT NULL DEFAULT 0;

CREATE TABLE verification (
  execution TEXT NOT NULL REFERENCES execution (id),
  attempt INTEGER NOT NULL CHECK (attempt >= 1),
  purpose TEXT NOT NULL CHECK (purpose IN ('attempt', 'merge')),
  run INTEGER NOT NULL CHECK (run >= 1),
  step INTEGER NOT NULL CHECK (step >= 1),
  session TEXT NOT NULL REFERENCES session (id),
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('build', 'test', 'lint', 'custom')),
  command TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  passed INTEGER NOT NULL CHECK (passed IN (0, 1)),
  exit_code INTEGER,
  duration_ms INTEGER NOT NULL,
  tool TEXT NOT NULL,
  failures INTEGER,
  collected INTEGER,
  summary TEXT NOT NULL,
  digest TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  findings TEXT NOT NULL,
  verdict TEXT CHECK (verdict IN ('same', 'new', 'fewer')),
  at INTEGER NOT NULL,
  UNIQUE (session, step)
) STRICT;

CREATE INDEX verification_of_execution ON verification (execution, at);

-- One row for each time that a layer tried again. `layer`: L0 to L3 and L6, in words.
CREATE TABLE retry (
  execution TEXT NOT NULL REFERENCES execution (id),
  layer TEXT NOT NULL CHECK (layer IN ('api_call', 'run', 'verification', 'follow_up')),
  reason TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX retry_of_execution ON retry (execution);

-- The bead that was filed for a bead's failures of one kind; the same failure again is an entry, not another bead.
CREATE TABLE follow_up (
  project TEXT NOT NULL REFERENCES project (id),
-- `head`: the beginning of its description, before the entries' sections.
  bead TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('tests_failing', 'merge_conflict', 'execution_failed', 'blocked', 'timeout')),
  target TEXT NOT NULL,
  PRIMARY KEY (project, target)
) STRICT, WITHOUT ROWID;
  head TEXT NOT NULL,

CREATE INDEX follow_up_of_bead ON follow_up (project, bead, kind);

CREATE TABLE follow_up_entry (
  execution TEXT PRIMARY KEY REFERENCES execution (id),
  project TEXT NOT NULL,
  target TEXT NOT NULL,
  at INTEGER NOT NULL,
  FOREIGN KEY (project, target) REFERENCES follow_up (project, target)
) STRICT;

CREATE INDEX follow_up_entry_of_target ON follow_up_entry (project, target, at);
  section TEXT NOT NULL,

-- Models that answered "too many requests" with a time to come back. `model`: the endpoint and the model's name.
CREATE TABLE parked_model (
  model TEXT PRIMARY KEY,
  until INTEGER NOT NULL,
  why TEXT NOT NULL
) STRICT, WITHOUT ROWID;
