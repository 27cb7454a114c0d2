-- Executions of beads that an architect would plan, or that go by a plan: figures tell them apart.
CREATE VIEW complex_execution AS
SELECT execution.id FROM execution LEFT JOIN bead ON bead.project = execution.project AND bead.id = execution.bead
WHERE execution.plan_version IS NOT NULL
  OR bead.type IN ('epic', 'feature')
  OR EXISTS (SELECT 1 FROM json_each(bead.labels) WHERE json_each.value = 'plan');

-- 'complex_end', 'complex_review_retry' and so on: those of complex executions, which the figures without 'complex_' have, too.
CREATE TRIGGER figure_of_complex_end AFTER UPDATE OF ended_at ON execution
WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
  AND EXISTS (SELECT 1 FROM complex_execution WHERE id = NEW.id)
BEGIN
  INSERT INTO figure
    VALUES ('complex_' || iif(NEW.kind = 'work', 'end', NEW.kind || '_end'), NEW.state, coalesce(NEW.reason, ''), 1)
    ON CONFLICT DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER figure_of_complex_retry AFTER INSERT ON retry
WHEN EXISTS (SELECT 1 FROM complex_execution WHERE id = NEW.execution)
BEGIN
  INSERT INTO figure SELECT 'complex_' || iif(kind = 'work', 'retry', kind || '_retry'), NEW.layer, NEW.reason, 1
    FROM execution WHERE id = NEW.execution
    ON CONFLICT DO UPDATE SET value = value + 1;
END;

-- An agent whose session did not end well had used its context up. `a` of this and of those below: 'complex' or 'simple'.
CREATE TRIGGER figure_of_used_up_context AFTER UPDATE OF ended_at ON execution
WHEN NEW.kind = 'work' AND NEW.state IN ('FAILED', 'TIMEOUT') AND OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
  AND EXISTS (SELECT 1 FROM session WHERE execution = NEW.id AND kind = 'work'
    AND outcome IN ('failed', 'turn_limit', 'timeout') AND context_tokens * 100 >= context_window * 90)
BEGIN
  INSERT INTO figure VALUES ('context_used_up',
      iif(EXISTS (SELECT 1 FROM complex_execution WHERE id = NEW.id), 'complex', 'simple'), '', 1)
    ON CONFLICT DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER figure_of_own_context AFTER INSERT ON event
WHEN (NEW.type = 'fresh_start' AND NEW.data ->> 'attempt' > 1)
  OR NEW.type = 'handover'
  OR (NEW.type = 'sub_agent' AND NEW.data ->> 'what' IN ('begin', 'handover'))
BEGIN
  INSERT INTO figure VALUES (iif(NEW.data ->> 'what' = 'handover', 'handover', NEW.type),
      iif(EXISTS (SELECT 1 FROM complex_execution WHERE id = NEW.execution), 'complex', 'simple'), '', 1)
    ON CONFLICT DO UPDATE SET value = value + 1;
END;

INSERT INTO figure SELECT 'complex_' || iif(kind = 'work', 'end', kind || '_end'), state, coalesce(reason, ''), count(*)
  FROM execution WHERE ended_at IS NOT NULL AND id IN (SELECT id FROM complex_execution) GROUP BY kind, state, reason;
INSERT INTO figure SELECT 'complex_' || iif(kind = 'work', 'retry', kind || '_retry'), layer, retry.reason, count(*)
  FROM retry JOIN execution ON execution.id = retry.execution
  WHERE execution.id IN (SELECT id FROM complex_execution) GROUP BY kind, layer, retry.reason;
