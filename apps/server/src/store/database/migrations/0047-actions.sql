-- What people have done, each with a name. `done` 0: the server was stopped before it knew. `about`: names of what was
-- changed, never a value. No foreign key: who removed a project is worth knowing when it is gone.
CREATE TABLE action (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  by TEXT NOT NULL,
  via TEXT NOT NULL CHECK (via IN ('token', 'header', 'oidc')),
  action TEXT NOT NULL,
  about TEXT NOT NULL,
  done INTEGER NOT NULL,
  project TEXT,
  bead TEXT,
  execution TEXT
) STRICT;

CREATE INDEX action_of_bead ON action (project, bead);
CREATE INDEX action_of_execution ON action (execution) WHERE execution IS NOT NULL;

CREATE TRIGGER action_few AFTER INSERT ON action
BEGIN
  DELETE FROM action WHERE id <= NEW.id - 100000;
END;
