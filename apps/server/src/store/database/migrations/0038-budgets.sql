-- The limit at which it waits for a person, as JSON, since when and until when; null: it waits for nobody.
ALTER TABLE execution ADD COLUMN budget_wait TEXT;

-- What people granted beyond a limit, in tokens or in millionths of the currency. `holder`: what the limit is counted over:
-- a session, an execution, a bead, a project's day or week, or the server's day.
CREATE TABLE budget_grant (
  id INTEGER PRIMARY KEY,
  execution TEXT NOT NULL REFERENCES execution (id),
  scope TEXT NOT NULL,
  holder TEXT NOT NULL,
  unit TEXT NOT NULL CHECK (unit IN ('tokens', 'money')),
  amount INTEGER NOT NULL CHECK (amount > 0),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX budget_grant_by_holder ON budget_grant (scope, holder);
CREATE INDEX budget_grant_by_execution ON budget_grant (execution);
CREATE INDEX token_use_by_execution ON token_use (execution);

-- What all projects used on one day (UTC): a limit for the server forgets nothing when a project is removed. `unpriced`:
-- tokens that no price is known for.
CREATE TABLE token_server_day (
  day TEXT PRIMARY KEY,
  tokens INTEGER NOT NULL,
  cost_micros INTEGER NOT NULL,
  unpriced INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO token_server_day (day, tokens, cost_micros, unpriced)
  SELECT strftime('%Y-%m-%d', hour / 1000, 'unixepoch'), sum(input + output), sum(cost_micros),
    sum(CASE WHEN price_of = '' THEN input + output ELSE 0 END)
  FROM token_use
  GROUP BY 1;
