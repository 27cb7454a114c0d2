-- Beads that the tracker has to say again: looked for at each reading of it, among all others.
CREATE INDEX bead_unsettled ON bead (project) WHERE fingerprint = '';
