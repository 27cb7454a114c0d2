import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { OpenClaim, TrackerClaims } from '../../ports/store/tracker-claims.ts'
import type { Writing } from '../database/writer.ts'

export function trackerClaims({ db, clock, write, changed }: Writing): TrackerClaims {
  const put = db.prepare<[number, string]>(
    `INSERT INTO tracker_claim (execution, project, bead, at) SELECT id, project, bead, ? FROM execution WHERE id = ?
     ON CONFLICT DO UPDATE SET at = excluded.at, released = 0`,
  )
  const remove = db.prepare<[string]>('DELETE FROM tracker_claim WHERE execution = ?')
  const all = db.prepare<[], OpenClaim>(
    'SELECT execution, project, bead, at FROM tracker_claim WHERE released = 0 ORDER BY at',
  )
  const setReleased = db.prepare<[string]>('UPDATE tracker_claim SET released = 1 WHERE execution = ?')
  const one = db.prepare<[string], { project: ProjectId; bead: BeadId }>(
    'SELECT project, bead FROM tracker_claim WHERE execution = ?',
  )
  const release = db.prepare<[string, string]>(
    `INSERT INTO tracker_change (project, bead, kind)
       SELECT project, id, 'status' FROM bead WHERE project = ? AND id = ? AND gone = 0
     ON CONFLICT DO UPDATE SET rev = rev + 1, due_at = 0`,
  )
  return {
    claimBegins: (execution) => write(() => void put.run(clock.now(), execution)),
    claimRefused: (execution) => write(() => void remove.run(execution)),
    openClaims: () => all.all(),
    releaseClaim: (execution) =>
      write(() => {
        const claim = one.get(execution)
        if (!claim) return
        setReleased.run(execution)
        if (release.run(claim.project, claim.bead).changes > 0) changed('bead', claim.project, claim.bead)
        else remove.run(execution) // the bead is gone
      }),
  }
}
