-- What people say to the agent of an execution. `through`: how it got into the agent's conversation. `place`: where the
-- gateway adds it, as JSON.
CREATE TABLE message (
  id INTEGER PRIMARY KEY,
  execution TEXT NOT NULL REFERENCES execution (id),
  author TEXT NOT NULL,
  text TEXT NOT NULL,
  counts TEXT NOT NULL CHECK (counts IN ('step', 'turn')),
  state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'refused')),
  at INTEGER NOT NULL,
  delivered_at INTEGER,
  session TEXT REFERENCES session (id),
  through TEXT CHECK (through IN ('gateway', 'prompt')),
  place TEXT,
  CHECK ((state = 'delivered') = (session IS NOT NULL AND delivered_at IS NOT NULL AND through IS NOT NULL))
) STRICT;
CREATE INDEX message_by_execution ON message (execution);
CREATE INDEX message_waiting ON message (execution) WHERE state = 'waiting';

-- Its work is being merged: no message can reach an agent any more.
ALTER TABLE execution ADD COLUMN messages_closed INTEGER NOT NULL DEFAULT 0 CHECK (messages_closed IN (0, 1));

CREATE TRIGGER message_refused AFTER UPDATE OF ended_at ON execution WHEN NEW.ended_at IS NOT NULL
BEGIN
  UPDATE message SET state = 'refused' WHERE execution = NEW.id AND state = 'waiting';
END;
