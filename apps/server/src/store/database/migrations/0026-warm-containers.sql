-- A container is written down before anybody owns it. SQLite changes no constraint in place, so the table is made anew.
CREATE TABLE container_now (
  name TEXT PRIMARY KEY,
  -- What the engine calls it; null until it was created.
  engine_id TEXT,
  project TEXT NOT NULL,
  -- What it was opened from; null: nobody has noted it.
  environment TEXT,
  purpose TEXT NOT NULL,
  -- The execution that works with it, or did; null: it waits for one, or nobody knows.
  owner TEXT,
  -- What is left in it when it ends is worth saving.
  keeps_work INTEGER NOT NULL CHECK (keeps_work IN (0, 1)),
  state TEXT NOT NULL CHECK (state IN ('warm', 'held', 'kept', 'removing')),
  created_at INTEGER NOT NULL,
  -- Of this state.
  since INTEGER NOT NULL,
  -- Why it is kept.
  why TEXT NOT NULL DEFAULT '',
  bytes INTEGER,
  -- How often what it holds could not be saved since it is kept.
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at INTEGER,
  CHECK (state <> 'warm' OR owner IS NULL),
  CHECK (state <> 'held' OR owner IS NOT NULL)
) STRICT;
INSERT INTO container_now
  SELECT name, engine_id, project, NULL, purpose, execution, keeps_work, state, created_at, since, why, bytes, tries,
    next_try_at
  FROM container;
DROP TABLE container;
ALTER TABLE container_now RENAME TO container;
CREATE INDEX container_owner ON container (owner);
