-- What runs beside an agent or checks has a session of its own. A column can be exchanged where its CHECK cannot be changed;
-- one trigger names it.
DROP TRIGGER figure_of_first_event;
ALTER TABLE session ADD COLUMN kind_now TEXT NOT NULL DEFAULT 'work'
  CHECK (kind_now IN ('setup', 'work', 'verify', 'save', 'service'));
UPDATE session SET kind_now = kind WHERE kind <> 'work';
ALTER TABLE session DROP COLUMN kind;
ALTER TABLE session RENAME COLUMN kind_now TO kind;
-- Its name.
ALTER TABLE session ADD COLUMN service TEXT;

CREATE TRIGGER figure_of_first_event AFTER INSERT ON event
WHEN NEW.type IN ('section', 'step', 'message', 'tool_call', 'usage', 'result')
  AND EXISTS (SELECT 1 FROM session WHERE id = NEW.session AND kind = 'work' AND first_event_at IS NULL)
BEGIN
  INSERT INTO figure SELECT 'first_event', (
      SELECT CAST(coalesce(min(le), -1) AS TEXT) FROM figure_bucket WHERE le >= NEW.at - started_at
    ), '', 1 FROM session WHERE id = NEW.session ON CONFLICT DO UPDATE SET value = value + 1;
  INSERT INTO figure SELECT 'first_event_sum', '', '', max(0, NEW.at - started_at) FROM session WHERE id = NEW.session
    ON CONFLICT DO UPDATE SET value = value + excluded.value;
  UPDATE session SET first_event_at = NEW.at WHERE id = NEW.session;
END;
