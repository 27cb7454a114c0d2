-- A person's changes to a running execution, as JSON: another model, another time limit.
ALTER TABLE execution ADD COLUMN course TEXT;
