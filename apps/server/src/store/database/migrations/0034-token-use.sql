-- What sessions have used, hour by hour (its beginning, in milliseconds UTC), model by model. `agent`: the sub-agent that
-- asked; '' for the session's own. Money is what it was at that time: `price_of` is the day of the list that had the price,
-- or the file; '' where there was none. `estimated`: calls whose tokens were not counted by their endpoint.
CREATE TABLE token_use (
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
  cached INTEGER NOT NULL,
  reasoning INTEGER NOT NULL,
  cost_micros INTEGER NOT NULL,
  PRIMARY KEY (session, hour, model, agent, price_of)
) STRICT, WITHOUT ROWID;
CREATE INDEX token_use_by_time ON token_use (project, hour);

-- What was used before, at the hour in which its session began. How many calls it took is not known.
INSERT INTO token_use (session, hour, model, agent, price_of, execution, project, calls, estimated, input, output, cached,
    reasoning, cost_micros)
  SELECT session.id, session.started_at - session.started_at % 3600000, coalesce(session.model, ''), '',
    CASE WHEN session.cost_micros IS NULL THEN '' ELSE 'config.json' END, session.execution, execution.project, 0, 0,
    session.tokens_input, session.tokens_output, session.tokens_cached, session.tokens_reasoning,
    coalesce(session.cost_micros, 0)
  FROM session
  JOIN execution ON execution.id = session.execution
  WHERE session.tokens_input + session.tokens_output > 0;
