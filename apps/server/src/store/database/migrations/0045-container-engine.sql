-- The engine that has a container, by the name that projects use.
ALTER TABLE container ADD COLUMN engine TEXT NOT NULL DEFAULT 'local';
