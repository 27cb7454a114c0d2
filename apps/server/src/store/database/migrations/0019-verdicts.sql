-- Checks that a bead made itself, and what a judge said: JSON with its model, its answer, and whether it decides.
ALTER TABLE verification ADD COLUMN made INTEGER NOT NULL DEFAULT 0 CHECK (made IN (0, 1));
ALTER TABLE verification ADD COLUMN opinion TEXT;
