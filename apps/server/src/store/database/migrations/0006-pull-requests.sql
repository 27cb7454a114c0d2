-- Wishes for a pull request of a project's work branch, and what became of them.
-- `from_commit`, `commit_id`: the reviewed change. `pushed`: the commit that the remote is known to have.
-- `away_*`: what it waits for; all null, or none.
CREATE TABLE pull_request (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL REFERENCES project (id),
  state TEXT NOT NULL CHECK (state IN ('reviewing', 'opening', 'open', 'pushed', 'not_ready', 'failed')),
  branch TEXT NOT NULL,
  base TEXT NOT NULL,
  from_commit TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  title TEXT NOT NULL,
  own_title INTEGER NOT NULL CHECK (own_title IN (0, 1)),
  review TEXT NOT NULL,
  reviews INTEGER NOT NULL CHECK (reviews BETWEEN 1 AND 3),
  pushed TEXT CHECK (pushed IS NULL OR pushed = commit_id),
  forge TEXT,
  url TEXT,
  number INTEGER,
  away_since INTEGER,
  away_tries INTEGER,
  away_next_at INTEGER,
  away_why TEXT,
  cancel_requested_at INTEGER,
  detail TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  ended_at INTEGER,
  CHECK ((state IN ('reviewing', 'opening')) = (ended_at IS NULL)),
  CHECK (state NOT IN ('open', 'pushed') OR pushed IS NOT NULL),
  CHECK (state <> 'open' OR (url IS NOT NULL AND number IS NOT NULL))
) STRICT;

-- A second click finds what the first one has asked for.
CREATE UNIQUE INDEX pull_request_live ON pull_request (project) WHERE ended_at IS NULL;
CREATE INDEX pull_request_newest ON pull_request (project, asked_at);
