-- The agent of a session, as "agent" in beadloom.json names it; null where it has none, and before this version.
ALTER TABLE session ADD COLUMN agent TEXT;
