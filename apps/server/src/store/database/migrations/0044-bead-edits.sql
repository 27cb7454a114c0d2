-- What people have changed of a bead here and its tracker may not have yet; the queue's row is a `describe`.
-- `was`:     JSON array of the values that are replaced, oldest first.
-- `value`:   JSON of the value.
-- `problem`: why it is not written and will not be; '' while it waits. Such a row stays until somebody has read it.
CREATE TABLE bead_edit (
  project TEXT NOT NULL REFERENCES project (id),
  bead TEXT NOT NULL,
  field TEXT NOT NULL
    CHECK (field IN ('title', 'description', 'acceptance', 'type', 'priority', 'labels', 'dependencies')),
  was TEXT NOT NULL,
  value TEXT NOT NULL,
  problem TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (project, bead, field)
) STRICT;

CREATE TRIGGER bead_edit_gone AFTER UPDATE OF gone ON bead WHEN NEW.gone = 1
BEGIN
  DELETE FROM bead_edit WHERE project = NEW.project AND bead = NEW.id;
END;

CREATE TRIGGER bead_edit_removed AFTER DELETE ON bead
BEGIN
  DELETE FROM bead_edit WHERE project = OLD.project AND bead = OLD.id;
END;
