-- A status that a person has given a bead and its tracker did not take is kept, with the reason, beside refused fields: a
-- card that goes back says why. Such a row never waits: its `problem` is never ''.
CREATE TABLE bead_edit_next (
  project TEXT NOT NULL REFERENCES project (id),
  bead TEXT NOT NULL,
  field TEXT NOT NULL
    CHECK (field IN ('title', 'description', 'acceptance', 'type', 'priority', 'labels', 'dependencies', 'status')),
  was TEXT NOT NULL,
  value TEXT NOT NULL,
  problem TEXT NOT NULL DEFAULT '' CHECK (field <> 'status' OR problem <> ''),
  PRIMARY KEY (project, bead, field)
) STRICT;
INSERT INTO bead_edit_next SELECT project, bead, field, was, value, problem FROM bead_edit ORDER BY rowid;
DROP TRIGGER bead_edit_gone;
DROP TRIGGER bead_edit_removed;
DROP TABLE bead_edit;
ALTER TABLE bead_edit_next RENAME TO bead_edit;

CREATE TRIGGER bead_edit_gone AFTER UPDATE OF gone ON bead WHEN NEW.gone = 1
BEGIN
  DELETE FROM bead_edit WHERE project = NEW.project AND bead = NEW.id;
END;

CREATE TRIGGER bead_edit_removed AFTER DELETE ON bead
BEGIN
  DELETE FROM bead_edit WHERE project = OLD.project AND bead = OLD.id;
END;
