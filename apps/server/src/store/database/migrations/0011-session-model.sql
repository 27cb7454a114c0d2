-- The model that a session's agent has; null where it has none, and where a command line chooses.
ALTER TABLE session ADD COLUMN model TEXT;
-- Whether the dismissal closed the issue's bead, so that taking it back opens that again and no other.
ALTER TABLE review_dismissed ADD COLUMN closed INTEGER NOT NULL DEFAULT 1;
