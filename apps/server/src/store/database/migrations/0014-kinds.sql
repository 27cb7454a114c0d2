-- What an agent has to know about its branch. Until now it was forgotten when the server stopped.
ALTER TABLE execution ADD COLUMN notice TEXT;
-- What a project's problem is about; until now that was read from its sentence.
ALTER TABLE project ADD COLUMN problem_kind TEXT;
UPDATE project SET problem_kind = CASE WHEN problem LIKE 'beadloom.json%' THEN 'configuration' ELSE 'repository' END
  WHERE problem IS NOT NULL;
