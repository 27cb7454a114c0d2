-- What a person reads about a bead: whether it failed, and whether it is work at all.

-- `failed`:  in progress, and nobody works on it: its last execution failed. The tracker has a label for it.
-- `reminds`: filed by Beadloom only to repeat what that bead asks; there is nothing to run. Null: work of its own.
ALTER TABLE bead ADD COLUMN failed INTEGER NOT NULL DEFAULT 0 CHECK (failed IN (0, 1));
ALTER TABLE bead ADD COLUMN reminds TEXT;

-- `failure_kind`:  what went wrong, finer than `reason`; null: it did not fail, or nobody knows.
-- `former_failed`: beside `former_bead_status`: the bead was in progress because it had failed before.
ALTER TABLE execution ADD COLUMN failure_kind TEXT;
ALTER TABLE execution ADD COLUMN former_failed INTEGER NOT NULL DEFAULT 0 CHECK (former_failed IN (0, 1));

-- `closed_with`: the execution of the original bead that closed it; null: it is open, or somebody else has closed it.
ALTER TABLE follow_up ADD COLUMN closed_with TEXT;

-- What `replaceBeads` compares, again in one small index.
DROP INDEX bead_compare;
CREATE INDEX bead_compare ON bead
  (project, id, fingerprint, status, tracker_status, decided, local, gone, assignee, claimed_by, failed);

-- An execution that ends before it started may have claimed its bead: the tracker gets the bead's own status back, also
-- that of one that had failed before.
DROP TRIGGER tracker_unclaimed;
CREATE TRIGGER tracker_unclaimed AFTER UPDATE OF ended_at ON execution
WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NEW.started_at IS NULL
BEGIN
  INSERT INTO tracker_change (project, bead, kind)
    SELECT project, id, 'status' FROM bead WHERE project = NEW.project AND id = NEW.bead AND gone = 0 AND decided = 1
      AND (status <> 'in_progress' OR failed = 1) AND tracker_status = 'in_progress'
    ON CONFLICT DO UPDATE SET rev = rev + 1, due_at = 0;
END;

UPDATE bead SET reminds = (SELECT bead FROM follow_up WHERE project = bead.project AND target = bead.id)
  WHERE status <> 'done' AND EXISTS
    (SELECT 1 FROM follow_up WHERE project = bead.project AND target = bead.id AND kind = 'blocked');

UPDATE bead SET failed = 1
  WHERE status = 'in_progress' AND decided = 1 AND claimed_by IS NULL AND 'FAILED' =
    (SELECT state FROM execution WHERE project = bead.project AND bead = bead.id AND kind = 'work'
     ORDER BY queued_at DESC LIMIT 1);
INSERT INTO tracker_change (project, bead, kind)
  SELECT project, id, 'status' FROM bead WHERE failed = 1 AND gone = 0
  ON CONFLICT DO UPDATE SET rev = rev + 1, due_at = 0;
