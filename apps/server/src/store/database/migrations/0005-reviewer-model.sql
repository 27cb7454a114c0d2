-- The model that reviews; null before its first session, and where a command line chooses.
ALTER TABLE review ADD COLUMN model TEXT;
