-- The session whose agent a message is for; null: the one that has worked for the longest time.
ALTER TABLE message ADD COLUMN addressee TEXT REFERENCES session (id);
