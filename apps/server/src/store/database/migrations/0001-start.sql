-- Times are integer milliseconds UTC, booleans 0 or 1, lists and open-ended values JSON.

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE project (
  id TEXT PRIMARY KEY,
  source TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  name TEXT NOT NULL,
  paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
  autopilot INTEGER CHECK (autopilot IN (0, 1)),
  settings TEXT,
  base_commit TEXT,
  problem TEXT,
  warnings TEXT NOT NULL DEFAULT '[]',
  synced_at INTEGER
) STRICT;

-- `decided`: the status came from an execution or a person at the dashboard and holds until `tracker_status` changes.
-- `local`:   made by Beadloom and not seen in the tracker yet, so its absence there means nothing.
-- `gone`:    was in the tracker and is not any more; kept because executions belong to it.
CREATE TABLE bead (
  project TEXT NOT NULL REFERENCES project (id),
  id TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'in_progress', 'blocked', 'timeout', 'done')),
  tracker_status TEXT NOT NULL,
  priority INTEGER NOT NULL,
  type TEXT NOT NULL,
  labels TEXT NOT NULL,
  dependencies TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  defer_until INTEGER,
  pinned INTEGER NOT NULL CHECK (pinned IN (0, 1)),
  ephemeral INTEGER NOT NULL CHECK (ephemeral IN (0, 1)),
  template INTEGER NOT NULL CHECK (template IN (0, 1)),
  raw TEXT,
  fingerprint TEXT NOT NULL,
  decided INTEGER NOT NULL CHECK (decided IN (0, 1)),
  local INTEGER NOT NULL CHECK (local IN (0, 1)),
  gone INTEGER NOT NULL CHECK (gone IN (0, 1)),
  PRIMARY KEY (project, id)
) STRICT;

-- What `replaceBeads` compares, in one small index instead of the wide rows.
CREATE INDEX bead_compare ON bead (project, id, fingerprint, status, tracker_status, decided, local, gone);

-- `settled`: every step of the terminal pipeline has run.
CREATE TABLE execution (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL,
  bead TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('work', 'review')),
  state TEXT NOT NULL CHECK (state IN ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'BLOCKED', 'TIMEOUT', 'CANCELLED')),
  reason TEXT,
  detail TEXT NOT NULL DEFAULT '',
  blocked_reason TEXT,
  branch TEXT NOT NULL,
  base_commit TEXT,
  verified_commit TEXT,
  context TEXT NOT NULL,
  former_bead_status TEXT NOT NULL
    CHECK (former_bead_status IN ('open', 'in_progress', 'blocked', 'timeout', 'done')),
  attempt INTEGER NOT NULL DEFAULT 0 CHECK (attempt >= 0),
  max_attempts INTEGER NOT NULL CHECK (max_attempts >= 1),
  tokens_input INTEGER NOT NULL DEFAULT 0,
  tokens_output INTEGER NOT NULL DEFAULT 0,
  queued_at INTEGER NOT NULL UNIQUE,
  started_at INTEGER,
  ended_at INTEGER,
  deadline_at INTEGER,
  cancel_requested_at INTEGER,
  settled INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1)),
  FOREIGN KEY (project, bead) REFERENCES bead (project, id),
  CHECK ((state IN ('QUEUED', 'RUNNING')) = (ended_at IS NULL)),
  CHECK (state <> 'RUNNING' OR (started_at IS NOT NULL AND deadline_at IS NOT NULL)),
  CHECK ((state IN ('FAILED', 'TIMEOUT')) = (reason IS NOT NULL)),
  CHECK (settled = 0 OR ended_at IS NOT NULL)
) STRICT;

CREATE UNIQUE INDEX one_live_execution ON execution (project, bead) WHERE ended_at IS NULL;
CREATE INDEX execution_of_bead ON execution (project, bead, queued_at);
CREATE INDEX execution_of_project ON execution (project, queued_at);
CREATE INDEX execution_unsettled ON execution (ended_at) WHERE settled = 0;

CREATE TRIGGER execution_begins_queued BEFORE INSERT ON execution WHEN NEW.state <> 'QUEUED'
BEGIN
  SELECT RAISE(ABORT, 'an execution begins QUEUED');
END;

CREATE TRIGGER execution_end_is_final
BEFORE UPDATE OF id, project, bead, state, reason, detail, blocked_reason, started_at, ended_at ON execution
WHEN OLD.ended_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'the end of an execution never changes');
END;

CREATE TABLE pipeline_step (
  execution TEXT NOT NULL REFERENCES execution (id),
  step TEXT NOT NULL CHECK (step IN ('status', 'bead', 'sync', 'cleanup')),
  at INTEGER NOT NULL,
  PRIMARY KEY (execution, step)
) STRICT, WITHOUT ROWID;

-- `record_…` is the recorder's checkpoint; `record_n` is null before the first one.
CREATE TABLE session (
  id TEXT PRIMARY KEY,
  execution TEXT NOT NULL REFERENCES execution (id),
  number INTEGER NOT NULL CHECK (number >= 1),
  kind TEXT NOT NULL CHECK (kind IN ('setup', 'work', 'verify', 'save')),
  attempt INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('starting', 'running', 'ended')),
  outcome TEXT
    CHECK (outcome IN ('success', 'failed', 'timeout', 'turn_limit', 'blocked', 'cancelled', 'infra_error')),
  exit_code INTEGER,
  detail TEXT NOT NULL DEFAULT '',
  container TEXT,
  tokens_input INTEGER NOT NULL DEFAULT 0,
  tokens_output INTEGER NOT NULL DEFAULT 0,
  record_n INTEGER,
  record_bytes INTEGER NOT NULL DEFAULT 0,
  record_lines INTEGER NOT NULL DEFAULT 0,
  record_complete INTEGER NOT NULL DEFAULT 0 CHECK (record_complete IN (0, 1)),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  UNIQUE (execution, number),
  CHECK ((state = 'ended') = (ended_at IS NOT NULL)),
  CHECK ((state = 'ended') = (outcome IS NOT NULL))
) STRICT;

CREATE TRIGGER session_end_is_final
BEFORE UPDATE OF id, execution, number, state, outcome, exit_code, detail, ended_at ON session
WHEN OLD.ended_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'the end of a session never changes');
END;

-- `seq` counts from 1 in each execution, without holes.
CREATE TABLE event (
  execution TEXT NOT NULL REFERENCES execution (id),
  seq INTEGER NOT NULL,
  session TEXT REFERENCES session (id),
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  line INTEGER,
  data TEXT NOT NULL,
  UNIQUE (execution, seq)
) STRICT;

-- One row for each thing, the newest change: a reader never gets the same thing twice in one answer.
-- `project` is '' for `status`. AUTOINCREMENT, so that a `seq` is never used again.
CREATE TABLE changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('project', 'bead', 'execution', 'status')),
  project TEXT NOT NULL,
  id TEXT NOT NULL,
  UNIQUE (kind, project, id)
) STRICT;
