-- How much an execution's verified work changes: files, and lines that were added and removed. Null: not counted.
ALTER TABLE execution ADD COLUMN diff_size TEXT;
