-- What a project's agents worked in last, for those that are opened ahead after a restart. `depends_on`: the settings that
-- this depends on, as one text.
CREATE TABLE environment (
  project TEXT NOT NULL REFERENCES project (id),
  depends_on TEXT NOT NULL,
  environment TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (project, depends_on)
) STRICT;
