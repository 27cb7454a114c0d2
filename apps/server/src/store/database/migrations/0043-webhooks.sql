-- What is told elsewhere. A row comes with the change that it is about, in its transaction; the newest thousand are kept,
-- also where there is no webhook: one that is configured later begins with what happens then.
CREATE TABLE webhook_event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  event TEXT NOT NULL CHECK (event IN ('needs_you', 'failed', 'merged', 'budget')),
  execution TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

-- One that is configured. `seen`: the events up to this one are in its queue, or not for it. The address is not here: the
-- database is copied every hour. `tries`: failed ones since the last that went well.
CREATE TABLE webhook (
  name TEXT PRIMARY KEY,
  seen INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL DEFAULT 0,
  problem TEXT NOT NULL DEFAULT '',
  given_up INTEGER NOT NULL DEFAULT 0,
  given_up_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_queue (
  webhook TEXT NOT NULL REFERENCES webhook (name) ON DELETE CASCADE,
  event INTEGER NOT NULL,
  at INTEGER NOT NULL,
  notice TEXT NOT NULL,
  PRIMARY KEY (webhook, event)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER webhook_of_end AFTER UPDATE OF ended_at ON execution
WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
  AND (NEW.state IN ('BLOCKED', 'FAILED', 'TIMEOUT') OR (NEW.state = 'COMPLETED' AND NEW.kind = 'work'))
BEGIN
  INSERT INTO webhook_event (event, execution, at) VALUES (
    CASE NEW.state WHEN 'BLOCKED' THEN 'needs_you' WHEN 'COMPLETED' THEN 'merged' ELSE 'failed' END,
    NEW.id, NEW.ended_at);
END;

CREATE TRIGGER webhook_of_budget AFTER UPDATE OF budget_wait ON execution
WHEN OLD.budget_wait IS NULL AND NEW.budget_wait IS NOT NULL
BEGIN
  INSERT INTO webhook_event (event, execution, at) VALUES ('budget', NEW.id, json_extract(NEW.budget_wait, '$.since'));
END;

CREATE TRIGGER webhook_of_phase AFTER UPDATE OF phase_wait ON execution
WHEN OLD.phase_wait IS NULL AND NEW.phase_wait IS NOT NULL
BEGIN
  INSERT INTO webhook_event (event, execution, at) VALUES ('needs_you', NEW.id, json_extract(NEW.phase_wait, '$.since'));
END;

CREATE TRIGGER webhook_few AFTER INSERT ON webhook_event
BEGIN
  DELETE FROM webhook_event WHERE id <= NEW.id - 1000;
END;
