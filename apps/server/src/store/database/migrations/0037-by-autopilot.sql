-- Autopilot has queued it, and holds it back when it pauses itself.
ALTER TABLE execution ADD COLUMN by_autopilot INTEGER;
