-- The branch that work starts from, where whoever added the project has named one: it counts before the repository's own
-- default and before the file's "baseBranch".
ALTER TABLE project ADD COLUMN chosen_base TEXT;
