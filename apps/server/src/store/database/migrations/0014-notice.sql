-- What an agent has to know about its branch. Until now it was forgotten when the server stopped.
ALTER TABLE execution ADD COLUMN notice TEXT;
