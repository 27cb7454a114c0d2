-- What reviewers found. A review is an execution of the kind `review`; `bead` null: of the work branch, for which the
-- execution has a bead of its own (`beadloom-work-branch`) that is on no board and in no tracker.

-- `verdict` null: it has not come to one (yet). `reasons`: JSON array of sentences. `fixed`: JSON array of bead ids.
-- `filed`: its issues have their beads.
CREATE TABLE review (
  execution TEXT PRIMARY KEY REFERENCES execution (id),
  project TEXT NOT NULL REFERENCES project (id),
  bead TEXT,
  branch TEXT NOT NULL,
  from_commit TEXT NOT NULL,
  to_commit TEXT NOT NULL,
  verdict TEXT CHECK (verdict IN ('ready', 'not_ready', 'unparseable')),
  reasons TEXT NOT NULL DEFAULT '[]',
  summary TEXT NOT NULL DEFAULT '',
  fixed TEXT NOT NULL DEFAULT '[]',
  filed INTEGER NOT NULL DEFAULT 0 CHECK (filed IN (0, 1)),
  CHECK (filed = 0 OR verdict IS NOT NULL)
) STRICT;

CREATE INDEX review_of_project ON review (project, bead, to_commit);

-- What a session submitted, as it came, before anybody judged it: a restarted server judges it all the same.
CREATE TABLE review_answer (
  session TEXT NOT NULL REFERENCES session (id),
  number INTEGER NOT NULL CHECK (number >= 1),
  text TEXT NOT NULL,
  PRIMARY KEY (session, number)
) STRICT;

-- `title_key`: the title in the form in which titles are compared. `target`: the bead that was filed, or was there.
CREATE TABLE review_issue (
  execution TEXT NOT NULL REFERENCES review (execution),
  number INTEGER NOT NULL CHECK (number >= 1),
  project TEXT NOT NULL,
  title TEXT NOT NULL,
  title_key TEXT NOT NULL,
  description TEXT NOT NULL,
  priority INTEGER NOT NULL,
  type TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('critical', 'high', 'medium', 'low')),
  file_path TEXT NOT NULL,
  line_numbers TEXT NOT NULL,
  outside_diff INTEGER NOT NULL CHECK (outside_diff IN (0, 1)),
  filed TEXT CHECK (filed IN ('new', 'known', 'dismissed')),
  target TEXT,
  PRIMARY KEY (execution, number)
) STRICT;

CREATE INDEX review_issue_key ON review_issue (project, file_path, title_key);
CREATE INDEX review_issue_target ON review_issue (project, target);

-- Issues that a person does not want, whoever finds them again.
CREATE TABLE review_dismissed (
  project TEXT NOT NULL REFERENCES project (id),
  file_path TEXT NOT NULL,
  title_key TEXT NOT NULL,
  at INTEGER NOT NULL,
  note TEXT NOT NULL,
  PRIMARY KEY (project, file_path, title_key)
) STRICT, WITHOUT ROWID;

-- Was this commit verified?
CREATE INDEX verification_of_commit ON verification (commit_id);

-- The work branch's own bead is nothing that a tracker should ever see.
CREATE TRIGGER tracker_not_of_the_work_branch AFTER INSERT ON tracker_change WHEN NEW.bead = 'beadloom-work-branch'
BEGIN
  DELETE FROM tracker_change WHERE project = NEW.project AND bead = NEW.bead;
END;
