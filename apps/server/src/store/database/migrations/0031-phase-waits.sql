-- Work by a plan that waits for a person between two phases: {"after", "since", "continued", "over"}.
ALTER TABLE execution ADD COLUMN phase_wait TEXT;
-- A person wants it to wait after the phase in work.
ALTER TABLE execution ADD COLUMN pause_asked INTEGER NOT NULL DEFAULT 0 CHECK (pause_asked IN (0, 1));
-- It begins again at this phase, whatever an earlier execution has done of it.
ALTER TABLE execution ADD COLUMN from_phase INTEGER CHECK (from_phase >= 1);
