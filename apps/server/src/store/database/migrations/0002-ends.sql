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

-- `record_stdout`, `record_stderr`: how many bytes of each stream of the session are in the record. After a restart the
-- container's own log is read again from the session's first byte, and what comes before these is not recorded twice.
-- `record_tail`: bytes that came after the log was full, of which only the end will be kept.
ALTER TABLE session ADD COLUMN record_stdout INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN record_stderr INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN record_tail INTEGER NOT NULL DEFAULT 0;

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
-- `head`: the beginning of its description, before the entries' sections.
CREATE TABLE follow_up (
  project TEXT NOT NULL REFERENCES project (id),
  bead TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('tests_failing', 'merge_conflict', 'execution_failed', 'blocked', 'timeout')),
  target TEXT NOT NULL,
  head TEXT NOT NULL,
  PRIMARY KEY (project, target)
) STRICT, WITHOUT ROWID;

CREATE INDEX follow_up_of_bead ON follow_up (project, bead, kind);

CREATE TABLE follow_up_entry (
  execution TEXT PRIMARY KEY REFERENCES execution (id),
  project TEXT NOT NULL,
  target TEXT NOT NULL,
  at INTEGER NOT NULL,
  section TEXT NOT NULL,
  FOREIGN KEY (project, target) REFERENCES follow_up (project, target)
) STRICT;

CREATE INDEX follow_up_entry_of_target ON follow_up_entry (project, target, at);

-- Models that answered "too many requests" with a time to come back. `model`: the endpoint and the model's name.
CREATE TABLE parked_model (
  model TEXT PRIMARY KEY,
  until INTEGER NOT NULL,
  why TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Figures for the metrics, counted where what they count is written: reading them costs the same after any number of
-- executions, and a project that is removed takes none of them away. `a` and `b` are the labels of each `name`.
CREATE TABLE figure (
  name TEXT NOT NULL,
  a TEXT NOT NULL,
  b TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (name, a, b)
) STRICT, WITHOUT ROWID;

-- Upper bounds of the durations' buckets, in milliseconds; what is longer counts as -1.
CREATE TABLE figure_bucket (le INTEGER PRIMARY KEY) STRICT;
INSERT INTO figure_bucket (le)
VALUES (1000), (5000), (15000), (60000), (300000), (1800000), (7200000), (21600000);

-- The first messages of an execution's attempts, found without reading all that its agents did.
CREATE INDEX event_of_prompt ON event (execution, seq) WHERE type = 'prompt';

-- When the first event of its container came, by the server's clock.
ALTER TABLE session ADD COLUMN first_event_at INTEGER;

CREATE TRIGGER figure_of_start AFTER UPDATE OF started_at ON execution
WHEN OLD.started_at IS NULL AND NEW.started_at IS NOT NULL
BEGIN
  INSERT INTO figure VALUES ('queue', (
      SELECT CAST(coalesce(min(le), -1) AS TEXT) FROM figure_bucket WHERE le >= NEW.started_at - NEW.queued_at
    ), '', 1) ON CONFLICT DO UPDATE SET value = value + 1;
  INSERT INTO figure VALUES ('queue_sum', '', '', max(0, NEW.started_at - NEW.queued_at))
    ON CONFLICT DO UPDATE SET value = value + excluded.value;
END;

CREATE TRIGGER figure_of_end AFTER UPDATE OF ended_at ON execution
WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
BEGIN
  INSERT INTO figure VALUES ('end', NEW.state, coalesce(NEW.reason, ''), 1)
    ON CONFLICT DO UPDATE SET value = value + 1;
  INSERT INTO figure SELECT 'attempts', CAST(NEW.attempt AS TEXT), '', 1 WHERE NEW.started_at IS NOT NULL
    ON CONFLICT DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER figure_of_tokens AFTER UPDATE OF tokens_input, tokens_output ON execution
BEGIN
  INSERT INTO figure VALUES
      ('tokens', 'input', '', NEW.tokens_input - OLD.tokens_input),
      ('tokens', 'output', '', NEW.tokens_output - OLD.tokens_output)
    ON CONFLICT DO UPDATE SET value = value + excluded.value;
END;

CREATE TRIGGER figure_of_retry AFTER INSERT ON retry
BEGIN
  INSERT INTO figure VALUES ('retry', NEW.layer, NEW.reason, 1) ON CONFLICT DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER figure_of_verification AFTER INSERT ON verification
BEGIN
  INSERT INTO figure VALUES ('verification', NEW.type, iif(NEW.passed, 'passed', 'failed'), 1)
    ON CONFLICT DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER figure_of_first_event AFTER INSERT ON event
WHEN NEW.type IN ('section', 'step', 'message', 'tool_call', 'usage', 'result')
  AND EXISTS (SELECT 1 FROM session WHERE id = NEW.session AND kind = 'work' AND first_event_at IS NULL)
BEGIN
  INSERT INTO figure SELECT 'first_event', (
      SELECT CAST(coalesce(min(le), -1) AS TEXT) FROM figure_bucket WHERE le >= NEW.at - started_at
    ), '', 1 FROM session WHERE id = NEW.session ON CONFLICT DO UPDATE SET value = value + 1;
  INSERT INTO figure SELECT 'first_event_sum', '', '', max(0, NEW.at - started_at) FROM session WHERE id = NEW.session
    ON CONFLICT DO UPDATE SET value = value + excluded.value;
  UPDATE session SET first_event_at = NEW.at WHERE id = NEW.session;
END;

INSERT INTO figure SELECT 'end', state, coalesce(reason, ''), count(*) FROM execution
  WHERE ended_at IS NOT NULL GROUP BY state, reason;
INSERT INTO figure SELECT 'attempts', CAST(attempt AS TEXT), '', count(*) FROM execution
  WHERE ended_at IS NOT NULL AND started_at IS NOT NULL GROUP BY attempt;
INSERT INTO figure SELECT 'tokens', 'input', '', coalesce(sum(tokens_input), 0) FROM execution;
INSERT INTO figure SELECT 'tokens', 'output', '', coalesce(sum(tokens_output), 0) FROM execution;
