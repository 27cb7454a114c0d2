-- A filter of the board with its groups, order and layout, named by a person. Without a project it is for all of them.
-- `search` is what the board's address says of it. `place`: their order. At most one of a project, and one for all, is
-- what the board begins with.
CREATE TABLE saved_view (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project TEXT REFERENCES project (id),
  name TEXT NOT NULL,
  search TEXT NOT NULL,
  is_default INTEGER NOT NULL DEFAULT 0 CHECK (is_default IN (0, 1)),
  place INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX saved_view_name ON saved_view (coalesce(project, ''), name COLLATE NOCASE);
CREATE UNIQUE INDEX saved_view_default ON saved_view (coalesce(project, '')) WHERE is_default = 1;
