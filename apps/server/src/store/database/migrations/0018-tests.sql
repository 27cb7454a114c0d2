-- What a person allowed to be weaker in the tests of a bead: the guard's sentences (JSON), who and why.
CREATE TABLE tests_allowed (
  id INTEGER PRIMARY KEY,
  project TEXT NOT NULL,
  bead TEXT NOT NULL,
  execution TEXT NOT NULL REFERENCES execution (id) ON DELETE CASCADE,
  commit_id TEXT NOT NULL,
  findings TEXT NOT NULL,
  why TEXT NOT NULL,
  by_whom TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX tests_allowed_bead ON tests_allowed (project, bead);
-- 1: it begins with the checks of what its branch has, without an agent.
ALTER TABLE execution ADD COLUMN checks_first INTEGER;
-- Whether the bead's tests fail without its change (JSON); null: not asked.
ALTER TABLE execution ADD COLUMN red_green TEXT;
