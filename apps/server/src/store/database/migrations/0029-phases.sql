-- An execution that works by a plan. `pre_commit`: where the phase begins, stored once. `commit_id`: its approved commit,
-- to which the branch has moved; null until then. `from_execution`: an earlier execution of the bead has done it.
CREATE TABLE phase (
  execution TEXT NOT NULL REFERENCES execution (id),
  number INTEGER NOT NULL CHECK (number >= 1),
  pre_commit TEXT NOT NULL,
  commit_id TEXT,
  summary TEXT NOT NULL DEFAULT '',
  from_execution TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  PRIMARY KEY (execution, number)
) STRICT;

-- What leads to one tree. `number` counts over the execution: it is the attempt of its sessions and verifications.
-- `phase_attempt`: from 1. `commit_id`: the tree on the phase's first commit; `empty`: nothing was changed.
CREATE TABLE phase_round (
  execution TEXT NOT NULL REFERENCES execution (id),
  number INTEGER NOT NULL CHECK (number >= 1),
  phase INTEGER NOT NULL,
  phase_attempt INTEGER NOT NULL CHECK (phase_attempt >= 1),
  kind TEXT NOT NULL CHECK (kind IN ('subtasks', 'fix')),
  commit_id TEXT,
  empty INTEGER NOT NULL DEFAULT 0 CHECK (empty IN (0, 1)),
  -- The subtask that conflicts with others and is done once more on top of them.
  conflict TEXT,
  started_at INTEGER NOT NULL,
  PRIMARY KEY (execution, number),
  FOREIGN KEY (execution, phase) REFERENCES phase (execution, number)
) STRICT;

-- What an agent's session of a phase is for; `subtask` is the id in the plan, '' for the other roles.
CREATE TABLE phase_session (
  session TEXT PRIMARY KEY REFERENCES session (id),
  role TEXT NOT NULL CHECK (role IN ('subtask', 'fix', 'review')),
  subtask TEXT NOT NULL
) STRICT;
