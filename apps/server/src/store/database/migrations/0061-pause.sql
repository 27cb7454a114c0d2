-- A person's pause of a running execution, as JSON; null: it is not paused.
ALTER TABLE execution ADD COLUMN pause TEXT;
