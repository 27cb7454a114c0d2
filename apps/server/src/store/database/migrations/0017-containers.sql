-- Containers are written down before they exist, so that none is forgotten, and none removed that holds unsaved work.
CREATE TABLE container (
  name TEXT PRIMARY KEY,
  -- What the engine calls it; null until it was created.
  engine_id TEXT,
  project TEXT NOT NULL,
  execution TEXT NOT NULL,
  purpose TEXT NOT NULL,
  -- What is left in it when it ends is worth saving.
  keeps_work INTEGER NOT NULL CHECK (keeps_work IN (0, 1)),
  state TEXT NOT NULL CHECK (state IN ('held', 'kept', 'removing')),
  created_at INTEGER NOT NULL,
  -- Of this state.
  since INTEGER NOT NULL,
  -- Why it is kept.
  why TEXT NOT NULL DEFAULT '',
  bytes INTEGER,
  -- How often what it holds could not be saved since it is kept.
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at INTEGER
) STRICT;
CREATE INDEX container_execution ON container (execution);
-- A stop that is not carried out yet: since when, how often it was tried, what is in the way (JSON).
ALTER TABLE execution ADD COLUMN stop_pending TEXT;
