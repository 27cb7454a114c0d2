-- The project's settings as they were when the execution started (JSON), for a server that continues it; null once it
-- has ended, and for one that an older server started.
ALTER TABLE execution ADD COLUMN settings TEXT;

-- Reviews are counted apart from work: 'review_end', 'review_attempts' and 'review_retry' beside 'end', 'attempts' and
-- 'retry'. What was counted for both is taken apart as far as its executions are still known.
DROP TRIGGER figure_of_end;
CREATE TRIGGER figure_of_end AFTER UPDATE OF ended_at ON execution
WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
BEGIN
  INSERT INTO figure VALUES (iif(NEW.kind = 'review', 'review_end', 'end'), NEW.state, coalesce(NEW.reason, ''), 1)
    ON CONFLICT DO UPDATE SET value = value + 1;
  INSERT INTO figure SELECT iif(NEW.kind = 'review', 'review_attempts', 'attempts'), CAST(NEW.attempt AS TEXT), '', 1
    WHERE NEW.started_at IS NOT NULL
    ON CONFLICT DO UPDATE SET value = value + 1;
END;

DROP TRIGGER figure_of_retry;
CREATE TRIGGER figure_of_retry AFTER INSERT ON retry
BEGIN
  INSERT INTO figure SELECT iif(kind = 'review', 'review_retry', 'retry'), NEW.layer, NEW.reason, 1
    FROM execution WHERE id = NEW.execution
    ON CONFLICT DO UPDATE SET value = value + 1;
END;

INSERT INTO figure SELECT 'review_end', state, coalesce(reason, ''), count(*) FROM execution
  WHERE kind = 'review' AND ended_at IS NOT NULL GROUP BY state, reason;
INSERT INTO figure SELECT 'review_attempts', CAST(attempt AS TEXT), '', count(*) FROM execution
  WHERE kind = 'review' AND ended_at IS NOT NULL AND started_at IS NOT NULL GROUP BY attempt;
INSERT INTO figure SELECT 'review_retry', layer, retry.reason, count(*) FROM retry JOIN execution ON id = execution
  WHERE kind = 'review' GROUP BY layer, retry.reason;
UPDATE figure SET value = max(0, value - coalesce((SELECT value FROM figure AS apart
    WHERE apart.name = 'review_' || figure.name AND apart.a = figure.a AND apart.b = figure.b), 0))
  WHERE name IN ('end', 'attempts', 'retry');
DELETE FROM figure WHERE name IN ('end', 'attempts', 'retry') AND value = 0;
