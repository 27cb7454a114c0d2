-- The bead that a follow-up is about, on its own row: a card says it, and a board has thousands of them.
ALTER TABLE bead ADD COLUMN filed_for TEXT;
UPDATE bead SET filed_for = (SELECT bead FROM follow_up WHERE project = bead.project AND target = bead.id LIMIT 1)
WHERE EXISTS (SELECT 1 FROM follow_up WHERE project = bead.project AND target = bead.id);
