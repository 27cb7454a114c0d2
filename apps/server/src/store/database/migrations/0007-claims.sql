-- Whose a bead is in its tracker, and what an execution's agent was asked for.

-- `assignee`:   as the tracker was last read, '' for nobody; null: not read since there is this column.
-- `claimed_by`: somebody who has claimed it there; null: nobody, or Beadloom.
ALTER TABLE bead ADD COLUMN assignee TEXT;
ALTER TABLE bead ADD COLUMN claimed_by TEXT;

-- What `replaceBeads` compares, again in one small index.
DROP INDEX bead_compare;
CREATE INDEX bead_compare ON bead
  (project, id, fingerprint, status, tracker_status, decided, local, gone, assignee, claimed_by);

-- `given`: fingerprints of the bead's texts when the execution started, as JSON; null when nobody compares (any more).
ALTER TABLE execution ADD COLUMN given TEXT;

-- A description that Beadloom itself adds to while the bead runs is no change of a person's: it is not compared.
CREATE TRIGGER given_description AFTER UPDATE OF description ON bead
WHEN NEW.description <> OLD.description AND NEW.fingerprint = OLD.fingerprint AND NEW.fingerprint <> ''
BEGIN
  UPDATE execution SET given = json_remove(given, '$.description')
    WHERE project = NEW.project AND bead = NEW.id AND ended_at IS NULL AND given IS NOT NULL;
END;

-- An execution that ends before it started may have claimed its bead: the tracker gets the bead's own status back.
CREATE TRIGGER tracker_unclaimed AFTER UPDATE OF ended_at ON execution
WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NEW.started_at IS NULL
BEGIN
  INSERT INTO tracker_change (project, bead, kind)
    SELECT project, id, 'status' FROM bead WHERE project = NEW.project AND id = NEW.bead AND gone = 0 AND decided = 1
      AND status <> 'in_progress' AND tracker_status = 'in_progress'
    ON CONFLICT DO UPDATE SET rev = rev + 1, due_at = 0;
END;
