-- What reviews came to, and what they filed, counted as it is written.

-- `a`: the verdict, empty where the review did not come to one.
CREATE TRIGGER figure_of_review AFTER UPDATE OF ended_at ON execution
WHEN NEW.kind = 'review' AND OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
BEGIN
  INSERT INTO figure VALUES ('review', iif(NEW.state = 'COMPLETED',
      coalesce((SELECT verdict FROM review WHERE execution = NEW.id), ''), ''), '', 1)
    ON CONFLICT DO UPDATE SET value = value + 1;
END;

-- `a`: the severity. An issue that had a bead already is not filed again.
CREATE TRIGGER figure_of_review_issue AFTER UPDATE OF filed ON review_issue
WHEN OLD.filed IS NULL AND NEW.filed = 'new'
BEGIN
  INSERT INTO figure VALUES ('review_issue', NEW.severity, '', 1) ON CONFLICT DO UPDATE SET value = value + 1;
END;

INSERT INTO figure SELECT 'review', iif(state = 'COMPLETED', coalesce(verdict, ''), '') AS a, '', count(*)
  FROM review JOIN execution ON id = execution WHERE ended_at IS NOT NULL GROUP BY a;
INSERT INTO figure SELECT 'review_issue', severity, '', count(*) FROM review_issue WHERE filed = 'new' GROUP BY severity;
