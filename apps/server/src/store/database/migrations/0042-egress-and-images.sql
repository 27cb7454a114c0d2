-- What sandboxes asked for outside, and what became of it. `owner`: an execution or a proof. Without a host: what came after
-- the most that are kept by name, and what had none.
CREATE TABLE egress (
  owner TEXT NOT NULL,
  project TEXT NOT NULL REFERENCES project (id),
  host TEXT NOT NULL,
  port INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('reached', 'refused', 'private', 'failed')),
  count INTEGER NOT NULL,
  sent INTEGER NOT NULL,
  received INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (owner, host, port, outcome)
) STRICT, WITHOUT ROWID;
CREATE INDEX egress_by_project ON egress (project);

-- Images that this server knows of, and when one was last of use. `project`: for which this server made or used it; it stays
-- when the project goes, so that its images can go, too. Null: it is shared, or another server's.
CREATE TABLE image (
  name TEXT PRIMARY KEY,
  project TEXT,
  used_at INTEGER NOT NULL
) STRICT;
