-- What people did, as a chain: `hash` is the SHA-256 of `entry`, which has the hash of the row before it. What is filtered
-- by is read from that text, so that nothing beside it can say something else. No foreign key: it outlives its projects.
CREATE TABLE audit (
  number INTEGER PRIMARY KEY,
  entry TEXT NOT NULL,
  hash TEXT NOT NULL,
  person TEXT GENERATED ALWAYS AS (json_extract(entry, '$.by')) VIRTUAL,
  project TEXT GENERATED ALWAYS AS (json_extract(entry, '$.on.project')) VIRTUAL,
  action TEXT GENERATED ALWAYS AS (json_extract(entry, '$.action')) VIRTUAL,
  of INTEGER GENERATED ALWAYS AS (json_extract(entry, '$.of')) VIRTUAL
) STRICT;

CREATE INDEX audit_person ON audit (person, number) WHERE of IS NULL;
CREATE INDEX audit_project ON audit (project, number) WHERE of IS NULL;
CREATE INDEX audit_end ON audit (of) WHERE of IS NOT NULL;

-- Up to where a person has exported the chain and had it removed. `hash` is that of the row `through`.
CREATE TABLE audit_cut (
  through INTEGER PRIMARY KEY,
  hash TEXT NOT NULL
) STRICT;

CREATE TRIGGER audit_grows BEFORE INSERT ON audit
WHEN NEW.number IS NOT 1 + coalesce((SELECT max(number) FROM audit), (SELECT max(through) FROM audit_cut), 0)
  OR json_extract(NEW.entry, '$.number') IS NOT NEW.number
  OR json_extract(NEW.entry, '$.before') IS NOT coalesce(
    (SELECT hash FROM audit ORDER BY number DESC LIMIT 1),
    (SELECT hash FROM audit_cut ORDER BY through DESC LIMIT 1),
    printf('%064d', 0))
BEGIN
  SELECT RAISE(ABORT, 'the audit log only grows at its end');
END;

CREATE TRIGGER audit_stays_as_it_is BEFORE UPDATE ON audit
BEGIN
  SELECT RAISE(ABORT, 'the audit log is never changed');
END;

CREATE TRIGGER audit_stays BEFORE DELETE ON audit
WHEN OLD.number > coalesce((SELECT max(through) FROM audit_cut), 0)
BEGIN
  SELECT RAISE(ABORT, 'the audit log is only cut where a person has exported it');
END;

CREATE TRIGGER audit_cut_fits BEFORE INSERT ON audit_cut
WHEN NOT EXISTS (SELECT 1 FROM audit WHERE number = NEW.through AND hash = NEW.hash)
BEGIN
  SELECT RAISE(ABORT, 'the audit log has no such entry');
END;

CREATE TRIGGER audit_cut_stays_as_it_is BEFORE UPDATE ON audit_cut
BEGIN
  SELECT RAISE(ABORT, 'a cut of the audit log is never changed');
END;

CREATE TRIGGER audit_cut_stays BEFORE DELETE ON audit_cut
BEGIN
  SELECT RAISE(ABORT, 'a cut of the audit log is never removed');
END;
