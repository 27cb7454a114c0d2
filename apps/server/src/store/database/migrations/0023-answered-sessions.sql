-- How many agent sessions there were when the last retry was decided. Counting retries and broken sessions against each
-- other took a failure for retried where one retry had begun no session.
ALTER TABLE execution ADD COLUMN answered_sessions INTEGER NOT NULL DEFAULT 0;

UPDATE execution
SET answered_sessions = (SELECT count(*) FROM session WHERE session.execution = execution.id AND session.kind = 'work')
WHERE retry_at IS NOT NULL;
