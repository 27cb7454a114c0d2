-- The commit that is checked out in a project's image, where this server has made it: an execution that starts from there is
-- given what came after it.
ALTER TABLE image ADD COLUMN checked_out TEXT;
