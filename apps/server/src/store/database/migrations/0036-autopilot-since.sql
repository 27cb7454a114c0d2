-- When a person last switched autopilot on: what ended before does not make it pause itself.
ALTER TABLE project ADD COLUMN autopilot_since INTEGER;
