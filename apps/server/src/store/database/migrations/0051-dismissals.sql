-- Notices of the inbox that somebody dismissed: for every browser. `notice`: its name, which the dashboard makes.
-- `number` goes up, also over those that are taken back, so that its highest says whether anything has changed.
CREATE TABLE inbox_dismissal (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  project TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
  notice TEXT NOT NULL,
  restored INTEGER NOT NULL DEFAULT 0,
  UNIQUE (project, notice)
) STRICT;
