-- The beginning of the last answer to a session's agent: what it has started since then belongs to its present step.
ALTER TABLE session ADD COLUMN answered_at INTEGER;

-- The message ended what its agent did at that moment.
ALTER TABLE message ADD COLUMN at_once INTEGER NOT NULL DEFAULT 0 CHECK (at_once IN (0, 1));
