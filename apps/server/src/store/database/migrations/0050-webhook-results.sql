-- What became of the last try of a webhook: when, and when one last arrived.
ALTER TABLE webhook ADD COLUMN last_at INTEGER;
ALTER TABLE webhook ADD COLUMN arrived_at INTEGER;

-- A plan that a person has to approve before its work begins. One that fits one session waits for nobody.
CREATE TRIGGER webhook_of_plan AFTER UPDATE OF ended_at ON execution
WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NEW.kind = 'plan' AND NEW.state = 'COMPLETED'
  AND json_extract(NEW.chosen, '$.planning.approve') = 'ask'
  AND EXISTS (
    SELECT 1 FROM plan WHERE project = NEW.project AND bead = NEW.bead AND approved_at IS NULL
      AND version = (SELECT max(version) FROM plan WHERE project = NEW.project AND bead = NEW.bead)
      AND json_array_length(document, '$.subtasks') > iif(source = 'tracker', 0, 1))
BEGIN
  INSERT INTO webhook_event (event, execution, at) VALUES ('needs_you', NEW.id, NEW.ended_at);
END;
