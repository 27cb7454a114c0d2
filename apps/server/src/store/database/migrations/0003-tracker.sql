-- What the tracker does not have yet: one row for each change, removed when the tracker has it. The rows are made by
-- triggers, in the transaction of the change itself, so that no way of changing a bead forgets them.
-- `kind`:      create (a bead made here), status and describe (as the bead has them when they are written), comment
--              (about the end of `execution`).
-- `rev`:       counts what came on top; a row is removed only if nothing did while it was being written.
-- `due_at`:    not before this time, after a try that failed with `problem`.
CREATE TABLE tracker_change (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  project TEXT NOT NULL REFERENCES project (id),
  bead TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('create', 'status', 'describe', 'comment')),
  execution TEXT NOT NULL DEFAULT '',
  rev INTEGER NOT NULL DEFAULT 1,
  tries INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL DEFAULT 0,
  problem TEXT NOT NULL DEFAULT '',
  UNIQUE (project, bead, kind, execution)
) STRICT;

CREATE INDEX tracker_change_due ON tracker_change (project, due_at);

CREATE TRIGGER tracker_create AFTER INSERT ON bead WHEN NEW.local = 1
BEGIN
  INSERT INTO tracker_change (project, bead, kind) VALUES (NEW.project, NEW.id, 'create')
    ON CONFLICT DO UPDATE SET rev = rev + 1, due_at = 0;
END;

-- Decided here, by an execution or a person at the dashboard; what comes from the tracker is not `decided`.
CREATE TRIGGER tracker_status AFTER UPDATE OF status ON bead
WHEN NEW.decided = 1 AND NEW.status <> OLD.status AND NEW.gone = 0
BEGIN
  INSERT INTO tracker_change (project, bead, kind) VALUES (NEW.project, NEW.id, 'status')
    ON CONFLICT DO UPDATE SET rev = rev + 1, due_at = 0;
END;

-- A text that changes while the fingerprint stays is one that the tracker has not been seen with.
CREATE TRIGGER tracker_describe AFTER UPDATE OF description ON bead
WHEN NEW.description <> OLD.description AND NEW.fingerprint = OLD.fingerprint AND NEW.gone = 0
BEGIN
  INSERT INTO tracker_change (project, bead, kind) VALUES (NEW.project, NEW.id, 'describe')
    ON CONFLICT DO UPDATE SET rev = rev + 1, due_at = 0;
END;

CREATE TRIGGER tracker_comment AFTER UPDATE OF ended_at ON execution
WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NEW.started_at IS NOT NULL
BEGIN
  INSERT INTO tracker_change (project, bead, kind, execution) VALUES (NEW.project, NEW.bead, 'comment', NEW.id)
    ON CONFLICT DO NOTHING;
END;

-- Deleted in the tracker: nothing is written to it any more.
CREATE TRIGGER tracker_gone AFTER UPDATE OF gone ON bead WHEN NEW.gone = 1
BEGIN
  DELETE FROM tracker_change WHERE project = NEW.project AND bead = NEW.id;
END;

CREATE TRIGGER tracker_removed AFTER DELETE ON bead
BEGIN
  DELETE FROM tracker_change WHERE project = OLD.project AND bead = OLD.id;
END;

-- What was decided and filed before there was a way to write it.
INSERT INTO tracker_change (project, bead, kind) SELECT project, id, 'create' FROM bead WHERE local = 1 AND gone = 0;
INSERT INTO tracker_change (project, bead, kind) SELECT project, id, 'status' FROM bead
  WHERE decided = 1 AND gone = 0 AND tracker_status <> CASE status WHEN 'done' THEN 'closed' WHEN 'timeout' THEN 'blocked' ELSE status END;
