-- What a person has chosen for a project over its beadloom.json: one row for each change, the newest counts.
CREATE TABLE project_overrides (
  project TEXT NOT NULL REFERENCES project (id),
  revision INTEGER NOT NULL CHECK (revision > 0),
  at INTEGER NOT NULL,
  overrides TEXT NOT NULL,
  PRIMARY KEY (project, revision)
) STRICT, WITHOUT ROWID;
