-- Whether a commit that beads start from is fit to work on: its setup and every check, once for each commit and settings.
-- Lock files are part of the commit. A proof that its server did not end is begun again by the next one.
CREATE TABLE proof (
  -- As of an execution: it names the sessions of the proof.
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL REFERENCES project (id),
  commit_id TEXT NOT NULL,
  -- What of the settings it depends on, as a hash.
  settings TEXT NOT NULL,
  -- That of the base branch at that time.
  base_commit TEXT,
  state TEXT NOT NULL CHECK (state IN ('proving', 'green', 'red', 'broken', 'stopped')),
  broken_by TEXT,
  -- What is wrong, and what to do.
  text TEXT NOT NULL DEFAULT '',
  fix TEXT NOT NULL DEFAULT '',
  -- What each check said, as JSON.
  checks TEXT NOT NULL DEFAULT '[]',
  -- How often in a row it was broken in the same way.
  tries INTEGER NOT NULL DEFAULT 1,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  UNIQUE (project, commit_id, settings)
) STRICT;

-- A check that failed by nothing but what fails on the base, too, and counts as passed.
ALTER TABLE verification ADD COLUMN on_base INTEGER NOT NULL DEFAULT 0;
