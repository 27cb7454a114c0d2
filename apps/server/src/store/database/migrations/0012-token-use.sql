-- Of the tokens: input from a cache, output that nobody sees, and their price in millionths of the currency where one
-- is set.
ALTER TABLE session ADD COLUMN tokens_cached INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN tokens_reasoning INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN cost_micros INTEGER;
ALTER TABLE execution ADD COLUMN tokens_cached INTEGER NOT NULL DEFAULT 0;
ALTER TABLE execution ADD COLUMN tokens_reasoning INTEGER NOT NULL DEFAULT 0;
ALTER TABLE execution ADD COLUMN cost_micros INTEGER;

-- What a project's sessions used on one day (UTC): a limit for each day forgets nothing over a restart.
CREATE TABLE token_day (
  project TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  input INTEGER NOT NULL DEFAULT 0,
  output INTEGER NOT NULL DEFAULT 0,
  cached INTEGER NOT NULL DEFAULT 0,
  reasoning INTEGER NOT NULL DEFAULT 0,
  cost_micros INTEGER,
  PRIMARY KEY (project, day)
) STRICT, WITHOUT ROWID;
