-- Plans of beads. A version is written once and only ever approved; what an execution was given stays as it was.
-- `execution`: the one that planned it; `commit_id`: the commit that its architect saw. Null: a person or the tracker made it.
CREATE TABLE plan (
  project TEXT NOT NULL,
  bead TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  source TEXT NOT NULL CHECK (source IN ('architect', 'tracker', 'person')),
  execution TEXT REFERENCES execution (id),
  commit_id TEXT,
  document TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  approved_at INTEGER,
  PRIMARY KEY (project, bead, version),
  FOREIGN KEY (project, bead) REFERENCES bead (project, id)
) STRICT;

CREATE TRIGGER plan_never_changes
BEFORE UPDATE OF project, bead, version, source, execution, commit_id, document, made_at ON plan
BEGIN
  SELECT RAISE(ABORT, 'a version of a plan never changes');
END;

-- The version that an execution works by; null: it is not phased.
ALTER TABLE execution ADD COLUMN plan_version INTEGER;
