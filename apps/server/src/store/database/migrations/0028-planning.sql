-- Executions of the kind `plan`. A column can be exchanged where its CHECK cannot be changed; nothing but triggers names it.
DROP TRIGGER figure_of_review;
DROP TRIGGER figure_of_end;
DROP TRIGGER figure_of_retry;
ALTER TABLE execution ADD COLUMN kind_now TEXT NOT NULL DEFAULT 'work' CHECK (kind_now IN ('work', 'review', 'plan'));
UPDATE execution SET kind_now = kind WHERE kind = 'review';
ALTER TABLE execution DROP COLUMN kind;
ALTER TABLE execution RENAME COLUMN kind_now TO kind;

CREATE TRIGGER figure_of_review AFTER UPDATE OF ended_at ON execution
WHEN NEW.kind = 'review' AND OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
BEGIN
  INSERT INTO figure VALUES ('review', iif(NEW.state = 'COMPLETED',
      coalesce((SELECT verdict FROM review WHERE execution = NEW.id), ''), ''), '', 1)
    ON CONFLICT DO UPDATE SET value = value + 1;
END;

-- Each kind is counted apart: 'review_end' and 'plan_end' beside 'end', and so on.
CREATE TRIGGER figure_of_end AFTER UPDATE OF ended_at ON execution
WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
BEGIN
  INSERT INTO figure VALUES (iif(NEW.kind = 'work', 'end', NEW.kind || '_end'), NEW.state, coalesce(NEW.reason, ''), 1)
    ON CONFLICT DO UPDATE SET value = value + 1;
  INSERT INTO figure
    SELECT iif(NEW.kind = 'work', 'attempts', NEW.kind || '_attempts'), CAST(NEW.attempt AS TEXT), '', 1
    WHERE NEW.started_at IS NOT NULL
    ON CONFLICT DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER figure_of_retry AFTER INSERT ON retry
BEGIN
  INSERT INTO figure SELECT iif(kind = 'work', 'retry', kind || '_retry'), NEW.layer, NEW.reason, 1
    FROM execution WHERE id = NEW.execution
    ON CONFLICT DO UPDATE SET value = value + 1;
END;
