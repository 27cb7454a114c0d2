-- How long an execution or a session took, in milliseconds in which the server ran: the wall clock may jump between
-- started_at and ended_at. Null where an older server noted the end.
ALTER TABLE execution ADD COLUMN took_ms INTEGER;
ALTER TABLE session ADD COLUMN took_ms INTEGER;
