-- `cached` and `reasoning` are null where no endpoint told of them, which is not the same as none. Until now both were 0.
CREATE TABLE token_use_known (
  session TEXT NOT NULL REFERENCES session (id),
  hour INTEGER NOT NULL,
  model TEXT NOT NULL,
  agent TEXT NOT NULL,
  price_of TEXT NOT NULL,
  execution TEXT NOT NULL REFERENCES execution (id),
  project TEXT NOT NULL,
  calls INTEGER NOT NULL,
  estimated INTEGER NOT NULL,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cached INTEGER,
  reasoning INTEGER,
  cost_micros INTEGER NOT NULL,
  PRIMARY KEY (session, hour, model, agent, price_of)
) STRICT, WITHOUT ROWID;
INSERT INTO token_use_known
  SELECT session, hour, model, agent, price_of, execution, project, calls, estimated, input, output, nullif(cached, 0),
    nullif(reasoning, 0), cost_micros
  FROM token_use;
DROP TABLE token_use;
ALTER TABLE token_use_known RENAME TO token_use;
CREATE INDEX token_use_by_time ON token_use (project, hour);
CREATE INDEX token_use_by_execution ON token_use (execution);

-- Tokens that no price is known for. With it a day of a project says all that limits ask before each call.
ALTER TABLE token_day ADD COLUMN unpriced INTEGER NOT NULL DEFAULT 0;
UPDATE token_day SET unpriced = (
  SELECT coalesce(sum(u.input + u.output), 0)
  FROM token_use AS u
  WHERE u.price_of = '' AND u.project = token_day.project
    AND u.hour >= unixepoch(token_day.day) * 1000 AND u.hour < (unixepoch(token_day.day) + 86400) * 1000
);
