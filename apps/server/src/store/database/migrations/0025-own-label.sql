-- `labelled`: the label `failed` that the bead has in its tracker, or is about to get there, is Beadloom's own. A person
-- may have put one on it, too, and that one stays.
ALTER TABLE bead ADD COLUMN labelled INTEGER NOT NULL DEFAULT 0 CHECK (labelled IN (0, 1));

UPDATE bead SET labelled = 1 WHERE failed = 1 OR (labels LIKE '%"failed"%' AND EXISTS
  (SELECT 1 FROM execution WHERE execution.project = bead.project AND execution.bead = bead.id AND kind = 'work'
     AND state = 'FAILED'));

-- What `replaceBeads` compares, again in one small index.
DROP INDEX bead_compare;
CREATE INDEX bead_compare ON bead
  (project, id, fingerprint, status, tracker_status, decided, local, gone, assignee, claimed_by, failed, labelled);
