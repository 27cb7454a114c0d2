-- Subtasks of an execution that somebody has done or dropped meanwhile: their beads were closed before they began.
CREATE TABLE phase_skip (
  execution TEXT NOT NULL REFERENCES execution (id),
  subtask TEXT NOT NULL,
  PRIMARY KEY (execution, subtask)
) STRICT;
