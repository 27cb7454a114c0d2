-- The question of an agent whose execution waits for the answer.
CREATE TRIGGER webhook_of_question AFTER UPDATE OF pause ON execution
WHEN json_extract(NEW.pause, '$.question') IS NOT NULL AND json_extract(OLD.pause, '$.question') IS NULL
BEGIN
  INSERT INTO webhook_event (event, execution, at) VALUES ('needs_you', NEW.id, json_extract(NEW.pause, '$.since'));
END;
